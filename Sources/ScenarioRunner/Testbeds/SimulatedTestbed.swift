package import ClientServices
package import ClientStore
internal import CompanionProtocol
internal import MeshProtocol
internal import MeshTransport
internal import RadioSimulator
package import RigBase
package import RigRuntime
package import RunRecord
package import ScenarioModel

/// A simulated world with the real client stack on the host link of one of its companions, in virtual time.
///
/// Everything in it runs on the one thread that calls `run`: the world is used from there alone, and so are all jobs of the
/// executor that reach it through the `Testbed` calls. That is why it may be handed around as `Sendable`.
package final class SimulatedTestbed: CaseTestbed, @unchecked Sendable {
    package let runtime: Runtime
    package let client: ConnectionManager
    package let clientRole: String
    package let faults: FaultBoard
    package let store: PersistenceStore

    private let executor: SimExecutor
    private let clock: VirtualClock
    private let world: World
    private let port: SimulatedPort
    private let causes: FrameCauses
    private let keepsLinkOverRestart: Bool
    /// Accepts connections again, and when.
    private var refusal: Task<Void, Never>?
    private var refusedUntil = SimInstant.zero

    /// Builds everything; nothing runs yet. What is wrong in the file is thrown with its place.
    package init(
        _ scenario: ScenarioDocument, seed: UInt64, defects: Defects, journal: Journal
    ) throws {
        let problems = ProblemList()
        executor = SimExecutor()
        clock = VirtualClock()
        keepsLinkOverRestart = scenario.link?.pacing.name == "usb-uart-115200"
        let runtime = Runtime.simulated(
            executor: executor, clock: clock, epoch: scenario.epoch, seed: seed, journal: journal, defects: defects)
        self.runtime = runtime

        let companions = scenario.world.nodes.filter { $0.role == .companion }
        guard let role = scenario.client?.role.name ?? companions.first?.name else {
            throw ScenarioErrors([ScenarioError(scenario.world.spot, "the world has no companion for a client")])
        }
        if let place = scenario.client?.role {
            place.check(among: companions.map(\.name), what: "companion", problems)
        }
        clientRole = role
        let spec = WorldBuilder(scenario.world, problems).build(seed: seed)
        faults = FaultBoard(scenario.faults, runtime: runtime, subject: role, problems)
        try problems.throwIfAny()
        do {
            world = try World(spec, journal: journal)
        } catch {
            throw ScenarioErrors([ScenarioError(scenario.world.spot, error.description)])
        }

        let secrets = Self.secrets(of: world, role: role)
        let port = SimulatedPort(name: role)
        let causes = FrameCauses()
        self.port = port
        self.causes = causes
        let control = faults.control
        let pacing = Self.pacing(of: scenario.link)
        store = try PersistenceStore(.memory)
        client = ConnectionManager(
            runtime: runtime, store: store,
            makeTransport: {
                let link = SimulatedTransport(port: port, runtime: runtime)
                let paced: any Transport = pacing.map { PacedTransport(link, runtime: runtime, pacing: $0) } ?? link
                let faulty = FaultyTransport(paced, runtime: runtime, control: control)
                return RecordingTransport(
                    faulty, runtime: runtime, subject: role, causes: causes, secrets: secrets)
            },
            name: role, configuration: scenario.client?.settings.configuration ?? ServiceConfiguration())
    }

    /// What the client's radio could say that nobody may read in a journal.
    private static func secrets(of world: World, role: String) -> SecretMemory {
        let memory = SecretMemory()
        for channel in world.inspect(role).companion?.channels ?? [] { channel.key.reveal { memory.learn($0) } }
        if let node = world.spec.nodes.first(where: { $0.name == role }) {
            (node.identity ?? .named(node.name)).privateKey.reveal { memory.learn($0) }
        }
        return memory
    }

    private static func pacing(of link: LinkPacingDocument?) -> LinkPacing? {
        guard let link else { return nil }
        var pacing = LinkPacing.named.first { $0.name == link.pacing.name }?.pacing
        if link.bytesPerSecond != nil || link.chunk != nil, pacing == nil {
            pacing = LinkPacing(bytesPerSecond: nil, pieceSize: nil, latency: .zero, frameInterval: nil)
        }
        if let speed = link.bytesPerSecond { pacing?.bytesPerSecond = speed }
        if let chunk = link.chunk { pacing?.pieceSize = chunk }
        return pacing
    }

    // MARK: The loop

    /// Runs jobs and the world until `isDone`, moving time from event to event.
    ///
    /// `onChange` is called whenever the journal has grown and nothing is ready to run.
    package func run(
        until isDone: () -> Bool, limit: Deadline, eventLimit: Int, onChange: () -> Void
    ) -> LoopEnding {
        var seen = runtime.journal.count
        while true {
            executor.drain()
            if exchange() { continue }
            if runtime.journal.count != seen {
                seen = runtime.journal.count
                // Here, because a loop within one instant never gets any further.
                if seen > eventLimit, !isDone() { return .overLimit("\(eventLimit) events") }
                onChange()
                continue
            }
            if isDone() { return .finished }
            let next = [world.nextEvent, clock.nextSleeper].compactMap { $0 }.min()
            guard let next else { return .stuck }
            if next > limit.instant { return .overLimit("\(limit.instant) of virtual time") }
            move(to: next)
        }
    }

    /// Exactly one event: the world's, or a sleeper's when the world has nothing due.
    private func move(to instant: SimInstant) {
        clock.advance(to: max(instant, clock.now))
        if let due = world.nextEvent, due <= instant {
            world.step()
        } else {
            if instant > world.now { world.advance(to: instant) }
            clock.wakeNext()
        }
    }

    /// Carries bytes over the host link in both directions; false when there were none.
    @discardableResult
    private func exchange() -> Bool {
        let events = port.takeEvents()
        for event in events {
            switch event {
            case .connected: world.hostConnected(clientRole)
            case .disconnected: world.hostDisconnected(clientRole)
            case .written(let bytes, let cause):
                if clock.now > world.now { world.advance(to: clock.now) }
                world.hostWrite(bytes, to: clientRole, cause: cause)
            }
        }
        var chunk: [UInt8] = []
        for output in world.takeHostOutput(of: clientRole) {
            if let cause = output.cause { causes.sent(output.frame, because: cause) }
            chunk += output.bytes
        }
        // A restarting radio takes its USB port or its sockets with it; behind a UART bridge the port stays.
        for stop in world.takeRestarts() where stop.node == clientRole && !keepsLinkOverRestart {
            port.lose(.failed("the radio restarted"))
        }
        // What one millisecond of the radio says arrives in one read, as it does over USB.
        port.deliver(chunk)
        return !events.isEmpty || !chunk.isEmpty
    }

    /// Runs what is left to run without moving time, for example after a cancellation.
    package func drain() {
        executor.drain()
        exchange()
        executor.drain()
    }

    /// Ends what only the testbed itself still waits for, once the script is done.
    package func endDisturbances() {
        faults.removeAll()
        refusal?.cancel()
    }

    // MARK: Testbed

    package func publicKey(of node: String) -> [UInt8]? {
        world.hasNode(node) ? world.publicKey(of: node).bytes : nil
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

/// Names of channels in files and in radios.
enum ChannelNames {
    /// `public` in a file is the channel the firmware calls `Public`.
    static func stored(_ name: String) -> String { name == "public" ? "Public" : name }
}

extension WaitingMessage {
    /// Nil for frames that are no text messages.
    init?(frame: [UInt8]) { self.init(RadioFrame.decode(frame)) }

    init?(_ frame: RadioFrame) {
        switch frame {
        case .directMessage(let message):
            self.init(
                senderPrefix: message.senderPrefix, channelIndex: nil, text: message.text.string,
                timestamp: message.timestamp)
        case .channelMessage(let message):
            self.init(
                senderPrefix: nil, channelIndex: Int(message.channel), text: message.text.string,
                timestamp: message.timestamp)
        default: return nil
        }
    }
}
