internal import CompanionProtocol

extension CommandHandler {
    /// GET_CONTACTS (companion-protocol §3.6, §6.2).
    static let getContacts = CommandHandler(.getContacts) { companion in
        let command = companion.command
        if companion.listing != nil {
            companion.error(.badState)
        } else {
            companion.startListing(since: command.length >= 5 ? command.u32(1) : 0)
        }
        return true
    }
}
