/// What a key takes; the same description reads the file, explains an error and generates the schema and reference.
package indirect enum ValueType: Sendable {
    /// Any scalar, taken as its text.
    case text
    /// A decimal or `0x` whole number.
    case integer(ClosedRange<Int>)
    /// `true` or `false`, nothing else.
    case bool
    /// A number with a unit: `250ms`, `20s`, `3min`, `1h`, `1min30s`.
    case duration
    /// The same, with a sign allowed.
    case signedDuration
    /// Hex digits; the range is in bytes.
    case bytes(ClosedRange<Int>)
    /// `10%`, `0.5%`, `1/8` or `0`.
    case ratio
    /// A decimal number of dB, kept in quarter dB (rounded to the nearest).
    case decibel
    /// A decimal number with at most `places` digits after the point, kept as a whole number of the last place.
    case decimal(places: Int, ClosedRange<Int>)
    /// One of these words.
    case choice([String])
    /// Exact text, or `/expression/`.
    case pattern
    /// `{ latitude: …, longitude: … }` or `[latitude, longitude]` in degrees, kept in millionths.
    case position
    /// A duration, or `{ simulator: 2s, radio: 45s }`.
    case window
    /// A mapping of known keys (or its shorthand).
    case shape(ShapeDescriptor)
    /// One value, or a list of them.
    case list(ValueType)
    /// A mapping whose keys are names that the author chooses.
    case table(ValueType)
    /// Whatever a later reader makes of it; the text says what that is.
    case anything(String)

    /// How the type is named in messages and the reference.
    package var name: String {
        switch self {
        case .text: "text"
        case .integer(let range):
            range.upperBound == .max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number \(range.lowerBound)…\(range.upperBound)"
        case .bool: "true or false"
        case .duration: "a duration such as 20s or 250ms"
        case .signedDuration: "a duration such as 20s or -5min"
        case .bytes(let range):
            range.lowerBound == range.upperBound ? "\(range.lowerBound) bytes in hex" : "bytes in hex"
        case .ratio: "a share such as 10% or 1/8"
        case .decibel: "dB, for example 6.25"
        case .decimal: "a decimal number"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .pattern: "text or /expression/"
        case .position: "[latitude, longitude] or { latitude: …, longitude: … }, in degrees"
        case .window: "a duration, or { simulator: …, radio: … }"
        case .shape(let shape): shape.doc
        case .list(let type): "one or a list of: " + type.name
        case .table(let type): "names, each with: " + type.name
        case .anything(let what): what
        }
    }
}

/// One key of a mapping, as data.
package struct FieldDescriptor: Sendable {
    package var name: String
    package var type: ValueType
    /// One line for the reference.
    package var doc: String
    /// Read as if it stood in the file when the key is missing.
    package var defaultText: String?
    package var isRequired: Bool

    package init(
        _ name: String, _ type: ValueType, _ doc: String, default defaultText: String? = nil, required: Bool = false
    ) {
        self.name = name
        self.type = type
        self.doc = doc
        self.defaultText = defaultText
        self.isRequired = required
    }
}

/// A mapping with known keys, as data.
package struct ShapeDescriptor: Sendable {
    /// What it is, in words, for messages and the reference.
    package var doc: String
    package var fields: [FieldDescriptor]
    /// The field that is meant when a value stands where the mapping could: `alice-hill: 9` for `{ snr: 9 }`.
    package var shorthand: String?
    /// An example for the reference, as YAML.
    package var example: String?

    package init(
        _ doc: String, shorthand: String? = nil, example: String? = nil, _ fields: [FieldDescriptor]
    ) {
        self.doc = doc
        self.fields = fields
        self.shorthand = shorthand
        self.example = example
    }

    package subscript(name: String) -> FieldDescriptor? { fields.first { $0.name == name } }
    package var keys: [String] { fields.map(\.name) }
}
