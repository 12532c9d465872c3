public import RigBase

/// Reads a channel slot (§3.36).
public struct GetChannelCommand: CompanionCommand {
    public static let code = CommandCode.getChannel
    public static let rules = CommandRules(since: 2, lengths: 2...CompanionLimits.maxFrameSize, errors: [.notFound])
    public static let replies: [RadioCode] = [.channelInfo]
    public static let layout = FrameLayout(.u8("channel"))
    public static let samples = [Self(index: 3)]

    public var index: UInt8

    public init(index: UInt8) { self.index = index }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { index = try reader.u8() }
    public func encode(into writer: inout ByteWriter) { writer.u8(index) }
}
