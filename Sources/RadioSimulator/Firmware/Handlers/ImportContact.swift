internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// IMPORT_CONTACT (companion-protocol §3.13): OK first, the card itself in the next pass.
    static let importContact = CommandHandler(.importContact) { companion in
        let command = companion.command
        guard command.length >= 99 else { return false }
        let node = companion.node
        guard node.takeBuffer() else {
            companion.error(.illegalArgument)
            return true
        }
        guard let packet = try? Packet(parsingStored: command.rest(1)), packet.type == .advert else {
            node.releaseBuffer()
            companion.error(.illegalArgument)
            return true
        }
        companion.imported = HeldPacket(packet: packet, lineage: node.world.nextLineage(), cause: node.cause)
        companion.ok()
        return true
    }
}
