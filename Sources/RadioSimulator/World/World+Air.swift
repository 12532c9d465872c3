internal import MeshProtocol
public import RigBase
public import RunRecord

/// The air: who hears a transmission, and what becomes of it.
extension World {
    /// Puts a packet on the air; every linked node will notice it.
    func transmit(_ held: HeldPacket, from node: Node) -> Transmission {
        let bytes = held.packet.encoded
        let airtime = node.radio.airtimeMicros(length: bytes.count)
        tellTuning(of: node)
        let event = post(
            .packetSent, node.name, at: node.now, cause: held.cause, packet: held.lineage,
            describe(held.packet).merging(["bytes": .bytes(bytes), "airtime": FieldValue(airtime)]))
        let air = Transmission(
            sender: node.index, senderName: node.name, start: node.now,
            end: node.now + Int64((airtime + 999) / 1_000), airtimeMicros: airtime, bytes: bytes,
            parameters: node.radio, lineage: held.lineage, event: event)
        air.share(held.facts)
        work.counts.transmissions += 1
        let visible = visibleMillisecond(for: node.now)
        for place in 0..<links.count(from: node.index) {
            let listener = nodes[links.end(from: node.index, place: place)]
            let (snr, rssi) = links.strength(from: node.index, place: place, at: node.now, fading: fades)
            var reason: MissReason?
            if links.loses(bytes, from: node.index, place: place, drawing: drawsLoss) {
                reason = .linkLoss
            } else if spec.medium == .lossy, let threshold = listener.radio.thresholdQuarterDB,
                !links.passes(from: node.index, place: place, margin: Int(snr) - threshold)
            {
                reason = .tooWeak
            }
            let isNoticed =
                !(spec.senseMiss.map { links.overlooks($0, from: node.index, place: place, snrQuarterDB: snr) } ?? false)
            let heard = HeardFrame(
                transmission: air, snrQuarterDB: snr, rssi: rssi, visible: visible,
                impossible: reason ?? obstacle(to: air, at: listener, snrQuarterDB: snr), isNoticed: isNoticed)
            if airFaults.isEmpty { hear(heard, at: listener) } else { hear(air, from: node, at: listener, heard) }
        }
        return air
    }

    /// Says once with which settings a node sends, and again when they have changed.
    private func tellTuning(of node: Node) {
        let radio = node.radio
        guard node.toldRadio != radio else { return }
        node.toldRadio = radio
        post(
            .radioTuned, node.name, at: node.now,
            [
                "frequency": FieldValue(radio.frequencyKHz), "bandwidth": FieldValue(radio.bandwidthHz),
                "spreading-factor": FieldValue(radio.spreadingFactor), "coding-rate": FieldValue(radio.codingRate),
            ])
    }

    /// What keeps a node from receiving a frame whatever its receiver does.
    private func obstacle(to air: Transmission, at node: Node, snrQuarterDB: Int8) -> MissReason? {
        guard !ignoresSettings else { return node.isOn ? nil : .radioOff }
        let (mine, theirs) = (node.radio, air.parameters)
        if mine.frequencyKHz != theirs.frequencyKHz || mine.bandwidthHz != theirs.bandwidthHz
            || mine.spreadingFactor != theirs.spreadingFactor
        {
            return .otherSettings
        }
        if spec.medium == .contention, let threshold = mine.thresholdQuarterDB, Int(snrQuarterDB) < threshold {
            return .tooWeak
        }
        return node.isOn ? nil : .radioOff
    }

    /// Shows a frame to a node's receiver.
    func hear(_ frame: HeardFrame, at node: Node) {
        node.receiver.hear(frame)
        guard node.isOn, node.receiver.nextLook < node.wake else { return }
        node.wake = max(node.now + 1, node.receiver.nextLook)
        reschedule(node)
    }

    /// A frame has ended at one receiver.
    func ended(_ frame: HeardFrame, _ outcome: ReceptionOutcome, at node: Node) {
        let air = frame.transmission
        work.counts.receptions += 1
        switch outcome {
        case .received:
            let event = post(
                .packetReceived, node.name, at: node.now, cause: air.event, packet: air.lineage,
                Self.heard(frame).merging(["bytes": .bytes(air.bytes)]))
            if !behaviours.isEmpty { overheard(air, at: node, event) }
            node.inbox.append(
                Reception(transmission: air, snrQuarterDB: frame.snrQuarterDB, rssi: frame.rssi, event: event))
        case .damaged:
            node.counters.receiveErrors += 1
            node.lastSNR = frame.snrQuarterDB
            node.lastRSSI = frame.rssi
            missed(frame, .collision, at: node)
        case .missed(let reason): missed(frame, reason, at: node)
        }
    }

    private func missed(_ frame: HeardFrame, _ reason: MissReason, at node: Node) {
        let air = frame.transmission
        post(
            .packetMissed, node.name, at: node.now, cause: air.event, packet: air.lineage,
            Self.heard(frame).merging(Self.why(reason, frame.disturber)))
    }

    /// The reason and the frame that stood in the way, if one did.
    private static func why(_ reason: MissReason, _ other: Transmission?) -> Fields {
        guard let other, [.collision, .receiverBusy, .halfDuplex].contains(reason) else {
            return ["reason": FieldValue(reason.rawValue)]
        }
        return [
            "reason": FieldValue(reason.rawValue), "with": FieldValue(other.senderName),
            "with-packet": FieldValue(other.lineage),
        ]
    }

    private static func heard(_ frame: HeardFrame) -> Fields {
        [
            "from": FieldValue(frame.transmission.senderName), "snr": FieldValue(frame.snrQuarterDB),
            "rssi": FieldValue(frame.rssi),
        ]
    }

    /// First millisecond in which other nodes may notice a frame that begins at `start`.
    private func visibleMillisecond(for start: Int64) -> Int64 {
        guard case .recorder(let chunkMillis) = spec.medium else { return start + 1 }
        let chunk = Int64(max(1, chunkMillis))
        return (start + chunk - 1) / chunk * chunk + 1
    }

    private var ignoresSettings: Bool { if case .recorder = spec.medium { true } else { false } }

    /// A loss that a link has or is given counts in every medium but the recorder's, which knows none.
    private var drawsLoss: Bool { !ignoresSettings }

    private var fades: Bool { spec.medium == .lossy || spec.medium == .contention }

    /// Whether receivers lock on one frame at a time.
    var isExclusive: Bool { !(spec.medium == .ideal || spec.medium == .lossy) }

    /// Type, route and hops of a packet, as journal fields.
    func describe(_ packet: Packet) -> Fields {
        [
            "type": FieldValue(packet.type.name), "route": FieldValue(packet.route.description),
            "hops": FieldValue(packet.pathLength.hopCount), "size": FieldValue(packet.frameLength),
        ]
    }

    /// Lets a node hear a frame that no node sent. It lasts `duration` milliseconds.
    public func inject(
        packet bytes: [UInt8], to name: String, snrQuarterDB: Int8 = 32, rssi: Int8 = -80, duration: Int64 = 100,
        cause: EventID? = nil
    ) {
        let node = node(name)
        let lineage = nextLineage()
        let event = post(
            .packetSent, "@inject", at: millisecond, cause: cause, packet: lineage,
            ["bytes": .bytes(bytes), "to": FieldValue(name)])
        let air = Transmission(
            sender: nil, senderName: "@inject", start: millisecond, end: millisecond + duration,
            airtimeMicros: Int(duration) * 1_000, bytes: bytes, parameters: node.radio, lineage: lineage, event: event)
        hear(
            HeardFrame(
                transmission: air, snrQuarterDB: snrQuarterDB, rssi: rssi, visible: millisecond + 1,
                impossible: obstacle(to: air, at: node, snrQuarterDB: snrQuarterDB)), at: node)
    }

    // MARK: Topology

    /// Makes or changes what `to` hears of `from`, for frames that begin after now. A schedule counts only in the
    /// description a world is made from.
    public func setLink(_ spec: LinkSpec) {
        links.set(from: node(spec.from).index, to: node(spec.to).index, spec)
        post(
            .linkChanged, spec.from, at: millisecond,
            [
                "to": FieldValue(spec.to), "snr": FieldValue(spec.snrQuarterDB), "rssi": FieldValue(spec.rssi),
                "up": true,
            ])
    }

    public func setLink(
        from: String, to: String, snrQuarterDB: Int8 = 48, rssi: Int8 = -60, loss: Ratio = .never,
        bursts: BurstLoss? = nil
    ) {
        setLink(LinkSpec(from: from, to: to, snrQuarterDB: snrQuarterDB, rssi: rssi, loss: loss, bursts: bursts))
    }

    public func setLinkBoth(
        _ one: String, _ other: String, snrQuarterDB: Int8 = 48, rssi: Int8 = -60, loss: Ratio = .never,
        bursts: BurstLoss? = nil
    ) {
        setLink(from: one, to: other, snrQuarterDB: snrQuarterDB, rssi: rssi, loss: loss, bursts: bursts)
        setLink(from: other, to: one, snrQuarterDB: snrQuarterDB, rssi: rssi, loss: loss, bursts: bursts)
    }

    public func cutLink(from: String, to: String) {
        links.cut(from: node(from).index, to: node(to).index)
        post(.linkChanged, from, at: millisecond, ["to": FieldValue(to), "up": false])
    }

    public func cutLinkBoth(_ one: String, _ other: String) {
        cutLink(from: one, to: other)
        cutLink(from: other, to: one)
    }

    /// The next frame on this link, or the next one of exactly these bytes, does not arrive.
    public func loseNext(from: String, to: String, bytes: [UInt8]? = nil) {
        links.planLoss(from: node(from).index, to: node(to).index, bytes: bytes)
    }

    /// What `to` hears of `from` now, as it was set; nil when nothing.
    public func link(from: String, to: String) -> LinkSpec? { links.spec(from: node(from).index, to: node(to).index) }

    /// Carries out a planned change of a link.
    func carryOut(_ change: ScheduledLink.Change, on planned: LinkSpec) {
        switch change {
        case .cut: cutLink(from: planned.from, to: planned.to)
        case .quality(let snr, let rssi, let loss):
            var link = link(from: planned.from, to: planned.to) ?? planned
            if let snr { link.snrQuarterDB = snr }
            if let rssi { link.rssi = rssi }
            if let loss { link.loss = loss }
            setLink(link)
        }
    }
}
