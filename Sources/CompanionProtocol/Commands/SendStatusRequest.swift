/// Asks a node for its status; answered by SENT, then by the push STATUS_RESPONSE (§3.29).
public struct SendStatusRequestCommand: KeyCommand {
    public static let code = CommandCode.sendStatusRequest
    public static let rules = CommandRules(
        since: 1, lengths: 33...CompanionLimits.maxFrameSize, errors: [.notFound, .tableFull])
    public static let replies: [RadioCode] = [.sent]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
