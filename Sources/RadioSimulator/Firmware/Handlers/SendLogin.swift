internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_LOGIN (companion-protocol §3.28): SENT carries the start of the server's key, not a tag.
    static let sendLogin = CommandHandler(.sendLogin) { companion in
        let command = companion.command
        guard command.length >= 33 else { return false }
        companion.command[command.length] = 0
        guard let index = companion.contactIndex(prefix: command.slice(1, 32)) else {
            companion.error(.notFound)
            return true
        }
        let (node, contact) = (companion.node, companion.contacts[index])
        var plain = companion.tagBytes(node.uniqueSeconds())
        if contact.type == 3 { plain += companion.tagBytes(contact.syncSince) }
        plain += command.rest(33).prefix { $0 != 0 }.prefix(15)
        guard let packet = node.makeAnonymous(to: contact.key, secret: companion.secret(at: index), plain: plain) else {
            companion.error(.tableFull)
            return true
        }
        let (flood, timeout) = companion.sendToContact(packet, contact)
        let tag = contact.key.prefix(4)
        companion.pending = PendingRequests(login: tag)
        companion.sent(flood: flood, tag: tag, timeout: timeout)
        return true
    }
}
