/// Reads receive delay and airtime factor (§3.20).
public struct GetTuningCommand: BareCommand {
    public static let code = CommandCode.getTuning
    public static let rules = CommandRules(since: 7, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.tuning]
    public init() {}
}
