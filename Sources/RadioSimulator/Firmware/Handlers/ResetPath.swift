internal import CompanionProtocol

extension CommandHandler {
    /// RESET_PATH (companion-protocol §3.10): no push, and the time of modification stays.
    static let resetPath = CommandHandler(.resetPath) { companion in
        guard companion.command.length >= 33 else { return false }
        guard let index = companion.contactIndex(prefix: companion.command.slice(1, 32)) else {
            companion.error(.notFound)
            return true
        }
        companion.contacts[index].pathLength = 0xFF
        companion.contactsChanged()
        companion.ok()
        return true
    }
}
