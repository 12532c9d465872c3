/// One field of a frame: name, size, how its bytes are read and shown.
///
/// The tables of these fields are the one description of every frame: documentation, decoded reports and the masking of
/// secrets are made from them.
public struct FieldLayout: Sendable, Hashable {
    public enum Size: Sendable, Hashable {
        case fixed(Int)
        /// All bytes up to the end of the frame.
        case rest
        /// As many bytes as the path-length byte of that name says; none for 0xFF.
        case path(String)
        /// As many bytes as the number in the field of that name.
        case counted(String)
        /// One byte for each hash of a trace: the hash bytes' number shifted down by the low 2 bits of the flags.
        case hops(bytes: String, flags: String)
    }

    public enum Form: Sendable, Hashable {
        case unsigned
        case signed
        /// Signed, four units to one.
        case quarters
        case bytes
        /// Text up to the end of the field.
        case text
        /// Text that ends at the first NUL of the field.
        case name
        case pathLength
        /// Bytes that are always zero or mean nothing.
        case reserved
        /// Several u32 one after the other.
        case numbers
        /// Several signed bytes, four units to one.
        case quarterList
    }

    public enum Presence: Sendable, Hashable {
        case always
        /// Older or shorter forms end before it.
        case mayBeMissing
        /// There only when the field of that name holds that value.
        case when(String, UInt64)
    }

    public var name: String
    public var size: Size
    public var form: Form
    public var unit: String
    public var presence: Presence
    /// Never shown and never recorded.
    public var isSecret: Bool
    /// What single values mean, for readers.
    public var meanings: Meanings = .none

    /// Words for the values of a field.
    public enum Meanings: Sendable, Hashable {
        case none, errorCodes, textTypes

        func word(for value: UInt64) -> String? {
            guard let code = UInt8(exactly: value) else { return nil }
            return switch self {
            case .none: nil
            case .errorCodes: DeviceErrorCode(rawValue: code).knownName
            case .textTypes: TextType(rawValue: code).knownName
            }
        }
    }

    init(_ name: String, _ size: Size, _ form: Form, unit: String = "") {
        self.name = name
        self.size = size
        self.form = form
        self.unit = unit
        presence = .always
        isSecret = false
    }

    static func u8(_ name: String, unit: String = "") -> Self { .init(name, .fixed(1), .unsigned, unit: unit) }
    static func i8(_ name: String, unit: String = "") -> Self { .init(name, .fixed(1), .signed, unit: unit) }
    static func u16(_ name: String, unit: String = "") -> Self { .init(name, .fixed(2), .unsigned, unit: unit) }
    static func i16(_ name: String, unit: String = "") -> Self { .init(name, .fixed(2), .signed, unit: unit) }
    static func u32(_ name: String, unit: String = "") -> Self { .init(name, .fixed(4), .unsigned, unit: unit) }
    static func i32(_ name: String, unit: String = "") -> Self { .init(name, .fixed(4), .signed, unit: unit) }
    static func snr(_ name: String = "snr") -> Self { .init(name, .fixed(1), .quarters, unit: "dB") }
    static func bytes(_ name: String, _ size: Int) -> Self { .init(name, .fixed(size), .bytes) }
    static func key(_ name: String = "key") -> Self { .bytes(name, CompanionLimits.publicKeySize) }
    static func prefix(_ name: String) -> Self { .bytes(name, CompanionLimits.keyPrefixSize) }
    static func name(_ name: String, _ size: Int) -> Self { .init(name, .fixed(size), .name) }
    static func text(_ name: String) -> Self { .init(name, .rest, .text) }
    static func rest(_ name: String) -> Self { .init(name, .rest, .bytes) }
    static func reserved(_ size: Int) -> Self { .init("reserved", .fixed(size), .reserved) }
    static func pathLength(_ name: String = "path-length") -> Self { .init(name, .fixed(1), .pathLength) }

    var optional: Self {
        var copy = self
        copy.presence = .mayBeMissing
        return copy
    }

    func meaning(_ meanings: Meanings) -> Self {
        var copy = self
        copy.meanings = meanings
        return copy
    }

    var secret: Self {
        var copy = self
        copy.isSecret = true
        return copy
    }

    func when(_ field: String, is value: UInt64) -> Self {
        var copy = self
        copy.presence = .when(field, value)
        return copy
    }
}

/// All fields of one frame behind its code byte, in order.
public struct FrameLayout: Sendable, Hashable {
    public let fields: [FieldLayout]

    init(_ fields: FieldLayout...) { self.fields = fields }
    init(_ fields: [FieldLayout]) { self.fields = fields }

    /// One row of a frame's documentation.
    public struct Row: Sendable, Hashable {
        /// From the code byte on; nil behind a field whose size differs from frame to frame.
        public var offset: Int?
        /// Nil for a size that differs from frame to frame.
        public var size: Int?
        public var field: FieldLayout
    }

    /// The fields with their offsets, as documentation shows them.
    public var rows: [Row] {
        var offset: Int? = 1
        return fields.map { field in
            var size: Int?
            if case .fixed(let count) = field.size { size = count }
            let row = Row(offset: offset, size: size, field: field)
            if case .when = field.presence { offset = nil }
            offset = offset.flatMap { start in size.map { start + $0 } }
            return row
        }
    }

    /// Where a field of a given frame lies.
    public struct Placed: Sendable, Hashable {
        public var field: FieldLayout
        public var range: Range<Int>
    }

    /// Lays the fields over a frame; fields that are not there or are cut off hold the bytes there are, maybe none.
    public func place(on frame: [UInt8]) -> [Placed] {
        var placed: [Placed] = []
        var offset = min(1, frame.count)
        func value(_ name: String) -> UInt64 {
            guard let found = placed.last(where: { $0.field.name == name }) else { return 0 }
            return Self.unsigned(frame[found.range])
        }
        for field in fields {
            if case .when(let name, let wanted) = field.presence, value(name) != wanted { continue }
            let left = frame.count - offset
            let size =
                switch field.size {
                case .fixed(let count): count
                case .rest: left
                case .path(let name): PathLengthByte(rawValue: UInt8(truncatingIfNeeded: value(name))).byteCount
                case .counted(let name): Int(value(name))
                case .hops(let bytes, let flags): Int(value(bytes) >> (value(flags) & 3))
                }
            let taken = min(size, left)
            if field.presence != .always, taken == 0 { continue }
            placed.append(Placed(field: field, range: offset..<offset + taken))
            offset += taken
        }
        return placed
    }

    static func unsigned(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
