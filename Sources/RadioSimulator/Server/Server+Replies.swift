internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// How a server's answers travel (remote-nodes §0.2).
extension Server {
    /// The scope of a flooded reply: that of the request where it can be told, else the default.
    func replyScope(to packet: Packet) -> RegionKey? {
        if kind == .sensor { return nil }
        return switch packet.route {
        case .transportFlood: regions.matching(packet)?.key ?? regions.defaultKey
        case .flood: regions.allowsUnscoped ? nil : regions.defaultKey
        case .direct, .transportDirect: regions.defaultKey
        }
    }

    /// A RESPONSE to a member: returned with the path of a flooded request, else direct or flooded.
    func respond(_ data: [UInt8], to client: ServerClient, _ held: HeldPacket) {
        let request = held.packet
        if request.route.isFlood {
            guard
                let answer = node.makePathReturn(
                    to: client.key.nodeHash, secret: client.secret, length: request.pathLength, path: request.path,
                    extra: (.response, data))
            else { return }
            return node.sendFlood(
                answer, scope: replyScope(to: request), delay: 300, hashSize: request.pathLength.hashSize)
        }
        guard let answer = node.makeDatagram(.response, to: client.key, secret: client.secret, plain: data) else {
            return
        }
        send(answer, to: client, answering: request, delay: 300)
    }

    /// Along the member's path, or flooded when none is known.
    func send(_ packet: HeldPacket, to client: ServerClient, answering request: Packet, delay: Int64) {
        if client.pathLength == .none {
            node.sendFlood(
                packet, scope: replyScope(to: request), delay: delay, hashSize: request.pathLength.hashSize)
        } else {
            node.sendDirect(packet, length: client.pathLength, path: client.path, delay: delay)
        }
    }
}
