internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// What a node does with a packet it has received (mesh-protocol §4.5 to §4.7).
extension Node {
    /// Processes one packet; the caller owns its buffer, and forwarding takes another hold of it.
    func process(_ received: HeldPacket) {
        cause = received.cause
        var held = received
        let packet = held.packet
        if packet.route.isDirect {
            if packet.type == .trace { return processTrace(held) }
            if packet.type == .control, let first = packet.payload.first, first & 0x80 != 0 {
                if packet.pathLength.hopCount == 0 { role.receivedControl(held) } else { ignore(held, "not-zero-hop") }
                return
            }
            if packet.pathLength.hopCount > 0 { return processOnItsWay(held) }
        }
        guard packet.hasMinimumPayload else { return ignore(held, "too-short") }
        switch packet.type {
        case .ack: processAck(&held)
        case .request, .response, .textMessage, .path: processSealed(&held)
        case .anonymousRequest: processAnonymous(&held)
        case .groupText, .groupData:
            guard isNew(held) else { return }
            role.receivedGroup(held)
            floodForward(held, wasHandled: true)
        case .advert: processAdvert(held)
        case .rawCustom:
            guard packet.route.isDirect else { return ignore(held, "raw-by-flood") }
            guard isNew(held) else { return }
            role.receivedRaw(held)
        case .multipart: processMultipart(held)
        default: ignore(held, "type-not-handled")
        }
    }

    func ignore(_ held: HeldPacket, _ reason: String) {
        post(.packetIgnored, packet: held.lineage, cause: held.cause, ["reason": FieldValue(reason)])
    }

    /// Whether the packet has not been seen before; remembers it, or counts and reports the duplicate.
    private func isNew(_ held: HeldPacket) -> Bool { isNew(held, hash: hash(of: held)) }

    private func hash(of held: HeldPacket) -> PacketHash {
        guard let facts = held.facts else { return held.packet.hash }
        return facts.hash(of: held.packet)
    }

    private func isNew(_ held: HeldPacket, hash: PacketHash) -> Bool {
        if duplicates.contains(hash) {
            if held.packet.route.isFlood { counters.duplicateFlood += 1 } else { counters.duplicateDirect += 1 }
            ignore(held, "duplicate")
            return false
        }
        duplicates.insert(hash)
        return true
    }

    private func processTrace(_ held: HeldPacket) {
        let (packet, payload) = (held.packet, held.packet.payload)
        let count = Int(packet.pathLength.rawValue)
        guard count < 64, payload.count >= 9 else { return ignore(held, "malformed") }
        let size = 1 << Int(payload[8] & 3)
        let hops = Array(payload[9...])
        let offset = count * size
        if offset >= hops.count { return role.receivedTrace(held) }
        guard offset + size <= hops.count, publicKey.matches(prefix: hops[offset..<offset + size]) else {
            return ignore(held, "not-next-hop")
        }
        if let refusal = role.refusal(of: held) { return ignore(held, refusal) }
        guard count < 63 || role.overflowsFullPaths else { return ignore(held, "path-full") }
        guard isNew(held) else { return }
        var next = held
        next.packet.path.append(UInt8(bitPattern: held.snrQuarterDB))
        // The 64th reading overflows into the size bits; the path is then empty, as in a flood.
        next.packet.pathLength = PathLength(rawValue: UInt8(count + 1))
        next.packet.path = Array(next.packet.path.prefix(next.packet.pathLength.byteCount))
        forward(next, priority: 5, delay: directDelay(next.packet))
    }

    /// A direct packet that has further hops to go.
    private func processOnItsWay(_ held: HeldPacket) {
        let packet = held.packet
        var held = held
        if packet.type == .ack, packet.payload.count >= 4 {
            held.isConsumed = role.receivedAck(Array(packet.payload[..<4]), packet: held)
        }
        guard publicKey.matches(prefix: packet.path[..<packet.pathLength.hashSize]) else {
            return ignore(held, "not-next-hop")
        }
        if let refusal = role.refusal(of: held) { return ignore(held, refusal) }
        var next = held
        next.packet.path.removeFirst(packet.pathLength.hashSize)
        next.packet.pathLength = PathLength(
            hashSize: packet.pathLength.hashSize, hopCount: packet.pathLength.hopCount - 1)
        if held.isConsumed { return role.sendsJunkAcks ? forwardConsumed(next) : () }
        switch packet.type {
        case .multipart:
            guard let multipart = MultipartAck(parsing: packet.payload), let hash = packet.multipartAckHash else {
                return ignore(held, "type-not-handled")
            }
            guard isNew(held, hash: hash) else { return }
            reissueAck(multipart.ack, along: next, baseDelay: Int64(multipart.remaining + 1) * 300)
        case .ack:
            guard isNew(held) else { return }
            reissueAck(packet.payload, along: next, baseDelay: 0)
        default:
            guard isNew(held) else { return }
            forward(next, priority: 0, delay: directDelay(next.packet))
        }
    }

    /// An acknowledgement for this very node that is also to be passed on: its header has been overwritten with 0xFF,
    /// and so it goes on the air, where every receiver drops it (mesh-protocol §8.6).
    private func forwardConsumed(_ held: HeldPacket) {
        var next = held
        next.packet.route = .transportDirect
        next.packet.type = .rawCustom
        next.packet.version = 3
        next.packet.transportCodes = held.packet.transportCodes ?? .zero
        guard isNew(next) else { return }
        forward(next, priority: 0, delay: directDelay(next.packet))
    }

    /// Sends an acknowledgement on, doubled as often as the node's multi-ack setting says (mesh-protocol §4.6).
    private func reissueAck(_ ack: [UInt8], along held: HeldPacket, baseDelay: Int64) {
        var delay = baseDelay
        var plain = held.packet
        plain.route = .direct
        plain.transportCodes = nil
        plain.type = .ack
        plain.payload = ack
        var extra = Int(role.multiAcks)
        while extra > 0 {
            delay += directDelay(plain) + 300
            if takeBuffer() {
                var doubled = plain
                doubled.type = .multipart
                doubled.payload = MultipartAck(remaining: extra & 15, ack: ack).encoded
                enqueue(
                    HeldPacket(packet: doubled, lineage: held.lineage, cause: held.cause), 0, delay, .packetForwarded)
            }
            extra -= 1
        }
        guard takeBuffer() else { return ignore(held, "no-buffer") }
        enqueue(HeldPacket(packet: plain, lineage: held.lineage, cause: held.cause), 0, delay, .packetForwarded)
    }

    private func processAck(_ held: inout HeldPacket) {
        guard isNew(held) else { return }
        if role.receivedAck(Array(held.packet.payload[..<4]), packet: held) { held.isConsumed = true }
        floodForward(held, wasHandled: held.isConsumed)
    }

    private func processMultipart(_ held: HeldPacket) {
        guard let multipart = MultipartAck(parsing: held.packet.payload), let hash = held.packet.multipartAckHash else {
            return ignore(held, "type-not-handled")
        }
        guard isNew(held, hash: hash) else { return }
        _ = role.receivedAck(Array(multipart.ack[..<4]), packet: held)
    }

    private func processSealed(_ held: inout HeldPacket) {
        guard isNew(held) else { return }
        let payload = held.packet.payload
        guard payload[0] == publicKey.nodeHash else { return floodForward(held, wasHandled: false) }
        let blob = Array(payload[2...])
        for peer in role.peers(hash: payload[1]) {
            let secret = role.secret(ofPeer: peer)
            guard let plain = secret.open(blob) else { continue }
            world.work.counts.sealedOpenings += 1
            guard deliver(plain, from: peer, secret: secret, &held) else { break }
            held.isConsumed = true
            return
        }
        floodForward(held, wasHandled: false, isAddressed: true)
    }

    /// Hands an opened payload to the program; false for a path of a length that is not valid, which the node treats
    /// as a packet for somebody else.
    private func deliver(_ plain: [UInt8], from peer: Int, secret: SharedSecret, _ held: inout HeldPacket) -> Bool {
        guard held.packet.type == .path else {
            role.received(held.packet.type, from: peer, plain: plain, packet: &held)
            return true
        }
        guard PathLength(rawValue: plain[0]).isValid else { return false }
        guard let returned = ReturnedPath(plain: plain) else {
            ignore(held, "malformed")
            return true
        }
        let (hash, arrival) = (held.packet.payload[1], held.packet)
        guard role.receivedPath(returned, from: peer, packet: &held), held.isFlood else { return true }
        // Back along the path just learnt, so that the peer learns the other direction.
        if let reciprocal = makePathReturn(
            to: hash, secret: secret, length: arrival.pathLength, path: arrival.path, extra: nil)
        {
            sendDirect(reciprocal, length: returned.length, path: returned.path, delay: 500)
        }
        return true
    }

    private func processAnonymous(_ held: inout HeldPacket) {
        guard isNew(held) else { return }
        let payload = held.packet.payload
        if payload[0] == publicKey.nodeHash {
            let sender = PublicKey(Array(payload[1..<33]))
            if let plain = identity.sharedSecret(with: sender).open(Array(payload[33...])) {
                world.work.counts.sealedOpenings += 1
                role.receivedAnonymous(from: sender, plain: plain, packet: held)
                held.isConsumed = true
                return
            }
        }
        floodForward(held, wasHandled: false)
    }

    private func processAdvert(_ held: HeldPacket) {
        let payload = held.packet.payload
        let key = PublicKey(Array(payload[..<32]))
        if key == publicKey { return ignore(held, "own-advert") }
        guard isNew(held) else { return }
        let appData = Array(payload[100...].prefix(32))
        let facts = held.facts ?? PayloadFacts(held.packet, work: world.work)
        guard facts.isAuthentic(key, appData: appData) else {
            return ignore(held, "bad-signature")
        }
        let timestamp = payload[32..<36].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        role.received(ReceivedAdvert(key: key, timestamp: timestamp, appData: appData), packet: held)
        floodForward(held, wasHandled: true)
    }

    /// Repeats a flood if this node forwards (mesh-protocol §4.6); what was not handled either is reported as ignored.
    /// One that is addressed to this node by its hash and that no key of it opens is told apart.
    private func floodForward(_ held: HeldPacket, wasHandled: Bool, isAddressed: Bool = false) {
        let length = held.packet.pathLength
        let reason = isAddressed ? "not-opened" : "not-for-this-node"
        guard held.isFlood else { return wasHandled ? () : ignore(held, reason) }
        guard (length.hopCount + 1) * length.hashSize <= PathLength.maximumBytes,
            length.hopCount < 63 || role.overflowsFullPaths
        else {
            return ignore(held, "path-full")
        }
        if let refusal = role.refusal(of: held) {
            return wasHandled && !role.isForwarder ? () : ignore(held, role.isForwarder ? refusal : reason)
        }
        var next = held
        next.packet.path += publicKey.prefix(length.hashSize)
        // The 64th entry of one byte overflows the count into the size bits; the path is then empty.
        next.packet.pathLength = PathLength(rawValue: length.rawValue &+ 1)
        if next.packet.pathLength.byteCount != next.packet.path.count {
            next.packet.path = Array(next.packet.path.prefix(next.packet.pathLength.byteCount))
        }
        let delay = retransmitDelay(next.packet, factor: role.floodDelayFactor)
        if held.isLoopedBack { return }
        forward(next, priority: UInt8(next.packet.pathLength.hopCount), delay: delay)
    }

    private func directDelay(_ packet: Packet) -> Int64 { retransmitDelay(packet, factor: role.directDelayFactor) }

    private func retransmitDelay(_ packet: Packet, factor: Float) -> Int64 {
        let unit = RetransmitDelay.unit(for: packet, radio: radio, factor: factor)
        if role.delaysInSteps { return Int64(unit) * Int64(random.number(from: 0, below: 6)) }
        return Int64(random.number(from: 0, below: UInt32(RetransmitDelay.bound(unit: unit))))
    }

    /// Queues a received packet again; it keeps the buffer it is in, which the caller is about to give back.
    private func forward(_ held: HeldPacket, priority: UInt8, delay: Int64) {
        buffersInUse += 1
        enqueue(held, priority, delay, .packetForwarded)
    }

    /// Puts a packet that already has its buffer into the send queue.
    func enqueue(_ held: HeldPacket, _ priority: UInt8, _ delay: Int64, _ kind: EventKind) {
        var queued = held
        queued.cause = post(
            kind, packet: held.lineage, cause: held.cause,
            world.describe(held.packet).merging(["delay": FieldValue(delay)]))
        sendQueue.add(queued, priority: priority, due: now + delay)
    }
}
