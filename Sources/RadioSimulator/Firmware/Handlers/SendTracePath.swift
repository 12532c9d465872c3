internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_TRACE_PATH (companion-protocol §3.34).
    static let sendTracePath = CommandHandler(.sendTracePath) { companion in
        let command = companion.command
        guard command.length >= 11 else { return false }
        let (node, flags) = (companion.node, command[9])
        let (shift, hops) = (Int(flags & 3), command.rest(10))
        guard hops.count >> shift <= 64, hops.count % (1 << shift) == 0 else {
            companion.error(.illegalArgument)
            return true
        }
        guard let packet = node.makePacket(.trace, payload: command.slice(1, 9)) else {
            companion.error(.tableFull)
            return true
        }
        let count = hops.count >> shift
        let airtime = node.radio.airtimeMillis(length: 9 + hops.count + 2)
        node.sendDirect(packet, length: .empty, path: hops)
        companion.sent(
            flood: false, tag: command.slice(1, 4),
            timeout: SendTimeout.direct(
                airtimeMillis: airtime, hops: companion.quirks.countsFullTraceAsNone ? count & 63 : count))
        return true
    }
}
