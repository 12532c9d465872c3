public import RigBase

/// One command of the companion protocol: its code, its rules, its bytes in both directions, its
/// success replies, its fields.
public protocol CompanionCommand: Sendable, Hashable {
    static var code: CommandCode { get }
    /// Since when radios know it, which lengths they take and how they refuse it.
    static var rules: CommandRules { get }
    /// Codes of the frames that answer it when it succeeds; none when a radio answers with silence.
    static var replies: [RadioCode] { get }
    static var layout: FrameLayout { get }
    /// Values that between them show every form of the frame; tests and documentation use them.
    static var samples: [Self] { get }

    /// Reads the body as the firmware does; bytes that are too many are no defect.
    init(decoding reader: inout FrameReader) throws(FrameDefect)

    /// Appends the body, without the code byte. Never fails: a field of fixed size is cut or padded.
    func encode(into writer: inout ByteWriter)

    /// Refuses values that would be cut, padded or misunderstood.
    func validate() throws(FieldLimitError)
}

extension CompanionCommand {
    public static var layout: FrameLayout { FrameLayout() }
    public func validate() throws(FieldLimitError) {}

    /// The frame as it is, whether or not its values are sensible.
    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 16)
        writer.u8(Self.code.rawValue)
        encode(into: &writer)
        return writer.bytes
    }

    /// The frame, after `validate()` and a look at its length.
    public func checkedEncoding() throws(FieldLimitError) -> [UInt8] {
        try validate()
        let bytes = encoded
        guard bytes.count <= CompanionLimits.maxFrameSize else { throw .frameTooLong(bytes.count) }
        return bytes
    }
}

/// A command that is only its code byte.
public protocol BareCommand: CompanionCommand {
    init()
}

extension BareCommand {
    public static var samples: [Self] { [Self()] }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { self.init() }
    public func encode(into writer: inout ByteWriter) {}
}

/// A command whose body is one full public key.
public protocol KeyCommand: CompanionCommand {
    var key: [UInt8] { get }
    init(key: [UInt8])
}

extension KeyCommand {
    public static var layout: FrameLayout { FrameLayout(.key()) }
    public static var samples: [Self] { [Self(key: Sample.key)] }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { self.init(key: try reader.key()) }
    public func encode(into writer: inout ByteWriter) {
        writer.field(key, size: CompanionLimits.publicKeySize)
    }
    public func validate() throws(FieldLimitError) { try FieldLimit.key(key) }
}

/// Values for the samples of frames.
enum Sample {
    static let key: [UInt8] = (0..<32).map { UInt8(0x10 + $0) }
    static let prefix: [UInt8] = Array(key.prefix(6))
    static let secret: [UInt8] = (0..<16).map { UInt8(0xA0 + $0) }
    static let time: UInt32 = 1_760_000_100
}
