package import ScenarioModel

/// Takes a radio out of a scenario's tree together with what speaks of it.
package struct NodeRemoval {
    private let tree: YAMLNode
    private let names: [String]

    package init(_ tree: YAMLNode) {
        self.tree = tree
        names = tree["world"]?["nodes"]?.mapping?.map(\.key) ?? []
    }

    /// The nodes of the world, last first: what a file adds later is rather a bystander.
    package var candidates: [String] { names.reversed() }

    /// Ways to be without the node, the one that removes most first.
    package func attempts(without name: String) -> [YAMLNode] {
        let links = self.links(of: name)
        var attempts = [prune(tree, name, everywhere: true), prune(tree, name, everywhere: false)]
        // A node between two others: they then hear each other.
        if links.count == 2, let first = links.first, let last = links.last, first.other != last.other {
            let joined = YAMLEntry(
                key: first.other + "-" + last.other, keySpot: first.entry.keySpot, value: first.entry.value)
            attempts.insert(adding(joined, to: attempts[0]), at: 0)
            attempts.insert(adding(joined, to: attempts[2]), at: 1)
        }
        return attempts
    }

    private func adding(_ link: YAMLEntry, to tree: YAMLNode) -> YAMLNode {
        editing(tree, "world") { world in
            editing(world, "links") { YAMLNode(.mapping([link] + ($0.mapping ?? [])), at: $0.spot) }
        }
    }

    private func editing(_ node: YAMLNode, _ key: String, _ change: (YAMLNode) -> YAMLNode) -> YAMLNode {
        guard let position = node.mapping?.firstIndex(where: { $0.key == key }) else { return node }
        return node.changing([position], change)
    }

    private func links(of name: String) -> [(entry: YAMLEntry, other: String)] {
        (tree["world"]?["links"]?.mapping ?? []).compactMap { entry in
            names.first { entry.key == "\(name)-\($0)" || entry.key == "\($0)-\(name)" }.map { (entry, $0) }
        }
    }

    private func isAbout(_ text: String, _ name: String) -> Bool {
        text == name || names.contains { text == "\(name)-\($0)" || text == "\($0)-\(name)" }
    }

    private func mentions(_ node: YAMLNode, _ name: String) -> Bool {
        switch node.content {
        case .scalar(let scalar): isAbout(scalar.text, name)
        case .sequence(let nodes): nodes.contains { mentions($0, name) }
        case .mapping(let entries): entries.contains { isAbout($0.key, name) || mentions($0.value, name) }
        }
    }

    /// Without what speaks of the node: entries of mappings, and whole elements of lists; or only its place in the world.
    private func prune(_ tree: YAMLNode, _ name: String, everywhere: Bool) -> YAMLNode {
        YAMLNode(
            .mapping(
                (tree.mapping ?? []).map { entry in
                    guard everywhere || entry.key == "world" else { return entry }
                    return YAMLEntry(key: entry.key, keySpot: entry.keySpot, value: pruned(entry.value, name))
                }), at: tree.spot)
    }

    private func pruned(_ node: YAMLNode, _ name: String) -> YAMLNode {
        switch node.content {
        case .scalar: return node
        case .sequence(let nodes):
            return YAMLNode(.sequence(nodes.filter { !mentions($0, name) }), at: node.spot)
        case .mapping(let entries):
            let kept = entries.filter { entry in
                !isAbout(entry.key, name) && !(entry.value.text.map { isAbout($0, name) } ?? false)
            }
            return YAMLNode(
                .mapping(kept.map { YAMLEntry(key: $0.key, keySpot: $0.keySpot, value: pruned($0.value, name)) }),
                at: node.spot)
        }
    }
}
