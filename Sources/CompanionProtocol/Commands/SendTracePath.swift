public import RigBase

/// Sends a packet along the given hops and back to whoever stands at their end (§3.34).
public struct SendTracePathCommand: CompanionCommand {
    public static let code = CommandCode.sendTracePath
    public static let rules = CommandRules(
        since: 3, lengths: 11...CompanionLimits.maxFrameSize, errors: [.tableFull, .illegalArgument])
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(.bytes("tag", 4), .u32("authentication"), .u8("flags"), .rest("path"))
    public static let samples = [
        Self(tag: 0x1122_3344, authentication: 0x5566_7788, path: [0xEF]),
        Self(tag: 1, authentication: 0, flags: 1, path: [1, 2, 3, 4]),
    ]

    public var tag: UInt32
    public var authentication: UInt32
    /// Low 2 bits: a hash has 1, 2, 4 or 8 bytes.
    public var flags: UInt8
    /// The hops' hashes, one after the other.
    public var path: [UInt8]

    public init(tag: UInt32, authentication: UInt32, flags: UInt8 = 0, path: [UInt8]) {
        self.tag = tag
        self.authentication = authentication
        self.flags = flags
        self.path = path
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 11)
        tag = try reader.u32()
        authentication = try reader.u32()
        flags = try reader.u8()
        path = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u32(tag)
        writer.u32(authentication)
        writer.u8(flags)
        writer.append(path)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.some(path.isEmpty, "path")
        let size = 1 << Int(flags & 3)
        guard path.count % size == 0 else {
            throw .wrongSize(field: "path", expected: (path.count / size + 1) * size, got: path.count)
        }
        try FieldLimit.atMost(64 * size, path.count, "path")
    }
}
