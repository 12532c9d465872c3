public import RigBase

/// Sets the hash size of floods this radio originates (§3.22).
public struct SetPathHashModeCommand: CompanionCommand {
    public static let code = CommandCode.setPathHashMode
    public static let rules = CommandRules(
        since: 10, lengths: 3...CompanionLimits.maxFrameSize, errors: [.unsupportedCommand, .illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u8("kind"), .u8("mode"))
    public static let samples = [Self(mode: 2)]

    /// Hash size − 1, 0 to 2.
    public var mode: UInt8

    public init(mode: UInt8) { self.mode = mode }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        let kind = try reader.u8()
        guard kind == 0 else { throw .unknownKind(kind) }
        mode = try reader.u8()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.u8(mode)
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.range(mode, 0...2, "mode") }
}
