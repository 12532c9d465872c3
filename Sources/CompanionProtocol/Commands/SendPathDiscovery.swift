public import RigBase

/// Finds the paths to and from a node without storing them (§3.33).
public struct SendPathDiscoveryCommand: CompanionCommand {
    public static let code = CommandCode.sendPathDiscovery
    public static let rules = CommandRules(
        since: 7, lengths: 34...CompanionLimits.maxFrameSize, errors: [.unsupportedCommand, .notFound, .tableFull])
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(.u8("kind"), .key())
    public static let samples = [Self(key: Sample.key)]

    public var key: [UInt8]

    public init(key: [UInt8]) { self.key = key }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        let kind = try reader.u8()
        guard kind == 0 else { throw .unknownKind(kind) }
        key = try reader.key()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(key, size: CompanionLimits.publicKeySize)
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.key(key) }
}
