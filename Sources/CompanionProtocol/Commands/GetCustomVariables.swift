/// Lists the board's own settings (§3.39).
public struct GetCustomVariablesCommand: BareCommand {
    public static let code = CommandCode.getCustomVariables
    public static let rules = CommandRules(since: 5, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.customVariables]
    public init() {}
}
