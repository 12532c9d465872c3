/// Sends a request to a node one is logged in at; answered by SENT, then by BINARY_RESPONSE (§3.31).
public struct SendBinaryRequestCommand: RequestCommand {
    public static let code = CommandCode.sendBinaryRequest
    public static let rules = CommandRules(
        since: 7, lengths: 34...CompanionLimits.maxFrameSize, errors: [.notFound, .tableFull])
    public static let replies: [RadioCode] = [.sent]
    public var key: [UInt8]
    public var request: [UInt8]
    public init(key: [UInt8], request: [UInt8]) {
        self.key = key
        self.request = request
    }
}
