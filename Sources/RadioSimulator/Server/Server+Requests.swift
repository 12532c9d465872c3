internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// What a server answers to its members (remote-nodes §2).
extension Server {
    func peers(hash: UInt8) -> [Int] { table.clients.indices.filter { table.clients[$0].key.nodeHash == hash } }

    func secret(ofPeer peer: Int) -> SharedSecret { table.clients[peer].secret }

    func received(_ type: PayloadType, from peer: Int, plain: [UInt8], packet held: inout HeldPacket) {
        switch type {
        case .request where plain.count > 4: receivedRequest(from: peer, plain, held)
        case .textMessage where plain.count > 5: receivedText(from: peer, plain, held)
        default: node.ignore(held, "type-not-handled")
        }
    }

    func receivedPath(_ path: ReturnedPath, from peer: Int, packet held: inout HeldPacket) -> Bool {
        table.clients[peer].pathLength = path.length
        table.clients[peer].path = path.path
        table.clients[peer].lastActivity = node.seconds()
        clientsChanged()
        if path.extraType == PayloadType.ack.rawValue, path.extra.count >= 4 {
            _ = confirmPush(Array(path.extra[..<4]))
        }
        return false
    }

    private func receivedRequest(from peer: Int, _ plain: [UInt8], _ held: HeldPacket) {
        let timestamp = Self.number(plain[..<4])
        let last = table.clients[peer].lastTimestamp
        guard kind == .room ? timestamp >= last : timestamp > last else { return node.ignore(held, "replay") }
        if kind == .room {
            accept(timestamp, from: peer)
            table.clients[peer].pushFailures = 0
            if plain[4] == RequestType.keepAlive.rawValue { return keepAlive(peer, plain, held) }
        }
        guard let data = answer(to: table.clients[peer], plain) else { return node.ignore(held, "not-answered") }
        if kind != .room { accept(timestamp, from: peer) }
        respond(Array(plain[..<4]) + data, to: table.clients[peer], held)
    }

    func accept(_ timestamp: UInt32, from peer: Int) {
        table.clients[peer].lastTimestamp = timestamp
        table.clients[peer].lastActivity = node.seconds()
    }

    /// The data behind the tag; nil is silence.
    private func answer(to client: ServerClient, _ plain: [UInt8]) -> [UInt8]? {
        func parameter(_ index: Int) -> UInt8 { plain.indices.contains(5 + index) ? plain[5 + index] : 0 }
        switch RequestType(rawValue: plain[4]) {
        case .status where kind != .sensor: return status
        case .telemetry where kind == .sensor: return sensorTelemetry(asking: ~parameter(0))
        case .series where kind == .sensor && client.role >= 1: return seriesAnswer(plain[5...])
        case .telemetry: return telemetry(allowed: client.role == 0 ? 0 : ~parameter(0))
        case .accessList:
            guard client.isAdmin, parameter(0) == 0, parameter(1) == 0 else { return nil }
            return table.clients.filter { kind == .room ? $0.isAdmin : $0.permissions != 0 }
                .flatMap { $0.key.prefix(6) + [$0.permissions] }
        case .neighbours where kind == .repeater:
            guard parameter(0) == 0 else { return nil }
            return neighbourPage(
                count: Int(parameter(1)), offset: Int(parameter(2)) | Int(parameter(3)) << 8, order: parameter(4),
                prefix: min(32, Int(parameter(5))))
        case .ownerInfo where kind == .repeater:
            return Array(profile.version.utf8) + [0x0A] + preferences.name + [0x0A] + preferences.ownerInfo
        default: return nil
        }
    }

    private var status: [UInt8] {
        let counters = node.counters
        var data = ByteWriter(reserving: 56)
        data.u16(battery)
        data.u16(UInt16(clamping: node.sendQueue.count))
        data.i16(node.noiseFloor)
        data.i16(Int16(node.lastRSSI))
        data.u32(counters.received)
        data.u32(counters.sent)
        data.u32(UInt32(truncatingIfNeeded: counters.transmitAirtime / 1_000))
        data.u32(UInt32(truncatingIfNeeded: node.uptime / 1_000))
        data.u32(counters.sentFlood)
        data.u32(counters.sentDirect)
        data.u32(counters.receivedFlood)
        data.u32(counters.receivedDirect)
        data.u16(node.errorFlags)
        data.i16(Int16(node.lastSNR))
        data.u16(UInt16(truncatingIfNeeded: counters.duplicateDirect))
        data.u16(UInt16(truncatingIfNeeded: counters.duplicateFlood))
        if kind == .repeater {
            data.u32(UInt32(truncatingIfNeeded: counters.receiveAirtime / 1_000))
            data.u32(counters.receiveErrors)
        } else {
            data.u16(posts.stored)
            data.u16(posts.pushed)
        }
        return data.bytes
    }

    /// CayenneLPP records: voltage always, the processor's temperature last when the board has it.
    private func telemetry(allowed: UInt8) -> [UInt8] {
        let voltage = UInt16(truncatingIfNeeded: Int(Float(battery) / 1_000 * 100))
        var record: [UInt8] = [1, 0x74, UInt8(voltage >> 8), UInt8(truncatingIfNeeded: voltage)]
        if let tenths = board.temperatureTenths {
            record += [1, 0x67, UInt8(truncatingIfNeeded: tenths >> 8), UInt8(truncatingIfNeeded: tenths)]
        }
        return record
    }

    /// Neighbours from `offset` on, as many as 130 bytes hold.
    private func neighbourPage(count: Int, offset: Int, order: UInt8, prefix: Int) -> [UInt8] {
        var entries = ByteWriter(reserving: 130)
        var returned: UInt16 = 0
        for neighbour in neighbours.sorted(by: order).dropFirst(offset).prefix(count)
        where entries.count + prefix + 5 <= 130 {
            entries.append(neighbour.key.prefix(prefix))
            entries.u32(node.seconds() &- neighbour.heard)
            entries.i8(neighbour.snrQuarterDB)
            returned += 1
        }
        var data = ByteWriter(reserving: 4 + entries.count)
        data.u16(UInt16(truncatingIfNeeded: neighbours.entries.count))
        data.u16(returned)
        data.append(entries.bytes)
        return data.bytes
    }

    // MARK: Discovery

    func receivedControl(_ held: HeldPacket) {
        guard kind != .room else { return node.ignore(held, "not-answered") }
        let payload = held.packet.payload
        if let request = DiscoverRequest(parsing: payload) {
            answer(request, held)
        } else if kind == .repeater, let response = DiscoverResponse(parsing: payload) {
            guard let discovery, discovery.tag == response.tag, node.now <= discovery.until,
                response.nodeType == .repeater, let key = PublicKey(checking: response.key)
            else { return node.ignore(held, "answer-not-expected") }
            neighbours.heard(
                NeighbourTable.Neighbour(
                    key: key, advertTime: node.seconds(), heard: node.seconds(), snrQuarterDB: held.snrQuarterDB))
        } else {
            node.ignore(held, "type-not-handled")
        }
    }

    private func answer(_ request: DiscoverRequest, _ held: HeldPacket) {
        // A sensor answers however often it is asked, and does not forward.
        guard kind == .sensor || (preferences.isForwarding && discoverLimit.allows(at: node.seconds())) else {
            return node.ignore(held, "limited")
        }
        guard request.wants(nodeType), regionsModified >= request.since ?? 0 else {
            return node.ignore(held, "not-answered")
        }
        let response = DiscoverResponse(
            nodeType: nodeType, snrQuarterDB: held.snrQuarterDB, tag: request.tag,
            key: node.publicKey.prefix(request.prefixOnly ? 8 : 32))
        guard let packet = node.makePacket(.control, payload: response.encoded) else { return }
        let unit = RetransmitDelay.unit(for: packet.packet, radio: node.radio, factor: preferences.floodDelayFactor)
        let delay = node.random.number(from: 0, below: UInt32(RetransmitDelay.bound(unit: unit)))
        node.sendZeroHop(packet, delay: 4 * Int64(delay))
    }

    /// Asks the repeaters in range to report; they become neighbours.
    func discoverNeighbours() {
        let tag = Self.number(node.random.bytes(4)[...])
        discovery = (tag, node.now + 60_000)
        let request = DiscoverRequest(prefixOnly: false, filter: 1 << NodeType.repeater.rawValue, tag: tag, since: 0)
        guard let packet = node.makePacket(.control, payload: request.encoded) else { return }
        node.sendZeroHop(packet)
    }
}
