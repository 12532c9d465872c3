internal import CompanionProtocol

extension CommandHandler {
    /// GET_CONTACT_BY_KEY (companion-protocol §3.7).
    static let getContactByKey = CommandHandler(.getContactByKey) { companion in
        guard let index = companion.contactIndex(prefix: companion.command.slice(1, 32)) else {
            companion.error(.notFound)
            return true
        }
        let contact = companion.contacts[index]
        companion.reply(.contact) { contact.write(to: &$0) }
        return true
    }
}
