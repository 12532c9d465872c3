public import RigBase

/// Names an event of one run; ids count up from 1 in the order of posting.
public struct EventID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    /// Of an event that its journal does not keep.
    public static let forgotten = EventID(0)
    public static func < (left: EventID, right: EventID) -> Bool { left.number < right.number }
    public var description: String { "#\(number)" }
}

/// What kind of thing happened. An open set: a reader keeps and prints kinds it does not know.
public struct EventKind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ name: String) { rawValue = name }
    public var description: String { rawValue }
}

/// One value of an event's field.
public enum FieldValue: Sendable, Hashable {
    case int(Int64)
    case text(String)
    case flag(Bool)
    /// Printed as lower-case hex.
    case bytes([UInt8])
    case list([FieldValue])

    public init(_ value: some BinaryInteger) { self = .int(Int64(value)) }
    public init(_ value: String) { self = .text(value) }
    public init(_ value: Bool) { self = .flag(value) }
    public init(_ value: Duration) { self = .int(value.wholeMilliseconds) }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

/// The fields of an event in the order in which they were given; written as a dictionary literal.
public struct Fields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public struct Entry: Sendable, Hashable {
        public var name: String
        public var value: FieldValue
    }

    public private(set) var entries: [Entry]

    public init() { entries = [] }
    public init(dictionaryLiteral elements: (String, FieldValue)...) {
        entries = elements.map { Entry(name: $0.0, value: $0.1) }
    }

    /// The first value of that name; setting nil removes it, setting a value keeps its place or appends.
    public subscript(name: String) -> FieldValue? {
        get { entries.first { $0.name == name }?.value }
        set {
            let position = entries.firstIndex { $0.name == name }
            switch (position, newValue) {
            case (let position?, let value?): entries[position].value = value
            case (let position?, nil): entries.remove(at: position)
            case (nil, let value?): entries.append(Entry(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    public func merging(_ more: Fields) -> Fields {
        var merged = self
        for entry in more.entries { merged[entry.name] = entry.value }
        return merged
    }
}

/// One fact of a run.
public struct RunEvent: Sendable, Hashable {
    public var id: EventID
    public var at: SimInstant
    /// Who it happened to: a node's or role's name, or empty for the run itself.
    public var subject: String
    public var kind: EventKind
    /// The event that led to this one.
    public var cause: EventID?
    /// Which packet it is about: the id given to the packet at its origin, kept by every copy and forward of it.
    public var packet: UInt64?
    public var fields: Fields
    /// Facts of the machine that runs (paths, wall times, process ids); not part of the digest.
    public var hostFacts: Fields

    public init(
        id: EventID, at: SimInstant, subject: String, kind: EventKind, cause: EventID? = nil, packet: UInt64? = nil,
        fields: Fields = [:], hostFacts: Fields = [:]
    ) {
        self.id = id
        self.at = at
        self.subject = subject
        self.kind = kind
        self.cause = cause
        self.packet = packet
        self.fields = fields
        self.hostFacts = hostFacts
    }

    public subscript(name: String) -> FieldValue? { fields[name] ?? hostFacts[name] }
}

extension FieldValue {
    /// The value as people write it: numbers in decimal, bytes in hex, lists joined by commas.
    public var plainText: String {
        switch self {
        case .int(let number): String(number)
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .bytes(let bytes): Hex.encode(bytes)
        case .list(let values): values.map(\.plainText).joined(separator: ", ")
        }
    }
}
