public import RigBase

/// A direct text taken off the radio's queue, in the old form or the one with an SNR (§4.5).
public struct DirectMessageReply: RadioPayload {
    public static let codes = [RadioCode.directMessage, .directMessageV3]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            (code == .directMessageV3 ? [.snr(), .reserved(2)] : []) + [
                .prefix("sender"), .pathLength(), .u8("text-type").meaning(.textTypes), .u32("timestamp", unit: "s"),
                FieldLayout.bytes("author", 4).when("text-type", is: 2), .text("text"),
            ])
    }
    public static let samples = [
        Self(
            snrQuarterDB: 48, senderPrefix: Sample.prefix, pathLength: .zeroHops, timestamp: Sample.time, text: "héllo"),
        Self(senderPrefix: Sample.prefix, pathLength: .none, type: .cli, timestamp: Sample.time, text: "OK"),
        Self(
            snrQuarterDB: -7, senderPrefix: Sample.prefix, pathLength: .none, type: .signed, timestamp: Sample.time,
            author: [1, 2, 3, 4], text: "post"),
    ]

    /// nil in the form of clients that asked for a protocol before 3.
    public var snrQuarterDB: Int8?
    public var senderPrefix: [UInt8]
    /// How many hops a flooded message came by; `none` when it came by direct route.
    public var pathLength: PathLengthByte
    public var type: TextType
    /// The sender's clock.
    public var timestamp: UInt32
    /// First 4 key bytes of a room post's author; exactly when the type is `signed`.
    public var author: [UInt8]?
    public var text: WireText

    public init(
        snrQuarterDB: Int8? = nil, senderPrefix: [UInt8], pathLength: PathLengthByte, type: TextType = .plain,
        timestamp: UInt32, author: [UInt8]? = nil, text: WireText
    ) {
        self.snrQuarterDB = snrQuarterDB
        self.senderPrefix = senderPrefix
        self.pathLength = pathLength
        self.type = type
        self.timestamp = timestamp
        self.author = author
        self.text = text
    }

    public var code: RadioCode { snrQuarterDB == nil ? .directMessage : .directMessageV3 }

    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: code == .directMessageV3 ? 16 : 13)
        snrQuarterDB = nil
        if code == .directMessageV3 {
            snrQuarterDB = try reader.i8()
            try reader.skip(2)
        }
        senderPrefix = try reader.keyPrefix()
        pathLength = PathLengthByte(rawValue: try reader.u8())
        type = TextType(rawValue: try reader.u8())
        timestamp = try reader.u32()
        if type == .signed {
            guard reader.remaining >= 4 else { throw .missingAuthor }
            author = try reader.take(4)
        }
        text = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        if let snrQuarterDB {
            writer.i8(snrQuarterDB)
            writer.zeros(2)
        }
        writer.field(senderPrefix, size: CompanionLimits.keyPrefixSize)
        writer.u8(pathLength.rawValue)
        writer.u8(type.rawValue)
        writer.u32(timestamp)
        if type == .signed { writer.field(author ?? [], size: 4) }
        writer.append(text.bytes)
    }

    public var frame: RadioFrame { .directMessage(self) }
}

/// A channel text taken off the radio's queue (§4.5).
public struct ChannelMessageReply: RadioPayload {
    public static let codes = [RadioCode.channelMessage, .channelMessageV3]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            (code == .channelMessageV3 ? [.snr(), .reserved(2)] : []) + [
                .u8("channel"), .pathLength(), .u8("text-type").meaning(.textTypes), .u32("timestamp", unit: "s"),
                .text("text"),
            ])
    }
    public static let samples = [
        Self(snrQuarterDB: 48, channel: 0, pathLength: .zeroHops, timestamp: Sample.time, text: "Alice: hi"),
        Self(channel: 2, pathLength: PathLengthByte(hashSize: 1, hopCount: 3), timestamp: Sample.time, text: "x"),
    ]

    public var snrQuarterDB: Int8?
    /// The first slot with the message's secret; 0xFF when it went away meanwhile.
    public var channel: UInt8
    public var pathLength: PathLengthByte
    public var type: TextType
    public var timestamp: UInt32
    /// `<sender>: <text>`.
    public var text: WireText

    public init(
        snrQuarterDB: Int8? = nil, channel: UInt8, pathLength: PathLengthByte, type: TextType = .plain,
        timestamp: UInt32, text: WireText
    ) {
        self.snrQuarterDB = snrQuarterDB
        self.channel = channel
        self.pathLength = pathLength
        self.type = type
        self.timestamp = timestamp
        self.text = text
    }

    public var code: RadioCode { snrQuarterDB == nil ? .channelMessage : .channelMessageV3 }

    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: code == .channelMessageV3 ? 11 : 8)
        snrQuarterDB = nil
        if code == .channelMessageV3 {
            snrQuarterDB = try reader.i8()
            try reader.skip(2)
        }
        channel = try reader.u8()
        pathLength = PathLengthByte(rawValue: try reader.u8())
        type = TextType(rawValue: try reader.u8())
        timestamp = try reader.u32()
        text = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        if let snrQuarterDB {
            writer.i8(snrQuarterDB)
            writer.zeros(2)
        }
        writer.u8(channel)
        writer.u8(pathLength.rawValue)
        writer.u8(type.rawValue)
        writer.u32(timestamp)
        writer.append(text.bytes)
    }

    public var frame: RadioFrame { .channelMessage(self) }
}

/// Application data that came over a channel (§4.5).
public struct ChannelDataReply: RadioPayload {
    public static let codes = [RadioCode.channelData]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            .snr(), .reserved(2), .u8("channel"), .pathLength(), .u16("data-type"), .u8("data-size"),
            .init("data", .counted("data-size"), .bytes))
    }
    public static let samples = [
        Self(snrQuarterDB: 48, channel: 0, pathLength: .zeroHops, dataType: 0xFF01, data: [1, 2, 3])
    ]

    public var snrQuarterDB: Int8
    public var channel: UInt8
    public var pathLength: PathLengthByte
    public var dataType: UInt16
    /// What arrived of the declared length.
    public var data: [UInt8]

    public init(snrQuarterDB: Int8, channel: UInt8, pathLength: PathLengthByte, dataType: UInt16, data: [UInt8]) {
        self.snrQuarterDB = snrQuarterDB
        self.channel = channel
        self.pathLength = pathLength
        self.dataType = dataType
        self.data = data
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 9)
        snrQuarterDB = try reader.i8()
        try reader.skip(2)
        channel = try reader.u8()
        pathLength = PathLengthByte(rawValue: try reader.u8())
        dataType = try reader.u16()
        let declared = Int(try reader.u8())
        data = Array(reader.rest().prefix(declared))
    }
    public func encode(into writer: inout ByteWriter) {
        writer.i8(snrQuarterDB)
        writer.zeros(2)
        writer.u8(channel)
        writer.u8(pathLength.rawValue)
        writer.u16(dataType)
        writer.u8(UInt8(clamping: data.count))
        writer.append(data)
    }
    public var frame: RadioFrame { .channelData(self) }
}
