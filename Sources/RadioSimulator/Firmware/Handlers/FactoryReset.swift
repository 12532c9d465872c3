internal import CompanionProtocol

extension CommandHandler {
    /// FACTORY_RESET (companion-protocol §3.24): the host link goes dead, everything stored is erased.
    static let factoryReset = CommandHandler(.factoryReset) { companion in
        guard companion.command.hasText("reset", at: 1) else { return false }
        companion.isMuted = true
        companion.node.restart = .factoryReset
        return true
    }
}
