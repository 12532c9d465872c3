internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// HAS_CONNECTION (companion-protocol §3.35): current servers announce no keep-alive, so mostly ERR(2).
    static let hasConnection = CommandHandler(.hasConnection) { companion in
        guard companion.command.length >= 33 else { return false }
        let key = PublicKey(companion.command.slice(1, 32))
        if companion.connections.contains(key) { companion.ok() } else { companion.error(.notFound) }
        return true
    }
}
