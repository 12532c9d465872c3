public import RigBase

/// Writes a channel slot; an empty name with an all-zero secret empties it (§3.36).
public struct SetChannelCommand: CompanionCommand {
    public static let code = CommandCode.setChannel
    public static let rules = CommandRules(since: 2, lengths: 50...65, errors: [.notFound])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("channel"), .name("name", 32), FieldLayout.bytes("secret", CompanionLimits.channelSecretSize).secret)
    public static let samples = [Self(index: 1, name: "#test", secret: Secret(Sample.secret))]

    public var index: UInt8
    /// At most 31 bytes.
    public var name: WireText
    /// 16 bytes.
    public var secret: Secret

    public init(index: UInt8, name: WireText, secret: Secret) {
        self.index = index
        self.name = name
        self.secret = secret
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        // The form with a 32-byte secret is refused by radios too.
        guard reader.frameLength < 66 else { throw .oddLength(reader.frameLength) }
        index = try reader.u8()
        name = try reader.nameField(32)
        secret = Secret(try reader.take(CompanionLimits.channelSecretSize))
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(index)
        writer.field(name.bytes, size: 32)
        secret.reveal { writer.field($0, size: CompanionLimits.channelSecretSize) }
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.atMost(CompanionLimits.maxNameSize, name.bytes.count, "name")
        guard secret.count == CompanionLimits.channelSecretSize else {
            throw .wrongSize(field: "secret", expected: CompanionLimits.channelSecretSize, got: secret.count)
        }
    }
}
