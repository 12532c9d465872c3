package import ScenarioModel

/// Makes a scenario's tree smaller for as long as a test holds: delta debugging, largest parts first.
///
/// Same tree, same answers, same outcome: nothing is drawn, and the order of trials follows from the tree.
package struct TreeShrinker {
    private let holds: (YAMLNode) -> Bool
    private let isSpent: () -> Bool
    /// Told of every tree that is smaller and still holds.
    private let progress: (YAMLNode) -> Void
    private var tree: YAMLNode

    package init(
        _ tree: YAMLNode, holds: @escaping (YAMLNode) -> Bool, isSpent: @escaping () -> Bool = { false },
        progress: @escaping (YAMLNode) -> Void = { _ in }
    ) {
        self.tree = tree
        self.holds = holds
        self.isSpent = isSpent
        self.progress = progress
    }

    /// The smallest tree that was found; `tree` itself when nothing can go.
    package mutating func shrink() -> YAMLNode {
        var before: YAMLNode
        repeat {
            before = tree
            dropKeys(["steps", "faults", "expect", "always", "never", "sometimes"])
            dropNodes()
            dropEverywhere()
            unwrapLists()
            simplifyTexts()
            simplifyEqualNumbers()
            simplifyScalars()
        } while tree != before && !isSpent()
        return tree
    }

    /// Takes a tree over when it is another one and the test holds of it.
    @discardableResult
    private mutating func take(_ candidate: YAMLNode) -> Bool {
        guard candidate != tree, !isSpent(), holds(candidate) else { return false }
        tree = candidate
        progress(candidate)
        return true
    }

    /// The lists of these keys first: with a step gone, much else has nothing to do any more.
    private mutating func dropKeys(_ keys: [String]) {
        for key in keys {
            guard let position = tree.mapping?.firstIndex(where: { $0.key == key }) else { continue }
            dropChildren(of: [position])
        }
    }

    private mutating func dropNodes() {
        for name in NodeRemoval(tree).candidates {
            for attempt in NodeRemoval(tree).attempts(without: name) where take(attempt) { break }
        }
    }

    /// Every collection of the tree, from the top down.
    private mutating func dropEverywhere() {
        var waiting: [[Int]] = [[]]
        while !waiting.isEmpty {
            let path = waiting.removeFirst()
            dropChildren(of: path)
            let children = tree.node(at: path[...])?.children ?? []
            waiting += children.indices.filter { children[$0].scalar == nil }.map { path + [$0] }
        }
    }

    /// Children of one collection: all, halves, quarters … single ones, from the end.
    private mutating func dropChildren(of path: [Int]) {
        var size = tree.node(at: path[...])?.children.count ?? 0
        while size > 0 {
            var end = tree.node(at: path[...])?.children.count ?? 0
            while end > 0 {
                let start = max(0, end - size)
                take(tree.changing(path[...]) { $0.dropping(start..<end) })
                end = start
            }
            size /= 2
        }
    }

    /// `[x]` is `x` to every key that takes one or many, and `verb:` without a value is the bare verb.
    private mutating func unwrapLists() {
        for path in paths(where: { $0.sequence?.count == 1 }) {
            take(tree.changing(path[...]) { $0.sequence?.first ?? $0 })
        }
        for path in paths(where: { $0.mapping?.count == 1 && $0.children[0].isEmpty }) {
            take(tree.changing(path[...]) { .plain($0.mapping?[0].key ?? "", at: $0.spot) })
        }
    }

    private mutating func simplifyTexts() {
        let letters = ["a", "b", "c", "d", "e", "f"]
        for (index, text) in ScalarSimplification.texts(of: tree).enumerated() {
            take(ScalarSimplification.replacing(text, by: letters[index % letters.count], in: tree))
        }
    }

    /// A number that stands in several places may mean the same in all of them.
    private mutating func simplifyEqualNumbers() {
        var seen: [YAMLScalar] = []
        for path in paths(where: { $0.scalar.map { ScalarText.integer($0.text) != nil } ?? false }) {
            guard let scalar = tree.node(at: path[...])?.scalar, !seen.contains(scalar) else { continue }
            seen.append(scalar)
            for simpler in ScalarSimplification.simpler(scalar) {
                if take(tree.mappingScalars { $0 == scalar ? simpler : $0 }) { break }
            }
        }
    }

    private mutating func simplifyScalars() {
        for path in paths(where: { $0.scalar != nil }) {
            guard let scalar = tree.node(at: path[...])?.scalar else { continue }
            for simpler in ScalarSimplification.simpler(scalar) {
                if take(tree.changing(path[...]) { YAMLNode(.scalar(simpler), at: $0.spot) }) { break }
            }
        }
    }

    /// Deepest first, so that a change leaves the other paths right.
    private func paths(where matches: (YAMLNode) -> Bool) -> [[Int]] {
        var found: [[Int]] = []
        func look(_ node: YAMLNode, _ path: [Int]) {
            for (index, child) in node.children.enumerated() { look(child, path + [index]) }
            if matches(node) { found.append(path) }
        }
        look(tree, [])
        return found
    }
}
