/// Trees with other trees in place of a part; parts are found by the positions of children on the way to them.
extension YAMLNode {
    /// Elements of a list or values of a mapping.
    package var children: [YAMLNode] { sequence ?? mapping?.map(\.value) ?? [] }

    package func node(at path: ArraySlice<Int>) -> YAMLNode? {
        guard let first = path.first else { return self }
        guard children.indices.contains(first) else { return nil }
        return children[first].node(at: path.dropFirst())
    }

    /// The tree with the part at `path` changed; the same tree when there is no such part.
    package func changing(_ path: ArraySlice<Int>, _ change: (YAMLNode) -> YAMLNode) -> YAMLNode {
        guard let first = path.first else { return change(self) }
        guard children.indices.contains(first) else { return self }
        switch content {
        case .scalar: return self
        case .sequence(var nodes):
            nodes[first] = nodes[first].changing(path.dropFirst(), change)
            return YAMLNode(.sequence(nodes), at: spot)
        case .mapping(var entries):
            entries[first].value = entries[first].value.changing(path.dropFirst(), change)
            return YAMLNode(.mapping(entries), at: spot)
        }
    }

    /// What keys joined by points lead to, through mappings: `world.links`.
    package func node(named path: String) -> YAMLNode? {
        var node: YAMLNode? = self
        for key in path.split(separator: ".", omittingEmptySubsequences: false) { node = node?[String(key)] }
        return node
    }

    /// The collection without the children at these positions.
    package func dropping(_ positions: Range<Int>) -> YAMLNode {
        switch content {
        case .scalar: return self
        case .sequence(var nodes):
            nodes.removeSubrange(positions)
            return YAMLNode(.sequence(nodes), at: spot)
        case .mapping(var entries):
            entries.removeSubrange(positions)
            return YAMLNode(.mapping(entries), at: spot)
        }
    }

    /// The tree with every scalar replaced by what `change` makes of it; keys are left as they are.
    package func mappingScalars(_ change: (YAMLScalar) -> YAMLScalar) -> YAMLNode {
        switch content {
        case .scalar(let scalar): YAMLNode(.scalar(change(scalar)), at: spot)
        case .sequence(let nodes): YAMLNode(.sequence(nodes.map { $0.mappingScalars(change) }), at: spot)
        case .mapping(let entries):
            YAMLNode(
                .mapping(
                    entries.map {
                        YAMLEntry(key: $0.key, keySpot: $0.keySpot, value: $0.value.mappingScalars(change))
                    }), at: spot)
        }
    }

    /// Whether two trees say the same, wherever they were read from.
    package func saysTheSame(as other: YAMLNode) -> Bool {
        switch (content, other.content) {
        case (.scalar(let one), .scalar(let two)): one == two
        case (.sequence(let one), .sequence(let two)):
            one.count == two.count && zip(one, two).allSatisfy { $0.saysTheSame(as: $1) }
        case (.mapping(let one), .mapping(let two)):
            one.count == two.count
                && zip(one, two).allSatisfy { $0.key == $1.key && $0.value.saysTheSame(as: $1.value) }
        default: false
        }
    }
}
