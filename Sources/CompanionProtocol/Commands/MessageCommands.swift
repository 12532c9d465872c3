public import RigBase

/// What the text of a direct message is. An open set.
public struct TextType: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let plain = TextType(rawValue: 0)
    /// A command to a server or its answer; never confirmed.
    public static let cli = TextType(rawValue: 1)
    /// A room server's post, with its author's key prefix before the text; only received.
    public static let signed = TextType(rawValue: 2)
}

/// Queues a direct text for sending (§3.3).
public struct SendTextCommand: CompanionCommand {
    public static let code = CommandCode.sendText
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(
        .u8("text-type"), .u8("attempt"), .u32("timestamp", unit: "s"), .prefix("recipient"), .text("text"))
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

/// Sends a text to a channel; the radio puts its own name before it (§3.4).
public struct SendChannelTextCommand: CompanionCommand {
    public static let code = CommandCode.sendChannelText
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("text-type"), .u8("channel"), .u32("timestamp", unit: "s"), .text("text"))
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

/// Sends application data to a channel (§3.5).
public struct SendChannelDataCommand: CompanionCommand {
    public static let code = CommandCode.sendChannelData
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("channel"), .pathLength(), .init("path", .path("path-length"), .bytes), .u16("data-type"), .rest("data"))
    public static let samples = [
        Self(channel: 0, dataType: 0xFF01, data: [1, 2, 3]),
        Self(
            channel: 1, pathLength: PathLengthByte(hashSize: 2, hopCount: 1), path: [0xAA, 0xBB], dataType: 0x0100,
            data: [9]),
    ]
    /// Longest payload a radio sends.
    public static let maxDataSize = 165

    public var channel: UInt8
    /// `none` sends by flood.
    public var pathLength: PathLengthByte
    public var path: [UInt8]
    public var dataType: UInt16
    public var data: [UInt8]

    public init(
        channel: UInt8, pathLength: PathLengthByte = .none, path: [UInt8] = [], dataType: UInt16, data: [UInt8]
    ) {
        self.channel = channel
        self.pathLength = pathLength
        self.path = path
        self.dataType = dataType
        self.data = data
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        channel = try reader.u8()
        pathLength = PathLengthByte(rawValue: try reader.u8())
        guard pathLength.isNone || pathLength.isUsable else {
            throw .reservedPathEncoding(pathLength.rawValue)
        }
        path = try reader.take(pathLength.byteCount)
        dataType = try reader.u16()
        data = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(channel)
        writer.u8(pathLength.rawValue)
        writer.field(path, size: pathLength.byteCount)
        writer.u16(dataType)
        writer.append(data)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.exactly(pathLength.byteCount, path, "path")
        try FieldLimit.range(dataType, 1...0xFFFF, "data-type")
        try FieldLimit.atMost(Self.maxDataSize, data.count, "data")
    }
}
