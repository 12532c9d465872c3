internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// LOGOUT (companion-protocol §3.35): always OK, nothing goes on the air.
    static let logout = CommandHandler(.logout) { companion in
        guard companion.command.length >= 33 else { return false }
        companion.connections.remove(PublicKey(companion.command.slice(1, 32)))
        companion.ok()
        return true
    }
}
