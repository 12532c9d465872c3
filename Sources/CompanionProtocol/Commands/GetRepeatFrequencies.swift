/// Reads the frequency ranges in which client repeat is allowed (§3.46).
public struct GetRepeatFrequenciesCommand: BareCommand {
    public static let code = CommandCode.getRepeatFrequencies
    public static let rules = CommandRules(since: 9, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.repeatFrequencies]
    public init() {}
}
