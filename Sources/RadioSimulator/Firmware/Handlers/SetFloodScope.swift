internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SET_FLOOD_SCOPE_KEY (companion-protocol §3.42): for this session, in memory only.
    static let setFloodScope = CommandHandler(.setFloodScope) { companion in
        let command = companion.command
        guard command.length >= 2 else { return false }
        switch command[1] {
        case 0:
            let key = command.slice(2, 16)
            companion.scopeOverride = command.length >= 18 && key.contains { $0 != 0 } ? RegionKey(key) : nil
            companion.isUnscoped = false
        case 1 where companion.profile.protocolCode >= 12: companion.isUnscoped = true
        default: return false
        }
        companion.ok()
        return true
    }
}
