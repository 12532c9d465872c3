/// Forgets the path to a contact, so that the next message floods (§3.10).
public struct ResetPathCommand: KeyCommand {
    public static let code = CommandCode.resetPath
    public static let rules = CommandRules(since: 1, lengths: 33...CompanionLimits.maxFrameSize, errors: [.notFound])
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
