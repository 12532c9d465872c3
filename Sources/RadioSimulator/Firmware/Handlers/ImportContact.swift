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
        var card = HeldPacket(packet: packet, lineage: node.world.nextLineage(), cause: node.cause)
        card.isLoopedBack = true
        // The flood bit is added to the route: a scoped flood becomes a plain one, a direct card a scoped direct one.
        card.packet.route = packet.route.isFlood ? .flood : .transportDirect
        card.packet.transportCodes = packet.route.isFlood ? nil : packet.transportCodes ?? .zero
        node.duplicates.remove(packet.hash)
        companion.imported = card
        companion.ok()
        return true
    }
}
