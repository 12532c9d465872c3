internal import CompanionProtocol

extension CommandHandler {
    /// SEND_BINARY_REQ (companion-protocol §3.31).
    static let sendBinaryRequest = CommandHandler(.sendBinaryRequest) { companion in
        let command = companion.command
        guard command.length >= 34 else { return false }
        companion.sendRequest(to: command.slice(1, 32), { command.rest(33) }) { _, tag in PendingRequests(request: tag)
        }
        return true
    }
}
