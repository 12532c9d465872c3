public import RigBase

/// Which node types are added to the contacts by themselves (§3.45).
public struct SetAutoAddCommand: CompanionCommand {
    public static let code = CommandCode.setAutoAdd
    public static let rules = CommandRules(since: 8, lengths: nil, errors: [])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u8("mask"), FieldLayout.u8("max-hops").optional)
    public static let samples = [Self(mask: [.chat, .overwriteOldest], maxHops: 3), Self(mask: .chat)]

    public var mask: AutoAddMask
    /// nil leaves the hop limit as it is.
    public var maxHops: UInt8?

    public init(mask: AutoAddMask, maxHops: UInt8? = nil) {
        self.mask = mask
        self.maxHops = maxHops
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        mask = AutoAddMask(rawValue: try reader.u8())
        maxHops = reader.isAtEnd ? nil : try reader.u8()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(mask.rawValue)
        if let maxHops { writer.u8(maxHops) }
    }
}
