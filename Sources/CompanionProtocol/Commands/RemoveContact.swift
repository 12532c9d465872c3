/// Deletes a contact (§3.9).
public struct RemoveContactCommand: KeyCommand {
    public static let code = CommandCode.removeContact
    public static let rules = CommandRules(since: 1, lengths: nil, errors: [.notFound])
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
