public import RigBase

/// Logs in at a repeater, room or sensor; the result comes as a push or not at all (§3.28).
public struct SendLoginCommand: CompanionCommand {
    public static let code = CommandCode.sendLogin
    public static let rules = CommandRules(
        since: 1, lengths: 33...CompanionLimits.maxFrameSize, errors: [.notFound, .tableFull])
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(.key(), FieldLayout.text("password").secret)
    public static let samples = [
        Self(key: Sample.key, password: Secret(utf8: "password")), Self(key: Sample.key, password: Secret([])),
    ]

    public var key: [UInt8]
    /// Radios use its first 15 bytes.
    public var password: Secret

    public init(key: [UInt8], password: Secret) {
        self.key = key
        self.password = password
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        key = try reader.key()
        password = Secret(reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.field(key, size: CompanionLimits.publicKeySize)
        password.reveal { writer.append($0) }
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.key(key) }
}
