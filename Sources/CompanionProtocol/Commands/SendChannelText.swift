public import RigBase

/// Sends a text to a channel; the radio puts its own name before it (§3.4).
public struct SendChannelTextCommand: CompanionCommand {
    public static let code = CommandCode.sendChannelText
    public static let rules = CommandRules(since: 1, lengths: nil, errors: [.unsupportedCommand, .notFound])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("text-type").meaning(.textTypes), .u8("channel"), .u32("timestamp", unit: "s"), .text("text"))
    public static let samples = [Self(channel: 0, timestamp: Sample.time, text: "hi")]

    public var type: TextType
    public var channel: UInt8
    public var timestamp: UInt32
    /// What is said, without the sender's name.
    public var text: WireText

    public init(type: TextType = .plain, channel: UInt8, timestamp: UInt32, text: WireText) {
        self.type = type
        self.channel = channel
        self.timestamp = timestamp
        self.text = text
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 7)
        type = TextType(rawValue: try reader.u8())
        channel = try reader.u8()
        timestamp = try reader.u32()
        text = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(type.rawValue)
        writer.u8(channel)
        writer.u32(timestamp)
        writer.append(text.bytes)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.some(text.isEmpty, "text")
        try FieldLimit.atMost(SendTextCommand.maxTextSize, text.bytes.count, "text")
    }
}
