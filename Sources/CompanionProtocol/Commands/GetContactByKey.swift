/// Reads one contact; ERR(2) when there is none (§3.7).
public struct GetContactByKeyCommand: KeyCommand {
    public static let code = CommandCode.getContactByKey
    public static let rules = CommandRules(since: 2, lengths: nil, errors: [.notFound])
    public static let replies: [RadioCode] = [.contact]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
