public import RigBase

/// Queues a direct text for sending (§3.3).
public struct SendTextCommand: CompanionCommand {
    public static let code = CommandCode.sendText
    public static let rules = CommandRules(
        since: 1, lengths: 14...CompanionLimits.maxFrameSize, errors: [.unsupportedCommand, .notFound, .tableFull])
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(
        .u8("text-type").meaning(.textTypes), .u8("attempt"), .u32("timestamp", unit: "s"), .prefix("recipient"),
        .text("text"))
    public static let samples = [
        Self(timestamp: Sample.time, recipientPrefix: Sample.prefix, text: "héllo"),
        Self(type: .cli, attempt: 2, timestamp: Sample.time, recipientPrefix: Sample.prefix, text: "ver"),
    ]
    /// Longest text a radio sends, in bytes; two less from attempt 4 on.
    public static let maxTextSize = 160

    public var type: TextType
    public var attempt: UInt8
    /// The sender's Unix time; ignored for CLI texts.
    public var timestamp: UInt32
    /// First 6 bytes of the recipient's key.
    public var recipientPrefix: [UInt8]
    public var text: WireText

    public init(
        type: TextType = .plain, attempt: UInt8 = 0, timestamp: UInt32, recipientPrefix: [UInt8], text: WireText
    ) {
        self.type = type
        self.attempt = attempt
        self.timestamp = timestamp
        self.recipientPrefix = recipientPrefix
        self.text = text
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 14)
        type = TextType(rawValue: try reader.u8())
        attempt = try reader.u8()
        timestamp = try reader.u32()
        recipientPrefix = try reader.keyPrefix()
        text = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(type.rawValue)
        writer.u8(attempt)
        writer.u32(timestamp)
        writer.field(recipientPrefix, size: CompanionLimits.keyPrefixSize)
        writer.append(text.bytes)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.exactly(CompanionLimits.keyPrefixSize, recipientPrefix, "recipient")
        try FieldLimit.some(text.isEmpty, "text")
        let limit = type == .plain && attempt > 3 ? Self.maxTextSize - 2 : Self.maxTextSize
        try FieldLimit.atMost(limit, text.bytes.count, "text")
    }
}
