/// A scalar as written: it stays text until the schema of its key reads it, so `no`, `1e3` and `0777` mean nothing here.
package struct YAMLScalar: Sendable, Hashable, CustomStringConvertible {
    package var text: String
    /// False for quoted and block scalars, which only text, names and bytes may be.
    package var isPlain: Bool

    package init(_ text: String, isPlain: Bool) {
        self.text = text
        self.isPlain = isPlain
    }

    package var description: String { text }
}

/// One key with its value; keys are scalars and unique in their mapping.
package struct YAMLEntry: Sendable, Hashable {
    package var key: String
    package var keySpot: SourceSpot
    package var value: YAMLNode

    package init(key: String, keySpot: SourceSpot, value: YAMLNode) {
        self.key = key
        self.keySpot = keySpot
        self.value = value
    }
}

/// A piece of a YAML file as a value, with the place it came from.
package struct YAMLNode: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// In the order of the file.
        case mapping([YAMLEntry])
    }

    package var content: Content
    package var spot: SourceSpot

    package init(_ content: Content, at spot: SourceSpot) {
        self.content = content
        self.spot = spot
    }

    /// A plain scalar, as if it had been written at `spot`.
    package static func plain(_ text: String, at spot: SourceSpot) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text, isPlain: true)), at: spot)
    }

    package var scalar: YAMLScalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }
    /// The text of a scalar.
    package var text: String? { scalar?.text }
    package var sequence: [YAMLNode]? {
        if case .sequence(let nodes) = content { nodes } else { nil }
    }
    package var mapping: [YAMLEntry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }
    /// The elements of a sequence, or the node alone: for keys that take one or a list.
    package var oneOrMany: [YAMLNode] { sequence ?? [self] }
    /// A plain scalar without text: a key that was given no value.
    package var isEmpty: Bool { scalar.map { $0.isPlain && $0.text.isEmpty } ?? false }

    /// The value of a key of a mapping; nil for anything else.
    package subscript(key: String) -> YAMLNode? { mapping?.first { $0.key == key }?.value }

    /// What kind of node it is, for messages.
    package var kindName: String {
        switch content {
        case .scalar(let scalar): isEmpty ? "nothing" : "\"\(Self.shortened(scalar.text))\""
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// `text` for a message: one line, at most 40 characters, control characters replaced.
    package static func shortened(_ text: String) -> String {
        let clean = String(text.map { $0.isNewline || ($0.unicodeScalars.first?.value ?? 32) < 32 ? " " : $0 })
        return clean.count > 40 ? clean.prefix(39) + "…" : clean
    }

    /// Keys whose values are in no report.
    static let secretKeys: Set<String> = [
        "password", "secret", "private-key", "pin", "admin-password", "guest-password",
    ]

    /// The node as compact flow text, for reports; passwords, keys and PINs are left out.
    package var flowText: String {
        switch content {
        case .scalar(let scalar): scalar.isPlain ? scalar.text : "\"" + scalar.text + "\""
        case .sequence(let nodes): "[" + nodes.map(\.flowText).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{ "
                + entries.map { entry in
                    entry.key + ": " + (Self.secretKeys.contains(entry.key) ? "<secret>" : entry.value.flowText)
                }.joined(separator: ", ") + " }"
        }
    }
}
