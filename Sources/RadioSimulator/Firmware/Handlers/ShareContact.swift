internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SHARE_CONTACT (companion-protocol §3.11): sends the stored advert to direct neighbours.
    static let shareContact = CommandHandler(.shareContact) { companion in
        guard let index = companion.contactIndex(prefix: companion.command.slice(1, 32)) else {
            companion.error(.notFound)
            return true
        }
        let node = companion.node
        guard let stored = companion.flash.adverts[companion.contacts[index].key],
            let packet = try? Packet(parsingStored: stored),
            let held = node.makePacket(packet.type, payload: packet.payload)
        else {
            companion.error(.tableFull)
            return true
        }
        node.sendZeroHop(held, codes: .zero)
        companion.ok()
        return true
    }
}
