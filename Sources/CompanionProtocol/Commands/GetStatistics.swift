public import RigBase

/// Reads counters (§3.41).
public struct GetStatisticsCommand: CompanionCommand {
    public static let code = CommandCode.getStatistics
    public static let rules = CommandRules(
        since: 8, lengths: 2...CompanionLimits.maxFrameSize, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.statistics]
    public static let layout = FrameLayout(.u8("kind"))
    public static let samples = [Self(kind: .core), Self(kind: .packets)]

    public var kind: StatisticsKind

    public init(kind: StatisticsKind) { self.kind = kind }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        kind = StatisticsKind(rawValue: try reader.u8())
    }
    public func encode(into writer: inout ByteWriter) { writer.u8(kind.rawValue) }
}
