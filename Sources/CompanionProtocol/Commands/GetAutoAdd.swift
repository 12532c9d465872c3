/// Reads the auto-add setting (§3.45).
public struct GetAutoAddCommand: BareCommand {
    public static let code = CommandCode.getAutoAdd
    public static let rules = CommandRules(since: 8, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.autoAdd]
    public init() {}
}
