/// Sends a request that needs no login and no contact; answered like a binary request (§3.32).
public struct SendAnonymousRequestCommand: RequestCommand {
    public static let code = CommandCode.sendAnonymousRequest
    public static let rules = CommandRules(since: 8, lengths: 34...CompanionLimits.maxFrameSize, errors: [.tableFull])
    public static let replies: [RadioCode] = [.sent]
    public var key: [UInt8]
    public var request: [UInt8]
    public init(key: [UInt8], request: [UInt8]) {
        self.key = key
        self.request = request
    }
}
