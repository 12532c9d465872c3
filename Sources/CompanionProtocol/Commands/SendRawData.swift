public import RigBase

/// Sends bytes of the application's own along a path (§3.27).
public struct SendRawDataCommand: CompanionCommand {
    public static let code = CommandCode.sendRawData
    public static let rules = CommandRules(
        since: 1, lengths: 6...CompanionLimits.maxFrameSize, errors: [.unsupportedCommand, .tableFull])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("path-size"), .init("path", .counted("path-size"), .bytes), .rest("data"))
    public static let samples = [Self(path: [0xAA], data: [1, 2, 3, 4])]

    /// One-byte hashes.
    public var path: [UInt8]
    /// At least 4 bytes.
    public var data: [UInt8]

    public init(path: [UInt8], data: [UInt8]) {
        self.path = path
        self.data = data
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 6)
        let count = try reader.i8()
        guard count >= 0 else { throw .unknownKind(UInt8(bitPattern: count)) }
        path = try reader.take(Int(count))
        guard reader.remaining >= 4 else { throw .tooShort(needed: 6 + Int(count), got: reader.frameLength) }
        data = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(UInt8(clamping: path.count))
        writer.append(path)
        writer.append(data)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.atMost(63, path.count, "path")
        guard data.count >= 4 else { throw .wrongSize(field: "data", expected: 4, got: data.count) }
    }
}
