/// Sends a contact's last advert again, to direct neighbours (§3.11).
public struct ShareContactCommand: KeyCommand {
    public static let code = CommandCode.shareContact
    public static let rules = CommandRules(since: 1, lengths: nil, errors: [.notFound, .tableFull])
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
