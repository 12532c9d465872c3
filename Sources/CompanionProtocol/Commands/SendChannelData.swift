public import RigBase

/// Sends application data to a channel (§3.5).
public struct SendChannelDataCommand: CompanionCommand {
    public static let code = CommandCode.sendChannelData
    public static let rules = CommandRules(
        since: 11, lengths: 4...CompanionLimits.maxFrameSize, errors: [.notFound, .tableFull, .illegalArgument])
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
