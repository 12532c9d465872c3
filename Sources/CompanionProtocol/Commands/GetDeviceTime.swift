/// Reads the radio's clock (§3.14).
public struct GetDeviceTimeCommand: BareCommand {
    public static let code = CommandCode.getDeviceTime
    public static let rules = CommandRules(since: 1, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.deviceTime]
    public init() {}
}
