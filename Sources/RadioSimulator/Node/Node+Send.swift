internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// Composing packets and handing them to the send queue (mesh-protocol §4.8).
extension Node {
    /// Longest plaintexts that are sealed: datagrams, anonymous requests.
    static let longestDatagram = 167
    static let longestAnonymous = 136

    /// A packet that takes a buffer from the pool; nil when there is none. Its route is set when it is sent.
    func makePacket(_ type: PayloadType, payload: [UInt8]) -> HeldPacket? {
        guard payload.count <= Packet.maximumPayload, takeBuffer() else { return nil }
        return HeldPacket(
            packet: Packet(route: .flood, type: type, payload: payload), lineage: world.nextLineage(), cause: cause)
    }

    /// REQ, RESPONSE or TXT_MSG for one peer; nil when it is too long or no buffer is free.
    func makeDatagram(_ type: PayloadType, to key: PublicKey, secret: SharedSecret, plain: [UInt8]) -> HeldPacket? {
        guard plain.count <= Self.longestDatagram else { return nil }
        return makePacket(type, payload: [key.nodeHash, publicKey.nodeHash] + secret.seal(plain))
    }

    /// A request that carries this node's whole key.
    func makeAnonymous(to key: PublicKey, secret: SharedSecret, plain: [UInt8]) -> HeldPacket? {
        guard plain.count <= Self.longestAnonymous else { return nil }
        return makePacket(.anonymousRequest, payload: [key.nodeHash] + publicKey.bytes + secret.seal(plain))
    }

    /// A returned path; without `extra` it gets four random bytes, drawn only once the buffer is there.
    func makePathReturn(
        to hash: UInt8, secret: SharedSecret, length: PathLength, path: [UInt8],
        extra: (type: PayloadType, bytes: [UInt8])?
    ) -> HeldPacket? {
        guard path.count + (extra?.bytes.count ?? 0) + 5 <= Packet.maximumPayload - 18, takeBuffer() else { return nil }
        var plain = [length.rawValue] + path
        if let extra {
            plain += [extra.type.rawValue] + extra.bytes
        } else {
            plain += [0xFF] + random.bytes(4)
        }
        let payload = [hash, publicKey.nodeHash] + secret.seal(plain)
        return HeldPacket(
            packet: Packet(route: .flood, type: .path, payload: payload), lineage: world.nextLineage(), cause: cause)
    }

    /// This node's advert with the given application data, signed now.
    func makeAdvert(appData: [UInt8]) -> HeldPacket? {
        guard takeBuffer() else { return nil }
        var signed = ByteWriter()
        signed.append(publicKey.bytes)
        signed.u32(seconds())
        let head = signed.bytes
        let payload = head + identity.sign(head + appData) + appData
        return HeldPacket(
            packet: Packet(route: .flood, type: .advert, payload: payload), lineage: world.nextLineage(), cause: cause)
    }

    /// An own packet is a duplicate when it comes back.
    private func remember(_ held: inout HeldPacket) {
        let facts = PayloadFacts(held.packet, work: world.work)
        held.facts = facts
        duplicates.insert(facts.hash(of: held.packet))
    }

    /// Floods, within a region when a key is given.
    func sendFlood(_ held: HeldPacket, scope: RegionKey? = nil, delay: Int64 = 0, hashSize: Int? = nil) {
        var flood = held
        flood.packet.pathLength = PathLength(hashSize: hashSize ?? Int(role.pathHashMode) + 1, hopCount: 0)
        flood.packet.path = []
        flood.packet.route = scope == nil ? .flood : .transportFlood
        flood.packet.transportCodes = scope.map { $0.codes(for: flood.packet) }
        let priority: UInt8 =
            switch flood.packet.type {
            case .path: 2
            case .advert: 3
            default: 1
            }
        remember(&flood)
        enqueue(flood, priority, delay, .packetQueued)
    }

    /// Sends along a path, which for a trace is its list of hops. A path that is no valid encoding is dropped.
    func sendDirect(_ held: HeldPacket, length: PathLength, path: [UInt8], delay: Int64 = 0) {
        var direct = held
        direct.packet.route = .direct
        direct.packet.transportCodes = nil
        var priority: UInt8 = 0
        if direct.packet.type == .trace {
            direct.packet.payload += path
            direct.packet.pathLength = .empty
            direct.packet.path = []
            priority = 5
        } else {
            guard length.isValid else {
                duplicates.insert(direct.packet.hash)
                releaseBuffer()
                return ignore(direct, "invalid-path")
            }
            direct.packet.pathLength = length
            direct.packet.path = Array(path.prefix(length.byteCount))
            if direct.packet.type == .path { priority = 1 }
        }
        remember(&direct)
        enqueue(direct, priority, delay, .packetQueued)
    }

    /// Sends to direct neighbours only; `codes` makes it a contact share.
    func sendZeroHop(_ held: HeldPacket, codes: TransportCodes? = nil, delay: Int64 = 0) {
        var direct = held
        direct.packet.route = codes == nil ? .direct : .transportDirect
        direct.packet.transportCodes = codes
        direct.packet.pathLength = .empty
        direct.packet.path = []
        remember(&direct)
        enqueue(direct, 0, delay, .packetQueued)
    }

    /// A bare acknowledgement along a path or, without one, by flood; doubled if this node's setting says so.
    func sendAck(_ ack: [UInt8], length: PathLength, path: [UInt8], scope: RegionKey?, delay: Int64) {
        guard length != .none else {
            guard let held = makePacket(.ack, payload: ack) else { return }
            return sendFlood(held, scope: scope, delay: delay)
        }
        var later = delay
        if role.multiAcks > 0 {
            if let doubled = makePacket(.multipart, payload: MultipartAck(remaining: 1, ack: ack).encoded) {
                sendDirect(doubled, length: length, path: path, delay: later)
            }
            later += 300
        }
        guard let held = makePacket(.ack, payload: ack) else { return }
        sendDirect(held, length: length, path: path, delay: later)
    }
}
