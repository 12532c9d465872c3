/// Asks whether a kept connection to a server exists (§3.35).
public struct HasConnectionCommand: KeyCommand {
    public static let code = CommandCode.hasConnection
    public static let rules = CommandRules(since: 1, lengths: 33...CompanionLimits.maxFrameSize, errors: [.notFound])
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
