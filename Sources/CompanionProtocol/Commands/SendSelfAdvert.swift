public import RigBase

/// Sends the radio's own advert (§3.15).
public struct SendSelfAdvertCommand: CompanionCommand {
    public static let code = CommandCode.sendSelfAdvert
    public static let rules = CommandRules(since: 1, lengths: 1...CompanionLimits.maxFrameSize, errors: [.tableFull])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(FieldLayout.u8("flood").optional)
    public static let samples = [Self(floods: true), Self(floods: false)]

    /// False sends to direct neighbours only.
    public var floods: Bool

    public init(floods: Bool) { self.floods = floods }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        floods = reader.isAtEnd ? false : try reader.u8() == 1
    }

    public func encode(into writer: inout ByteWriter) { writer.u8(floods ? 1 : 0) }
}
