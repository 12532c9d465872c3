internal import CompanionProtocol

extension CommandHandler {
    /// REBOOT (companion-protocol §3.23): changed contacts are saved, nothing is answered.
    static let reboot = CommandHandler(.reboot) { companion in
        guard companion.command.hasText("reboot", at: 1) else { return false }
        companion.node.restart = .command
        return true
    }
}
