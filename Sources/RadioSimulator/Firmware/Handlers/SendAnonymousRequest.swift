internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_ANON_REQ (companion-protocol §3.32): an unknown key gets a transient slot with a direct path.
    static let sendAnonymousRequest = CommandHandler(.sendAnonymousRequest) { companion in
        let command = companion.command
        guard command.length >= 34 else { return false }
        let (node, key) = (companion.node, PublicKey(command.slice(1, 32)))
        var place = companion.contactIndex(key: key)
        if place == nil, companion.profile.protocolCode < 13 {
            companion.error(.notFound)
            return true
        }
        if place == nil, let slot = companion.allocateTransient(key: key) {
            companion.contacts[slot].pathLength = 0
            companion.contacts[slot].lastModified = node.seconds()
            place = slot
        }
        guard let index = place else {
            companion.error(.tableFull)
            return true
        }
        let tag = companion.tagBytes(node.uniqueSeconds())
        guard
            let packet = node.makeAnonymous(
                to: key, secret: companion.secret(at: index), plain: tag + command.rest(33))
        else {
            companion.error(.tableFull)
            return true
        }
        let (flood, timeout) = companion.sendToContact(packet, companion.contacts[index])
        companion.pending = PendingRequests(request: tag)
        companion.sent(flood: flood, tag: tag, timeout: timeout)
        return true
    }
}
