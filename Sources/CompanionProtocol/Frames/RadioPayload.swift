public import RigBase

/// What a frame from the radio carries: its code, its bytes in both directions, its fields.
public protocol RadioPayload: Sendable, Hashable {
    /// The codes it comes under, newest form last; nearly always one.
    static var codes: [RadioCode] { get }
    /// The code of this value's form.
    var code: RadioCode { get }
    static func layout(of code: RadioCode) -> FrameLayout
    /// Values that between them show every form of the frame.
    static var samples: [Self] { get }

    /// Reads the body as leniently as old firmware needs it.
    init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect)

    /// Appends the body, without the code byte.
    func encode(into writer: inout ByteWriter)

    /// The payload as one of the frames.
    var frame: RadioFrame { get }
}

extension RadioPayload {
    public var code: RadioCode { Self.codes[Self.codes.count - 1] }

    /// The whole frame.
    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 16)
        writer.u8(code.rawValue)
        encode(into: &writer)
        return writer.bytes
    }
}

/// A frame that is only its code byte; what follows it is ignored.
public protocol BareRadioPayload: RadioPayload {
    init()
}

extension BareRadioPayload {
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout() }
    public static var samples: [Self] { [Self()] }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) { self.init() }
    public func encode(into writer: inout ByteWriter) {}
}

/// A push whose body is one full public key.
public protocol KeyPush: RadioPayload {
    var key: [UInt8] { get }
    init(key: [UInt8])
}

extension KeyPush {
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(.key()) }
    public static var samples: [Self] { [Self(key: Sample.key)] }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        self.init(key: try reader.key())
    }
    public func encode(into writer: inout ByteWriter) { writer.field(key, size: CompanionLimits.publicKeySize) }
}
