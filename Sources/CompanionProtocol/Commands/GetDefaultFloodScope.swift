/// Reads the default flood scope (§3.43).
public struct GetDefaultFloodScopeCommand: BareCommand {
    public static let code = CommandCode.getDefaultFloodScope
    public static let rules = CommandRules(since: 11, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.defaultFloodScope]
    public init() {}
}
