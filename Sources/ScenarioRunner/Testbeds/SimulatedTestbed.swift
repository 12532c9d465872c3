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

    let executor: SimExecutor
    let clock: VirtualClock
    let world: World
    let port: SimulatedPort
    let causes: FrameCauses
    private let keepsLinkOverRestart: Bool
    /// The world of the file, with the places that nodes have moved to.
    var places: WorldDocument
    /// The links that follow from them.
    var geometryLinks: [LinkSpec]
    /// Accepts connections again, and when.
    var refusal: Task<Void, Never>?
    var refusedUntil = SimInstant.zero

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
        places = scenario.world
        let listed = Set(scenario.world.links.flatMap { $0.directions.map { [$0.from, $0.to] } })
        geometryLinks = spec.links.filter { !listed.contains([$0.from, $0.to]) }
        faults = FaultBoard(scenario.faults, of: scenario.world, runtime: runtime, subject: role, problems)
        try problems.throwIfAny()
        do {
            world = try World(spec, journal: journal)
        } catch {
            throw scenario.world.explaining(error)
        }

        let secrets = Self.secrets(of: world, role: role)
        let port = SimulatedPort(name: role)
        let causes = FrameCauses()
        self.port = port
        self.causes = causes
        faults.attach(SimulatedFaults(world, port: port, clientRole: role))
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
