internal import RigBase
package import ScenarioModel

/// Simpler values that a scalar of a scenario might have just as well.
package enum ScalarSimplification {
    /// Plain whole numbers become small, long times a second; simplest first.
    package static func simpler(_ scalar: YAMLScalar) -> [YAMLScalar] {
        guard scalar.isPlain else { return [] }
        if let number = ScalarText.integer(scalar.text) {
            guard number > 1 else { return [] }
            var smaller = [0, 1]
            // By halves, so that a limit somewhere between is found within a factor of two.
            var next = 2
            while next < number, smaller.count < 24 {
                smaller.append(next)
                next *= 2
            }
            return smaller.map { YAMLScalar("\($0)", isPlain: true) }
        }
        if let time = ScalarText.duration(scalar.text), time > .seconds(1) {
            return [YAMLScalar("1s", isPlain: true)]
        }
        return []
    }

    /// Quoted texts of some length, each once, in the order of the tree; titles are for people and stay.
    package static func texts(of tree: YAMLNode) -> [String] {
        var found: [String] = []
        func look(_ node: YAMLNode) {
            if let scalar = node.scalar, !scalar.isPlain, scalar.text.count > 3, !found.contains(scalar.text) {
                found.append(scalar.text)
            }
            for entry in node.mapping ?? [] where !spared.contains(entry.key) { look(entry.value) }
            for child in node.sequence ?? [] { look(child) }
        }
        look(tree)
        return found
    }

    /// The tree with a text replaced wherever it stands, also within other quoted texts.
    package static func replacing(_ text: String, by short: String, in tree: YAMLNode) -> YAMLNode {
        YAMLNode(
            .mapping(
                (tree.mapping ?? []).map { entry in
                    guard !spared.contains(entry.key) else { return entry }
                    let value = entry.value.mappingScalars { scalar in
                        guard !scalar.isPlain else { return scalar }
                        return YAMLScalar(scalar.text.replacing(text, with: short), isPlain: false)
                    }
                    return YAMLEntry(key: entry.key, keySpot: entry.keySpot, value: value)
                }), at: tree.spot)
    }

    private static let spared = ["title", "requirement", "refs", "tags"]
}
