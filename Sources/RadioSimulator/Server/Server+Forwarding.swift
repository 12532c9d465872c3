internal import MeshProtocol

/// Which packets a server passes on (mesh-protocol §4.10).
extension Server {
    var isForwarder: Bool { kind == .repeater || preferences.isForwarding }

    func allowsForwarding(of held: HeldPacket) -> Bool {
        guard preferences.isForwarding else { return false }
        let packet = held.packet
        guard packet.route.isFlood else { return true }
        let hops = packet.pathLength.hopCount
        if hops >= preferences.floodMax { return false }
        if packet.route == .flood, hops >= preferences.unscopedMax { return false }
        if packet.type == .advert, hops >= preferences.advertMax { return false }
        if kind == .room { return true }
        let isInRegion = packet.route == .flood ? regions.allowsUnscoped : regions.matching(packet) != nil
        return isInRegion && !isLoop(packet)
    }

    private func isLoop(_ packet: Packet) -> Bool {
        guard let limit = preferences.loopDetection.limit(entrySize: min(3, packet.pathLength.hashSize)) else {
            return false
        }
        return packet.pathEntries(matching: node.publicKey) >= limit
    }
}
