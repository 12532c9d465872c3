internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_STATUS_REQ (companion-protocol §3.29).
    static let sendStatusRequest = CommandHandler(.sendStatusRequest) { companion in
        let command = companion.command
        guard command.length >= 33 else { return false }
        companion.sendRequest(to: command.slice(1, 32), { [1, 0, 0, 0, 0] + companion.node.random.bytes(4) }) {
            key, _ in
            PendingRequests(status: key.prefix(4))
        }
        return true
    }
}

extension Companion {
    /// Sends a request sealed for a contact and answers SENT with its tag; `pending` tells what is awaited then.
    func sendRequest(
        to key: [UInt8], forcingFlood: Bool = false, _ body: () -> [UInt8],
        pending awaited: (PublicKey, [UInt8]) -> PendingRequests
    ) {
        guard let index = contactIndex(prefix: key) else { return error(.notFound) }
        let tag = tagBytes(node.uniqueSeconds())
        let contact = contacts[index]
        guard
            let packet = node.makeDatagram(
                .request, to: contact.key, secret: secret(at: index), plain: tag + body())
        else { return error(.tableFull) }
        let (flood, timeout) = sendToContact(packet, contact, forcingFlood: forcingFlood)
        pending = awaited(contact.key, tag)
        sent(flood: flood, tag: tag, timeout: timeout)
    }
}
