/// Builds a scenario on another one, or on a world file: `extends`, `remove`, `append`, and `from` in a world.
///
/// Mappings are joined key by key, anything else of the file that builds on another replaces what stood there. What
/// `remove` names is taken away first, what `append` holds is put at the end of its lists last.
struct Overlay {
    /// The tree of another file, which a file at `spot` calls `name`.
    typealias Opener = (_ name: String, _ spot: SourceSpot) throws(ScenarioErrors) -> YAMLNode

    static let extendsKey = "extends"
    static let removeKey = "remove"
    static let appendKey = "append"
    static let worldKey = "world"
    static let fromKey = "from"

    /// Files that build on each other at most.
    private static let depthLimit = 8

    private let open: Opener
    private let problems: ProblemList

    init(_ problems: ProblemList, open: @escaping Opener) {
        self.open = open
        self.problems = problems
    }

    /// The whole scenario that `root` stands for; the file itself when it builds on nothing.
    func resolve(_ root: YAMLNode) throws(ScenarioErrors) -> YAMLNode { try resolve(root, below: []) }

    private func resolve(_ root: YAMLNode, below chain: [String]) throws(ScenarioErrors) -> YAMLNode {
        guard let entries = root.mapping else { return root }
        var base = YAMLNode(.mapping([]), at: root.spot)
        if let node = root[Self.extendsKey] {
            guard let name = node.text, !node.isEmpty else {
                problems.add(node.spot, "extends takes the id or path of one scenario, found \(node.kindName)")
                return root
            }
            let chain = chain + [root.spot.file]
            let other = try open(name, node.spot)
            guard !chain.contains(other.spot.file), chain.count <= Self.depthLimit else {
                problems.add(node.spot, "\(name) builds on this file again, or on more than \(Self.depthLimit) others")
                return root
            }
            base = try resolve(other, below: chain)
        }
        if let world = root[Self.worldKey], let node = world[Self.fromKey], let name = node.text {
            let file = try open(name, node.spot)
            guard let other = file[Self.worldKey] else {
                problems.add(node.spot, "\(file.spot.file) holds no world")
                return root
            }
            base = Self.joined(base, YAMLNode(.mapping([entry(Self.worldKey, other)]), at: other.spot))
        }
        for path in root[Self.removeKey]?.oneOrMany ?? [] { base = removing(path, from: base) }
        let own = entries.filter { ![Self.extendsKey, Self.removeKey, Self.appendKey].contains($0.key) }.map(
            withoutFrom)
        var whole = Self.joined(base, YAMLNode(.mapping(own), at: root.spot))
        if let more = root[Self.appendKey] { whole = appending(more, to: whole) }
        whole.spot = root.spot
        return whole
    }

    private func withoutFrom(_ entry: YAMLEntry) -> YAMLEntry {
        guard entry.key == Self.worldKey, let keys = entry.value.mapping else { return entry }
        var entry = entry
        entry.value = YAMLNode(.mapping(keys.filter { $0.key != Self.fromKey }), at: entry.value.spot)
        return entry
    }

    private func entry(_ key: String, _ value: YAMLNode) -> YAMLEntry {
        YAMLEntry(key: key, keySpot: value.spot, value: value)
    }

    // MARK: Joining

    private static func joined(_ base: YAMLNode, _ top: YAMLNode) -> YAMLNode {
        guard var entries = base.mapping, let more = top.mapping else { return top }
        for entry in more {
            guard let position = entries.firstIndex(where: { $0.key == entry.key }) else {
                entries.append(entry)
                continue
            }
            entries[position].value = joined(entries[position].value, entry.value)
            entries[position].keySpot = entry.keySpot
        }
        return YAMLNode(.mapping(entries), at: top.spot)
    }

    private func appending(_ more: YAMLNode, to node: YAMLNode) -> YAMLNode {
        guard let lists = more.mapping, var entries = node.mapping else {
            problems.add(more.spot, "append takes a mapping of lists, found \(more.kindName)")
            return node
        }
        for list in lists {
            if let position = entries.firstIndex(where: { $0.key == list.key }) {
                let value = entries[position].value
                // What takes one or a list becomes a list.
                let known = value.isEmpty ? [] : value.oneOrMany
                entries[position].value = YAMLNode(.sequence(known + list.value.oneOrMany), at: value.spot)
            } else {
                entries.append(list)
            }
        }
        return YAMLNode(.mapping(entries), at: node.spot)
    }

    // MARK: Removing

    /// Takes away what a path such as `world.nodes.hill`, `steps.3` or `steps.lost` leads to.
    private func removing(_ path: YAMLNode, from node: YAMLNode) -> YAMLNode {
        guard let text = path.text, !path.isEmpty else {
            problems.add(path.spot, "remove takes paths such as world.nodes.hill, found \(path.kindName)")
            return node
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let left = Self.removing(parts[...], from: node) else {
            problems.add(
                path.spot, "there is no \(YAMLNode.shortened(text)) in what this file builds on",
                hint: "parts of a path are keys, numbers in a list from 1, or names of its elements")
            return node
        }
        return left
    }

    /// Nil when the path leads to nothing.
    private static func removing(_ path: ArraySlice<String>, from node: YAMLNode) -> YAMLNode? {
        guard let part = path.first else { return nil }
        switch node.content {
        case .scalar: return nil
        case .mapping(var entries):
            guard let position = entries.firstIndex(where: { $0.key == part }) else { return nil }
            if path.count == 1 {
                entries.remove(at: position)
            } else {
                guard let left = removing(path.dropFirst(), from: entries[position].value) else { return nil }
                entries[position].value = left
            }
            return YAMLNode(.mapping(entries), at: node.spot)
        case .sequence(var nodes):
            let named = nodes.firstIndex { $0["as"]?.text == part || $0["name"]?.text == part || $0.text == part }
            guard let position = named ?? Int(part).map({ $0 - 1 }), nodes.indices.contains(position) else {
                return nil
            }
            if path.count == 1 {
                nodes.remove(at: position)
            } else {
                guard let left = removing(path.dropFirst(), from: nodes[position]) else { return nil }
                nodes[position] = left
            }
            return YAMLNode(.sequence(nodes), at: node.spot)
        }
    }
}

extension YAMLNode {
    /// The files its parts come from, each once, the node's own first.
    package var files: [String] {
        var files = [spot.file]
        func look(_ node: YAMLNode) {
            if !files.contains(node.spot.file) { files.append(node.spot.file) }
            switch node.content {
            case .scalar: return
            case .sequence(let nodes): for node in nodes { look(node) }
            case .mapping(let entries): for entry in entries { look(entry.value) }
            }
        }
        look(self)
        return files
    }
}
