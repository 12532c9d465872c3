internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase
internal import RigCrypto
internal import RunRecord

/// What a companion does with packets meant for it (mesh-protocol §3, §4.9; companion-protocol §5, §6).
extension Companion {
    func rawReceived(_ reception: Reception) {
        guard host.isConnected, reception.bytes.count + 3 <= profile.maximumFrame else { return }
        reply(.receivedPacketLog) { out in
            out.i8(reception.snrQuarterDB)
            out.i8(reception.rssi)
            out.append(reception.bytes)
        }
    }

    func peers(hash: UInt8) -> [Int] {
        Array(contacts.indices.lazy.filter { self.contacts[$0].key.nodeHash == hash }.prefix(8))
    }

    func secret(ofPeer peer: Int) -> SharedSecret { secret(at: peer) }

    func received(_ type: PayloadType, from peer: Int, plain: [UInt8], packet held: inout HeldPacket) {
        defer { opened.replaceSubrange(0..<min(plain.count, opened.count), with: plain.prefix(opened.count)) }
        switch type {
        case .textMessage where plain.count > 5: receivedText(from: peer, plain, held)
        case .request where plain.count > 4: receivedRequest(from: peer, plain, held)
        case .response where !plain.isEmpty:
            receivedResponse(from: contacts[peer], plain, held)
            if held.isFlood { returnPath(lostBy: peer, held) }
        default: node.ignore(held, "too-short")
        }
    }

    // MARK: Texts

    private func receivedText(from peer: Int, _ plain: [UInt8], _ held: HeldPacket) {
        let text = Array(plain[5...].prefix { $0 != 0 })
        switch plain[4] >> 2 {
        case 0:
            contacts[peer].lastModified = node.seconds()
            queueText(from: contacts[peer], type: 0, plain, extra: [], text, held)
            let hash = Digest.sha256(Array(plain[..<(5 + text.count)]) + contacts[peer].key.bytes)[..<4]
            let behind = 5 + text.count + 1
            let undefined = quirks.ackTakesUndefinedByte ? opened[min(behind, opened.count - 1)] : 0
            let filler = plain.indices.contains(behind) ? plain[behind] : undefined
            acknowledge(Array(hash) + [filler, node.random.byte()], to: peer, held)
        case 1:
            queueText(from: contacts[peer], type: 1, plain, extra: [], text, held)
            guard held.isFlood else { return }
            if let path = returnPath(to: peer, held, extra: nil) { node.sendFlood(path, scope: floodScope) }
        case 2 where plain.count > 9: receivedPost(from: peer, plain, held)
        default: node.ignore(held, "text-type-not-handled")
        }
    }

    /// A signed text: a room's post, with the author's key prefix in front.
    private func receivedPost(from peer: Int, _ plain: [UInt8], _ held: HeldPacket) {
        let timestamp = plain[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let text = Array(plain[9...].prefix { $0 != 0 })
        if timestamp > contacts[peer].syncSince {
            contacts[peer].syncSince = timestamp
        }
        contactsChanged()
        contacts[peer].lastModified = node.seconds()
        queueText(from: contacts[peer], type: 2, plain, extra: Array(plain[5..<9]), text, held)
        let hash = Digest.sha256(Array(plain[..<(9 + text.count)]) + node.publicKey.bytes)[..<4]
        acknowledge(Array(hash), to: peer, held)
    }

    private func acknowledge(_ ack: [UInt8], to peer: Int, _ held: HeldPacket) {
        guard !profile.quirks.neverAcknowledges else { return }
        if held.isFlood {
            guard let path = returnPath(to: peer, held, extra: (.ack, ack)) else { return }
            node.sendFlood(path, scope: floodScope, delay: 200)
        } else {
            let contact = contacts[peer]
            node.sendAck(
                ack, length: PathLength(rawValue: contact.pathLength), path: contact.path, scope: floodScope,
                delay: 200)
        }
    }

    private func returnPath(
        to peer: Int, _ held: HeldPacket, extra: (type: PayloadType, bytes: [UInt8])?
    ) -> HeldPacket? {
        node.makePathReturn(
            to: contacts[peer].key.nodeHash, secret: secret(at: peer), length: held.packet.pathLength,
            path: held.packet.path, extra: extra)
    }

    // MARK: Requests to this node

    private func receivedRequest(from peer: Int, _ plain: [UInt8], _ held: HeldPacket) {
        guard let answer = telemetryAnswer(to: contacts[peer], plain) else { return node.ignore(held, "not-answered") }
        if held.isFlood {
            guard let path = returnPath(to: peer, held, extra: (.response, answer)) else { return }
            return node.sendFlood(path, scope: floodScope, delay: 300)
        }
        let contact = contacts[peer]
        guard let packet = node.makeDatagram(.response, to: contact.key, secret: secret(at: peer), plain: answer)
        else { return }
        if contact.pathLength == 0xFF {
            node.sendFlood(packet, scope: floodScope, delay: 300)
        } else {
            let length = PathLength(rawValue: contact.pathLength)
            node.sendDirect(packet, length: length, path: contact.path, delay: 300)
        }
    }

    /// Telemetry, if the modes and the contact's flags allow at least the base data (companion-protocol §6.13).
    private func telemetryAnswer(to contact: Contact, _ plain: [UInt8]) -> [UInt8]? {
        guard plain[4] == 3 else { return nil }
        var allowed: UInt8 = 0
        for bit: UInt8 in 0..<3 {
            let mode = preferences.telemetryModes >> (2 * bit) & 3
            let isFlagged = contact.flags >> 1 & (1 << bit) != 0
            if mode == 2 || (mode == 1 && isFlagged) { allowed |= 1 << bit }
        }
        allowed &= ~(plain.count > 5 ? plain[5] : 0)
        guard allowed & 1 != 0 else { return nil }
        return Array(plain[..<4]) + telemetry(permissions: allowed, isOwn: false)
    }

    // MARK: Answers

    func receivedPath(_ path: ReturnedPath, from peer: Int, packet held: inout HeldPacket) -> Bool {
        let contact = contacts[peer]
        let isAnswer = path.extraType == PayloadType.response.rawValue
        if isAnswer, path.extra.count > 4,
            PendingRequests.awaits(
                pending.discovery, Array(path.extra[..<4]), evenZero: quirks.matchesZeroTags)
        {
            PendingRequests.clear(&pending.discovery)
            let back = held.packet
            reply(.pathDiscoveryResponse) { out in
                out.u8(0)
                out.append(contact.key.prefix(6))
                out.u8(path.length.rawValue)
                out.append(path.path)
                out.u8(back.pathLength.rawValue)
                out.append(back.path)
            }
            return false
        }
        contacts[peer].setPath(path.length, path.path)
        contacts[peer].lastModified = node.seconds()
        reply(.pathUpdated) { $0.append(contact.key.bytes) }
        contactsChanged()
        if path.extraType == PayloadType.ack.rawValue, path.extra.count >= 4 {
            _ = confirm(Array(path.extra[..<4]))
        } else if isAnswer, !path.extra.isEmpty {
            receivedResponse(from: contact, path.extra, held)
        }
        return true
    }

    func receivedAck(_ ack: [UInt8], packet: HeldPacket) -> Bool {
        guard let key = confirm(ack) else { return false }
        // The firmware looks at the packet after it has marked it as consumed, and then it reads as direct.
        if !quirks.neverRepairsAckPaths, packet.isFlood, let index = contactIndex(key: key) {
            returnPath(lostBy: index, packet)
        }
        return true
    }

    /// Gives a peer that still floods the path its packet took, along the path that is known to it.
    private func returnPath(lostBy peer: Int, _ held: HeldPacket) {
        let contact = contacts[peer]
        guard contact.pathLength != 0xFF, let repair = returnPath(to: peer, held, extra: nil) else { return }
        node.sendDirect(repair, length: PathLength(rawValue: contact.pathLength), path: contact.path, delay: 3_000)
    }

    /// Looks a received acknowledgement up; whom the text went to, nil when none was waiting.
    private func confirm(_ ack: [UInt8]) -> PublicKey? {
        guard let entry = expectedAcks.take(ack, evenZero: quirks.matchesZeroAcks) else { return nil }
        let trip = UInt32(truncatingIfNeeded: node.uptime - entry.sentAt)
        let count = profile.quirks.losesSendConfirmed ? 0 : profile.quirks.confirmsTwice ? 2 : 1
        for _ in 0..<count {
            reply(.sendConfirmed) { out in
                out.append(ack)
                out.u32(trip)
            }
        }
        return entry.contact
    }

    /// An answer to a request of this node; matched by what is pending (companion-protocol §6.6).
    private func receivedResponse(from contact: Contact, _ data: [UInt8], _ held: HeldPacket) {
        let (prefix, tag) = (contact.key.prefix(6), Array(data.prefix(4)))
        let body = Array(data.dropFirst(4))
        func isAwaited(_ awaited: [UInt8]) -> Bool {
            data.count > 4 && PendingRequests.awaits(awaited, tag, evenZero: quirks.matchesZeroTags)
        }
        func answer(_ code: RadioCode, _ head: [UInt8]) {
            let room = profile.maximumFrame - 2 - head.count
            let body = quirks.losesLongAnswers ? body[...] : body.prefix(room)
            reply(code) { out in
                out.u8(0)
                out.append(head)
                out.append(body)
            }
        }
        if PendingRequests.awaits(pending.login, contact.key) {
            PendingRequests.clear(&pending.login)
            receivedLoginAnswer(from: contact.key, data)
        } else if data.count > 4, PendingRequests.awaits(pending.status, contact.key) {
            PendingRequests.clear(&pending.status)
            answer(.statusResponse, prefix)
        } else if isAwaited(pending.telemetry) {
            PendingRequests.clear(&pending.telemetry)
            answer(.telemetryResponse, prefix)
        } else if isAwaited(pending.request) {
            PendingRequests.clear(&pending.request)
            answer(.binaryResponse, tag)
        } else {
            node.ignore(held, "answer-not-expected")
        }
    }

    /// Reads what every answer has, and zeros where it ends early.
    private func receivedLoginAnswer(from key: PublicKey, _ answer: [UInt8]) {
        let prefix = key.prefix(6)
        let data = answer + [UInt8](repeating: 0, count: max(0, 13 - answer.count))
        if data[4] == UInt8(ascii: "O"), data[5] == UInt8(ascii: "K") {
            return reply(.loginSucceeded) { out in
                out.u8(0)
                out.append(prefix)
            }
        }
        guard data[4] == 0 else {
            return reply(.loginFailed) { out in
                out.u8(0)
                out.append(prefix)
            }
        }
        if data[5] != 0 { connections.add(key) }
        reply(.loginSucceeded) { out in
            out.u8(data[6])
            out.append(prefix)
            guard profile.loginFrame > 8 else { return }
            out.append(data[..<4])
            out.u8(data[7])
            if profile.loginFrame > 13 { out.u8(data[12]) }
        }
    }

    func receivedAnonymous(from key: PublicKey, plain: [UInt8], packet: HeldPacket) {}

    // MARK: Channels, traces, control, raw

    func receivedGroup(_ held: HeldPacket) {
        let payload = held.packet.payload
        let facts = held.facts ?? PayloadFacts(held.packet, work: node.world.work)
        let candidates = channels.indices.filter {
            channels[$0].secret.hash == payload[0] && (quirks.usesUnsetChannels || !channels[$0].isUnset)
        }.prefix(4)
        for index in candidates {
            guard let plain = facts.open(channels[index].secret) else { continue }
            if held.packet.type == .groupText {
                guard plain.count >= 5, plain[4] >> 2 == 0 else { return node.ignore(held, "text-type-not-handled") }
                queueChannelText(channel: slot(of: channels[index]), plain, held)
            } else {
                guard plain.count >= 3, Int(plain[2]) <= plain.count - 3 else {
                    return node.ignore(held, "malformed")
                }
                queueChannelData(channel: slot(of: channels[index]), plain, held)
            }
            return
        }
        node.ignore(held, "no-channel")
    }

    /// The first slot with the same secret, which is what the app is told.
    private func slot(of channel: Channel) -> UInt8 {
        let place = channels.firstIndex { $0.secret.secret32 == channel.secret.secret32 }
        return UInt8(truncatingIfNeeded: place ?? 0xFF)
    }

    /// What fits the output buffer, one byte more than a frame may have.
    private var outputLimit: Int { profile.maximumFrame + 1 }

    func receivedTrace(_ held: HeldPacket) {
        let payload = held.packet.payload
        let hops = payload[9...]
        let readings = hops.count >> Int(payload[8] & 3)
        guard 12 + hops.count + readings + 1 <= outputLimit else { return }
        buildForClient(.traceData) { out in
            out.u8(0)
            out.u8(UInt8(truncatingIfNeeded: hops.count))
            out.u8(payload[8])
            out.append(payload[..<8])
            out.append(hops)
            out.append(held.packet.path.prefix(readings))
            out.i8(held.snrQuarterDB)
        }
    }

    func receivedControl(_ held: HeldPacket) {
        guard held.packet.payload.count + 4 <= outputLimit else { return }
        buildForClient(.controlData) { out in
            out.i8(node.lastSNR)
            out.i8(node.lastRSSI)
            out.u8(held.packet.pathLength.rawValue)
            out.append(held.packet.payload)
        }
    }

    func receivedRaw(_ held: HeldPacket) {
        guard held.packet.payload.count + 4 <= outputLimit else { return }
        buildForClient(.rawData) { out in
            out.i8(node.lastSNR)
            out.i8(node.lastRSSI)
            out.u8(0xFF)
            out.append(held.packet.payload)
        }
    }
}
