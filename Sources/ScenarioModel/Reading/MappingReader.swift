package import RigBase

/// Reads a mapping through the description of its keys; what is wrong goes to the problem list and reads as nil.
///
/// Unknown and missing keys are reported when the reader is made. Reading a key that the shape does not describe, or as
/// another type than it describes, is a mistake in this program and traps.
package struct MappingReader {
    package let shape: ShapeDescriptor
    package let spot: SourceSpot
    package let problems: ProblemList
    private let entries: [YAMLEntry]

    /// Reads `node`, or nothing at all when there is no node (a bare word).
    ///
    /// A value that is not a mapping stands for the shape's shorthand key, if it has one. Keys in `except` are left to
    /// another reader of the same mapping.
    package init(
        _ node: YAMLNode?, _ shape: ShapeDescriptor, at place: SourceSpot? = nil, except: [String] = [],
        _ problems: ProblemList
    ) {
        self.shape = shape
        self.problems = problems
        guard let spot = node?.spot ?? place else { preconditionFailure("a reader needs a place for its messages") }
        self.spot = spot
        var found: [YAMLEntry] = []
        if let node, !node.isEmpty {
            if let mapping = node.mapping {
                found = mapping.filter { !except.contains($0.key) }
            } else if let key = shape.shorthand {
                found = [YAMLEntry(key: key, keySpot: node.spot, value: node)]
            } else {
                problems.add(
                    node.spot, "expected \(shape.doc), found \(node.kindName)",
                    hint: Self.knownKeys(shape.keys + except))
                entries = []
                return
            }
        }
        entries = found.filter { shape[$0.key] != nil }
        for entry in found where shape[entry.key] == nil {
            Self.reportUnknown(entry.key, at: entry.keySpot, among: shape.keys + except, problems)
        }
        for field in shape.fields where field.isRequired && self[field.name] == nil {
            problems.add(spot, "\(shape.doc) needs \"\(field.name)\" (\(field.doc))")
        }
    }

    /// Whether the key is in the file, whatever its value.
    package func has(_ key: String) -> Bool { self[key] != nil }

    /// The keys in the file that the shape knows, in the file's order.
    package var keys: [String] { entries.map(\.key) }

    /// The place of a key's value, or of the mapping when it is not there.
    package func spot(of key: String) -> SourceSpot { self[key]?.spot ?? spot }

    /// The node of a key as it stands, or its default as a plain scalar.
    package func node(_ key: String) -> YAMLNode? {
        let field = describe(key)
        if let node = self[key] { return node }
        return field.defaultText.map { .plain($0, at: spot) }
    }

    package func text(_ key: String) -> String? { read(key) { $0.text($1) } }
    package func integer(_ key: String) -> Int? { read(key) { $0.integer($1) } }
    package func bool(_ key: String) -> Bool? { read(key) { $0.bool($1) } }
    package func duration(_ key: String) -> Duration? { read(key) { $0.duration($1) } }
    package func bytes(_ key: String) -> [UInt8]? { read(key) { $0.bytes($1) } }
    package func ratio(_ key: String) -> Ratio? { read(key) { $0.ratio($1) } }
    /// In quarter dB.
    package func decibel(_ key: String) -> Int? { read(key) { $0.decibel($1) } }
    /// In units of the last decimal place that the description allows.
    package func decimal(_ key: String) -> Int? { read(key) { $0.decimal($1) } }
    package func pattern(_ key: String) -> NamePattern? { read(key) { $0.pattern($1) } }
    package func position(_ key: String) -> PositionDocument? { read(key) { $0.position($1) } }
    package func window(_ key: String) -> WindowDocument? { read(key) { $0.window($1) } }
    package func choice<Choice: RawRepresentable<String>>(_ key: String, _: Choice.Type) -> Choice? {
        text(key).flatMap(Choice.init(rawValue:))
    }

    /// A nested mapping, if the key is there.
    package func nested(_ key: String) -> MappingReader? {
        guard case .shape(let shape) = describe(key).type else { preconditionFailure("\(key) is no shape") }
        return node(key).map { MappingReader($0, shape, problems) }
    }

    /// The elements of a list, or the one value in its place; empty when the key is missing.
    package func elements(_ key: String) -> [YAMLNode] {
        guard case .list = describe(key).type else { preconditionFailure("\(key) is no list") }
        return node(key)?.oneOrMany ?? []
    }

    /// A list of mappings.
    package func nestedList(_ key: String) -> [MappingReader] {
        guard case .list(.shape(let shape)) = describe(key).type else {
            preconditionFailure("\(key) is no list of shapes")
        }
        return elements(key).map { MappingReader($0, shape, problems) }
    }

    /// A list of words, each with its place.
    package func names(_ key: String) -> [NameAtSpot] {
        guard case .list(let type) = describe(key).type else { preconditionFailure("\(key) is no list") }
        return elements(key).compactMap { node in
            ValueReader(type, key, problems).text(node).map { NameAtSpot($0, node.spot) }
        }
    }

    /// A mapping of names, in the file's order.
    package func table(_ key: String) -> [YAMLEntry] {
        guard case .table = describe(key).type else { preconditionFailure("\(key) is no table") }
        guard let node = node(key), !node.isEmpty else { return [] }
        if let mapping = node.mapping { return mapping }
        problems.add(node.spot, "\(key) is a mapping of names, found \(node.kindName)")
        return []
    }

    /// Reports a key that is not known, with the nearest that is and all that are.
    package static func reportUnknown(
        _ key: String, what: String = "key", at spot: SourceSpot, among known: [String], _ problems: ProblemList
    ) {
        let nearest = Nearest.name(to: key, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        problems.add(
            spot, "unknown \(what) \"\(YAMLNode.shortened(key))\"\(nearest)", hint: knownKeys(known, what))
    }

    private static func knownKeys(_ keys: [String], _ what: String = "key") -> String? {
        var seen: Set<String> = []
        let unique = keys.filter { seen.insert($0).inserted }
        return unique.isEmpty ? nil : "known \(what)s: " + unique.joined(separator: ", ")
    }

    private subscript(key: String) -> YAMLNode? { entries.first { $0.key == key }?.value }

    private func describe(_ key: String) -> FieldDescriptor {
        guard let field = shape[key] else { preconditionFailure("\"\(key)\" is read but not described") }
        return field
    }

    private func read<Value>(_ key: String, _ body: (ValueReader, YAMLNode) -> Value?) -> Value? {
        let field = describe(key)
        guard let node = node(key) else { return nil }
        return body(ValueReader(field.type, key, problems), node)
    }
}

/// A name together with the place where it was written.
package struct NameAtSpot: Sendable, Hashable {
    package var name: String
    package var spot: SourceSpot

    package init(_ name: String, _ spot: SourceSpot) {
        self.name = name
        self.spot = spot
    }

    /// Reports the name when it is not among those known; `what` says what kind of name it is.
    package func check(among known: [String], what: String, _ problems: ProblemList) {
        guard !known.contains(name) else { return }
        MappingReader.reportUnknown(name, what: what, at: spot, among: known, problems)
    }
}
