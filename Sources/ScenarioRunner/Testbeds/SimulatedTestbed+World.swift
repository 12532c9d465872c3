internal import CompanionProtocol
internal import MeshProtocol
internal import MeshTransport
internal import RadioSimulator
internal import RigBase
internal import RigRuntime
internal import ScenarioModel

/// What verbs and expectations ask of the simulated world.
extension SimulatedTestbed {
    package func publicKey(of node: String) -> [UInt8]? {
        world.hasNode(node) ? world.publicKey(of: node).bytes : nil
    }

    package func name(ofKeyBeginning prefix: [UInt8]) -> String? {
        world.names.first { world.publicKey(of: $0).bytes.starts(with: prefix) }
    }

    package func say(_ message: PeerMessage) throws {
        let sender = try snapshot(message.from)
        // What the radio would refuse in silence is an author's mistake.
        guard world.inspect(message.from).isOn else {
            throw StepFailure("bad-state", "\(message.from) is switched off")
        }
        switch message.target {
        case .node(let name):
            try check(name)
            let key = world.publicKey(of: name)
            guard sender.contacts.contains(where: { $0.key == key }) else {
                throw StepFailure("unknown-contact", "\(message.from) has no contact \(name)")
            }
            guard message.text.utf8.count <= SendTextCommand.maxTextSize else {
                throw StepFailure(
                    "text-too-long",
                    "the text has \(message.text.utf8.count) bytes, a radio takes \(SendTextCommand.maxTextSize)")
            }
            world.sendText(
                as: message.from, toNode: name, message.text, attempt: message.attempt, timestamp: message.timestamp,
                cause: SeamCause.current)
        case .channel(let name):
            guard
                let index = sender.channels.first(where: {
                    $0.name == ChannelNames.stored(name) || "\($0.index)" == name
                })?.index
            else { throw StepFailure("unknown-channel", "\(message.from) has no channel \"\(name)\"") }
            world.sendChannelText(
                as: message.from, channel: UInt8(clamping: index), message.text, timestamp: message.timestamp,
                cause: SeamCause.current)
        }
    }

    package func advertise(_ node: String, flood: Bool) throws {
        try check(node)
        guard world.inspect(node).isOn else { throw StepFailure("bad-state", "\(node) is switched off") }
        world.sendAdvert(as: node, flood: flood, cause: SeamCause.current)
    }

    package func changeLink(_ change: LinkChange) throws {
        try check(change.from)
        try check(change.to)
        let directions =
            change.bothWays ? [(change.from, change.to), (change.to, change.from)] : [(change.from, change.to)]
        for (from, to) in directions {
            switch change.kind {
            case .cut: world.cutLink(from: from, to: to)
            case .heal:
                guard let original = world.spec.links.first(where: { $0.from == from && $0.to == to }) else {
                    throw StepFailure("unknown-link", "the file has no link from \(from) to \(to)")
                }
                world.setLink(original)
            case .degrade(let snr, let loss):
                guard var present = world.link(from: from, to: to) else {
                    throw StepFailure("unknown-link", "there is no link from \(from) to \(to)")
                }
                if let snr { present.snrQuarterDB = Int8(clamping: snr) }
                if let loss { present.loss = loss }
                world.setLink(present)
            }
        }
    }

    package func healAllLinks() throws {
        for link in world.spec.links { world.setLink(link) }
        if places.geometry != nil { moveLinks() }
    }

    package func change(_ node: String, _ change: NodeChange) throws {
        try check(node)
        switch change {
        case .clock(let seconds): world.setClock(node, to: seconds)
        case .clockJump(let seconds):
            world.setClock(node, to: UInt32(clamping: Int64(world.clock(of: node)) + seconds))
        case .battery(let millivolts): world.setBattery(node, millivolts: millivolts)
        case .readings(let readings): world.setReadings(node, readings.sensorReadings, fix: readings.fix)
        case .quirk(let name, let isOn):
            guard world.inspect(node).companion != nil else {
                throw StepFailure("no-companion", "\(node) is no companion; only companions have quirks")
            }
            var quirks = world.quirks(of: node)
            _ = quirks.set(name, to: isOn)
            world.setQuirks(node, quirks)
        case .position(let place):
            guard let index = places.nodes.firstIndex(where: { $0.name == node }) else { return }
            places.nodes[index].position = place
            world.setPosition(node, Position(latitude: place.latitudeE6, longitude: place.longitudeE6))
            if places.geometry != nil { moveLinks() }
        }
    }

    /// Works the links from positions out anew, and changes those that have become others.
    private func moveLinks() {
        let present = WorldBuilder(places, ProblemList()).geometryLinks(world.spec)
        let ends = Set(present.map { [$0.from, $0.to] })
        for link in geometryLinks where !ends.contains([link.from, link.to]) {
            world.cutLink(from: link.from, to: link.to)
        }
        for link in present where world.link(from: link.from, to: link.to) != link { world.setLink(link) }
        geometryLinks = present
    }

    package func loseHostLink(refusingFor duration: Duration?) async throws {
        if let duration {
            // A later loss may not shorten an earlier one's refusal.
            let until = max(refusedUntil, runtime.now().advanced(by: duration))
            refusedUntil = until
            port.refuseConnections(true)
            refusal?.cancel()
            refusal = runtime.spawn("refusing connections") { [runtime, port] in
                guard (try? await runtime.sleep(until: Deadline(at: until))) != nil else { return }
                port.refuseConnections(false)
            }
        }
        port.lose(.failed("link lost"))
    }

    package func reboot(_ node: String) throws {
        try check(node)
        world.reboot(node)
    }

    package func setPower(_ node: String, on: Bool) throws {
        try check(node)
        world.power(node, on: on)
        guard node == clientRole else { return }
        port.refuseConnections(!on)
        if !on { port.lose(.failed("the radio is off")) }
    }

    package func waitingMessages(of node: String) throws -> [WaitingMessage] {
        try snapshot(node).offlineQueue.compactMap(WaitingMessage.init(frame:))
    }

    package func radioState(of node: String) throws -> RadioState {
        let snapshot = try snapshot(node)
        return RadioState(
            contacts: snapshot.contacts.count, queue: snapshot.offlineQueue.count, name: snapshot.displayName,
            channels: snapshot.channels.map { ($0.index, $0.name) })
    }

    private func snapshot(_ node: String) throws -> CompanionSnapshot {
        try check(node)
        guard let companion = world.inspect(node).companion else {
            throw StepFailure("no-companion", "\(node) is no companion")
        }
        return companion
    }

    private func check(_ node: String) throws {
        guard world.hasNode(node) else { throw StepFailure("unknown-node", "the world has no node \"\(node)\"") }
    }
}
