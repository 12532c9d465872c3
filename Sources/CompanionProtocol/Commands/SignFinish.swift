/// Asks for the signature over what was added (§3.37).
public struct SignFinishCommand: BareCommand {
    public static let code = CommandCode.signFinish
    public static let rules = CommandRules(since: 3, lengths: 1...CompanionLimits.maxFrameSize, errors: [.badState])
    public static let replies: [RadioCode] = [.signature]
    public init() {}
}
