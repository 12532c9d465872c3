internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// EXPORT_CONTACT (companion-protocol §3.12): this node's fresh advert, or a contact's stored one.
    static let exportContact = CommandHandler(.exportContact) { companion in
        let command = companion.command
        guard command.length >= 33 else {
            guard let own = companion.node.makeAdvert(appData: companion.advertAppData()) else {
                companion.error(.tableFull)
                return true
            }
            companion.node.releaseBuffer()
            companion.reply(.exportedContact) { $0.append(own.packet.encoded) }
            return true
        }
        guard let index = companion.contactIndex(prefix: command.slice(1, 32)),
            let stored = companion.flash.adverts[companion.contacts[index].key]
        else {
            companion.error(.notFound)
            return true
        }
        companion.reply(.exportedContact) { $0.append(stored) }
        return true
    }
}
