public import RigBase

/// Asks by which path a node's last advert came (§3.40).
public struct GetAdvertPathCommand: CompanionCommand {
    public static let code = CommandCode.getAdvertPath
    public static let rules = CommandRules(since: 6, lengths: 34...CompanionLimits.maxFrameSize, errors: [.notFound])
    public static let replies: [RadioCode] = [.advertPath]
    public static let layout = FrameLayout(.reserved(1), .key())
    public static let samples = [Self(key: Sample.key)]

    /// Only the first 7 bytes are compared.
    public var key: [UInt8]

    public init(key: [UInt8]) { self.key = key }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.skip(1)
        key = try reader.key()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(key, size: CompanionLimits.publicKeySize)
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.key(key) }
}
