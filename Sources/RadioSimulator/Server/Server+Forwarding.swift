internal import MeshProtocol

/// Which packets a server passes on (mesh-protocol §4.10).
extension Server {
    var isForwarder: Bool { kind == .repeater || preferences.isForwarding }

    func allowsForwarding(of held: HeldPacket) -> Bool { refusal(of: held) == nil }

    /// The first rule that keeps a packet from being passed on, in the firmware's order.
    func refusal(of held: HeldPacket) -> String? {
        guard preferences.isForwarding else { return "forwarding-off" }
        let packet = held.packet
        guard packet.route.isFlood else { return nil }
        let hops = packet.pathLength.hopCount
        if hops >= preferences.floodMax { return "hop-limit" }
        if kind == .sensor { return nil }
        if packet.route == .flood, hops >= preferences.unscopedMax { return "hop-limit-unscoped" }
        if packet.type == .advert, hops >= preferences.advertMax { return "hop-limit-adverts" }
        if kind == .room { return nil }
        let isInRegion = packet.route == .flood ? regions.allowsUnscoped : regions.matching(packet) != nil
        guard isInRegion else { return "other-region" }
        return isLoop(packet) ? "loop" : nil
    }

    private func isLoop(_ packet: Packet) -> Bool {
        guard let limit = preferences.loopDetection.limit(entrySize: min(3, packet.pathLength.hashSize)) else {
            return false
        }
        return packet.pathEntries(matching: node.publicKey) >= limit
    }
}
