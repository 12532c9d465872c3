internal import CompanionProtocol

extension CommandHandler {
    /// REMOVE_CONTACT (companion-protocol §3.9): the entries behind it move up, transient slots included.
    static let removeContact = CommandHandler(.removeContact) { companion in
        let key = companion.command.slice(1, 32)
        guard let index = companion.contactIndex(prefix: key) else {
            companion.error(.notFound)
            return true
        }
        let contact = companion.contacts[index]
        if index < Companion.transientSlots, !companion.profile.quirks.transientRemovalShiftsContacts {
            companion.contacts[index] = .zero
        } else {
            companion.contacts.remove(at: index)
        }
        companion.flash.adverts[contact.key] = nil
        companion.contactsChanged()
        companion.ok()
        return true
    }
}
