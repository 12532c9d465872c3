/// Forgets a kept connection; nothing is sent over the air (§3.35).
public struct LogoutCommand: KeyCommand {
    public static let code = CommandCode.logout
    public static let rules = CommandRules(since: 1, lengths: 33...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
