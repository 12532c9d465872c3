/// Begins a signature and forgets one begun before (§3.37).
public struct SignStartCommand: BareCommand {
    public static let code = CommandCode.signStart
    public static let rules = CommandRules(since: 3, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.signStarted]
    public init() {}
}
