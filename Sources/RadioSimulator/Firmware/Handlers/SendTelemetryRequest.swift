internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_TELEMETRY_REQ (companion-protocol §3.30): remote, or with exactly four bytes this node's own.
    static let sendTelemetryRequest = CommandHandler(.sendTelemetryRequest) { companion in
        let command = companion.command
        if command.length >= 36 {
            companion.sendRequest(to: command.slice(4, 32), { [3, 0, 0, 0, 0] + companion.node.random.bytes(4) }) {
                _, tag in
                PendingRequests(telemetry: tag)
            }
            return true
        }
        guard command.length == 4 else { return false }
        let record = companion.telemetry(permissions: 0xFF, isOwn: true)
        companion.reply(.telemetryResponse) { out in
            out.u8(0)
            out.append(companion.node.publicKey.prefix(6))
            out.append(record)
        }
        return true
    }
}
