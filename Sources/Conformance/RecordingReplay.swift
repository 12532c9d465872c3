internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import RunRecord

/// Plays a recording's inputs into a simulated world and collects what the world does.
final class RecordingReplay {
    private let recording: Recording
    private let file: String
    private let masks: MaskList
    private let journal = Journal()
    private let world: World
    /// Last millisecond that is compared.
    private let end: Int64

    init(
        _ recording: Recording, file: String, masks: MaskList = .all, until limit: Int64
    ) throws(RecordingError) {
        self.masks = masks
        self.recording = recording
        self.file = file
        end = min(limit, Self.lastMillisecond(of: recording))
        do throws(WorldError) {
            world = try World(WorldBuilder.spec(of: recording), journal: journal)
        } catch {
            throw RecordingError(file: file, line: 1, problem: "no world can be made from the header: \(error)")
        }
    }

    private static func lastMillisecond(of recording: Recording) -> Int64 {
        recording.rows.reduce(0) { latest, row in
            switch row.content {
            case .onAir(_, _, _, let receptions), .inject(_, _, _, _, let receptions):
                max(latest, row.at, receptions.map(\.at).max() ?? 0)
            default: max(latest, row.at)
            }
        }
    }

    /// Feeds every input at its millisecond, after what the nodes did in it.
    func run() {
        for (at, row) in inputs() where at <= end {
            world.run(until: SimInstant(milliseconds: at))
            apply(row)
        }
        // Receptions of packets that began before the end still belong to their rows.
        world.run(until: SimInstant(milliseconds: end + 20_000))
    }

    /// Inputs with the time they take effect; a lost packet is planned in the millisecond before it is sent.
    private func inputs() -> [(at: Int64, row: Recording.Row)] {
        var inputs: [(at: Int64, row: Recording.Row)] = []
        for row in recording.rows {
            switch row.content {
            case .toRadio, .inject, .link, .unlink: inputs.append((row.at, row))
            case .console(_, let sentAt, _, _): inputs.append((sentAt, row))
            case .lost(let from, _, let bytes):
                let start = recording.rows.last { other in
                    guard case .onAir(from, bytes, _, _) = other.content else { return false }
                    return other.at <= row.at
                }
                inputs.append((max(0, (start?.at ?? row.at) - 1), row))
            case .fromRadio, .onAir, .reboot, .powerOff, .processExit, .mark: break
            }
        }
        return inputs.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    private func apply(_ row: Recording.Row) {
        switch row.content {
        case .toRadio(let node, let bytes, let isRaw):
            if row.zeroesBuffer { world.zeroCommandBuffer(of: node) }
            world.hostWrite(isRaw ? bytes : WorldBuilder.envelope(bytes), to: node, cause: nil)
        case .inject(let node, let bytes, let snr, let rssi, _):
            world.inject(packet: bytes, to: node, snrQuarterDB: snr, rssi: rssi)
        case .link(let link):
            world.setLink(from: link.from, to: link.to, snrQuarterDB: link.snrQuarterDB, rssi: link.rssi)
            if link.isMutual {
                world.setLink(from: link.to, to: link.from, snrQuarterDB: link.snrQuarterDB, rssi: link.rssi)
            }
        case .unlink(let from, let to, let isMutual):
            world.cutLink(from: from, to: to)
            if isMutual { world.cutLink(from: to, to: from) }
        case .lost(let from, let to, let bytes): world.loseNext(from: from, to: to, bytes: bytes)
        case .console(let node, _, let command, _): world.consoleWrite(command, to: node)
        case .fromRadio, .onAir, .reboot, .powerOff, .processExit, .mark: break
        }
    }

    // MARK: Both sides of the comparison

    /// Everything up to the end, a stream for each node and kind, in header order.
    func streams() -> [ObservationStream] {
        var streams = recording.nodes.flatMap { node in
            ObservationStream.Kind.allCases.map { ObservationStream(node: node.name, kind: $0) }
        }
        func add(_ observation: Observation, _ node: String, _ kind: ObservationStream.Kind, recorded: Bool) {
            guard observation.at <= end,
                let index = streams.firstIndex(where: { $0.node == node && $0.kind == kind })
            else { return }
            if recorded {
                streams[index].recorded.append(observation)
            } else {
                streams[index].simulated.append(observation)
            }
        }
        addRecorded { add($0, $1, $2, recorded: true) }
        for node in recording.nodes {
            for output in world.takeHostOutput(of: node.name) {
                let observation = Observation(at: output.at.milliseconds, content: .frame(output.frame))
                add(observation, node.name, .frames, recorded: false)
            }
        }
        addJournal { add($0, $1, $2, recorded: false) }
        addConsole { add($0, $1, $2, recorded: false) }
        return streams
    }

    private func addRecorded(_ add: (Observation, String, ObservationStream.Kind) -> Void) {
        let masksPositions = masks.values.contains(.positionNeverGiven)
        var masking = OrderedTable<String, FrameMasking>()
        for row in recording.rows {
            var observation = Observation(at: row.at, content: .crash, line: row.line)
            switch row.content {
            case .toRadio(let node, let bytes, let isRaw):
                guard masksPositions, !isRaw else { continue }
                var mask = masking[node] ?? FrameMasking()
                mask.sees(command: bytes)
                masking[node] = mask
            case .fromRadio(let node, let frame):
                observation.content = .frame(frame)
                observation.ignored = (masking[node] ?? FrameMasking()).ranges(in: frame)
                add(observation, node, .frames)
            case .onAir(let node, let bytes, let airtime, let receptions):
                observation.content = .packet(bytes: bytes, airtimeMicros: airtime, receptions: receptions)
                add(observation, node, .packets)
                for reception in receptions where reception.isIntact { masking[reception.node]?.sees(packet: bytes) }
            case .inject(let node, let bytes, _, _, let receptions):
                observation.content = .script(bytes: bytes, receptions: receptions)
                add(observation, node, .scripts)
                masking[node]?.sees(packet: bytes)
            case .reboot(let node, let clock, let boot):
                observation.at = boot
                observation.content = .boot(clock: clock)
                add(observation, node, .boots)
            case .processExit(let node): add(observation, node, .boots)
            case .powerOff(let node):
                observation.content = .powerOff
                add(observation, node, .boots)
            case .console(let node, _, _, let output):
                observation.content = .console(output)
                add(observation, node, .console)
            case .link, .unlink, .lost, .mark: break
            }
        }
    }

    /// What the console printed in each window in which the recorder listened.
    private func addConsole(_ add: (Observation, String, ObservationStream.Kind) -> Void) {
        for node in recording.nodes {
            let printed = world.takeConsoleOutput(of: node.name)
            for row in recording.rows {
                guard case .console(node.name, let sentAt, _, _) = row.content else { continue }
                let window = printed.filter { $0.at.milliseconds > sentAt && $0.at.milliseconds <= row.at }
                add(Observation(at: row.at, content: .console(window.map(\.text).joined())), node.name, .console)
            }
        }
    }

    /// Packets with their receptions, and restarts, from the world's journal.
    private func addJournal(_ add: (Observation, String, ObservationStream.Kind) -> Void) {
        var packets: [(observation: Observation, node: String, kind: ObservationStream.Kind)] = []
        var places: [EventID: Int] = [:]
        for event in journal.events() {
            switch event.kind {
            case .packetSent:
                guard case .bytes(let bytes)? = event["bytes"] else { continue }
                places[event.id] = packets.count
                let at = event.at.milliseconds
                if case .text(let target)? = event["to"], event.subject == "@inject" {
                    packets.append(
                        (Observation(at: at, content: .script(bytes: bytes, receptions: [])), target, .scripts))
                } else {
                    let airtime = if case .int(let micros)? = event["airtime"] { Int(micros) } else { 0 }
                    let content = Observation.Content.packet(bytes: bytes, airtimeMicros: airtime, receptions: [])
                    packets.append((Observation(at: at, content: content), event.subject, .packets))
                }
            case .packetReceived, .packetMissed:
                let isIntact = event.kind == .packetReceived
                guard isIntact || event["reason"] == "collision", let place = event.cause.flatMap({ places[$0] })
                else { continue }
                let reception = Recording.Reception(
                    node: event.subject, at: event.at.milliseconds, isIntact: isIntact)
                packets[place].observation.add(reception, order: recording.nodes.map(\.name))
            case .nodeBooted:
                if let restart = restart(event) { add(restart, event.subject, .boots) }
            case .nodeStopped where event["reason"] == "power-off":
                add(Observation(at: event.at.milliseconds, content: .powerOff), event.subject, .boots)
            default: continue
            }
        }
        for packet in packets { add(packet.observation, packet.node, packet.kind) }
    }

    /// A restart or crash as the recorder writes it; nil for the first start of a node.
    private func restart(_ booted: RunEvent) -> Observation? {
        guard let stopped = booted.cause.flatMap({ journal.event($0) }) else { return nil }
        if stopped.kind == .firmwareCrash {
            // The recorder notices the end of the process at the end of its step.
            let chunk = Int64(recording.chunkMillis)
            let noticed = (stopped.at.milliseconds + chunk - 1) / chunk * chunk
            return Observation(at: noticed, content: .crash)
        }
        guard case .int(let clock)? = stopped["clock"] else { return nil }
        return Observation(at: booted.at.milliseconds, content: .boot(clock: UInt32(truncatingIfNeeded: clock)))
    }
}

extension Observation {
    /// Adds a reception in the order of the header's nodes.
    fileprivate mutating func add(_ reception: Recording.Reception, order: [String]) {
        func sorted(_ receptions: [Recording.Reception]) -> [Recording.Reception] {
            (receptions + [reception]).sorted {
                (order.firstIndex(of: $0.node) ?? 0, $0.at) < (order.firstIndex(of: $1.node) ?? 0, $1.at)
            }
        }
        switch content {
        case .packet(let bytes, let airtime, let receptions):
            content = .packet(bytes: bytes, airtimeMicros: airtime, receptions: sorted(receptions))
        case .script(let bytes, let receptions):
            content = .script(bytes: bytes, receptions: sorted(receptions))
        default: break
        }
    }
}
