internal import CompanionProtocol

extension CommandHandler {
    /// SEND_PATH_DISCOVERY_REQ (companion-protocol §3.33): a flooded telemetry request for base data only.
    static let sendPathDiscovery = CommandHandler(.sendPathDiscovery) { companion in
        let command = companion.command
        guard command.length >= 34, command[1] == 0 else { return false }
        companion.sendRequest(
            to: command.slice(2, 32), forcingFlood: true, { [3, 0xFE, 0, 0, 0] + companion.node.random.bytes(4) }
        ) { _, tag in PendingRequests(discovery: tag) }
        return true
    }
}
