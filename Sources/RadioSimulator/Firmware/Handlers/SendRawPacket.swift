internal import CompanionProtocol
internal import MeshProtocol
internal import RunRecord

extension CommandHandler {
    /// SEND_RAW_PACKET (companion-protocol §3.47): queued as it is and not marked as seen.
    static let sendRawPacket = CommandHandler(.sendRawPacket) { companion in
        let command = companion.command
        guard command.length >= 4 else { return false }
        let node = companion.node
        guard node.takeBuffer() else {
            companion.error(.tableFull)
            return true
        }
        guard let packet = try? Packet(parsing: command.rest(2)) else {
            node.releaseBuffer()
            companion.error(.illegalArgument)
            return true
        }
        let held = HeldPacket(packet: packet, lineage: node.world.nextLineage(), cause: node.cause)
        let priority = companion.quirks.losesPriority255 ? command[1] : min(command[1], 254)
        node.enqueue(held, priority, 0, .packetQueued)
        companion.ok()
        return true
    }
}
