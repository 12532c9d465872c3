internal import CompanionProtocol

extension CommandHandler {
    /// HAS_CONNECTION (companion-protocol §3.35): current servers keep no connections, so there is none.
    static let hasConnection = CommandHandler(.hasConnection) { companion in
        guard companion.command.length >= 33 else { return false }
        companion.error(.notFound)
        return true
    }
}
