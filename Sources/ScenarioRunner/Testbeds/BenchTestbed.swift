package import ClientServices
package import ClientStore
internal import CompanionProtocol
internal import MeshTransport
package import RigBase
package import RigRuntime
package import RunRecord
package import ScenarioModel
internal import Synchronization

/// What a run may do to radios that are not simulated.
package struct BenchConsent: Sendable, Hashable {
    /// Packets may go on the air.
    package var transmits: Bool
    /// Settings and contacts of the radios may change.
    package var changesRadios: Bool

    package init(transmits: Bool = false, changesRadios: Bool = false) {
        self.transmits = transmits
        self.changesRadios = changesRadios
    }
}

/// Radios that somebody else runs, with the real client stack on one of them, in real time.
///
/// The client's jobs run on the thread that calls `run`, as in a simulated run; its clock is moved along with the
/// machine's. Radios beside the client's are driven through sessions of their own.
package final class BenchTestbed: CaseTestbed, @unchecked Sendable {
    package let runtime: Runtime
    package let client: ConnectionManager
    package let clientRole: String
    package let faults: FaultBoard
    package let store: PersistenceStore

    /// What the bench itself does beside the client under test; the client's defects are not its own.
    private let peerRuntime: Runtime
    private let executor: SimExecutor
    private let clock: VirtualClock
    private let start = ContinuousClock.now
    private let testbed: TestbedDocument
    private let scenario: ScenarioDocument
    private let secrets = SecretMemory()
    private var peers: [String: BenchPeer] = [:]
    private var keys: [String: [UInt8]] = [:]

    /// Longest time the radios may take to answer before the case begins.
    private static let preparationLimit: Duration = .seconds(60)
    /// Longest time that the ends of the peers' links may take.
    private static let closingLimit: Duration = .seconds(5)

    /// Makes everything and finds out whether the bench is as the scenario wants it. Throws `Blocked` with the first thing
    /// that is not.
    package init(
        _ scenario: ScenarioDocument, on testbed: TestbedDocument, consent: BenchConsent, seed: UInt64,
        defects: Defects, journal: Journal
    ) throws {
        let problems = ProblemList()
        let (executor, clock) = (SimExecutor(), VirtualClock())
        self.executor = executor
        self.clock = clock
        self.testbed = testbed
        self.scenario = scenario
        func makeRuntime(_ defects: Defects) -> Runtime {
            Runtime(
                executor: executor, clock: clock, now: { clock.now }, wallSeconds: { BenchClock.unixSeconds },
                seed: seed, journal: journal, defects: defects)
        }
        let runtime = makeRuntime(defects)
        self.runtime = runtime
        peerRuntime = makeRuntime([])
        let role = scenario.client?.role.name ?? scenario.world.nodes.first { $0.role == .companion }?.name ?? ""
        clientRole = role
        faults = FaultBoard(scenario.faults, of: scenario.world, runtime: runtime, subject: role, problems)
        try problems.throwIfAny()
        try BenchDemands(scenario, testbed, consent).check()
        guard let address = testbed[role]?.address else {
            throw Blocked("\(testbed.file) does not say where the radio of \(role) is reached")
        }
        let (control, secrets) = (faults.control, secrets)
        store = try PersistenceStore(.memory)
        client = ConnectionManager(
            runtime: runtime, store: store,
            makeTransport: {
                RecordingTransport(
                    FaultyTransport(Self.transport(to: address), runtime: runtime, control: control), runtime: runtime,
                    subject: role, causes: nil, secrets: secrets)
            },
            name: role, configuration: scenario.client?.settings.configuration ?? ServiceConfiguration())
        try prepare()
    }

    private static func transport(to address: RadioAddress) -> any Transport {
        switch address {
        case .tcp(let host, let port): TCPTransport(host: host, port: port)
        case .terminal(let path): DescriptorTransport(ttyAt: path)
        }
    }

    // MARK: The loop

    package func run(
        until isDone: () -> Bool, limit: Deadline, eventLimit: Int, onChange: () -> Void
    ) -> LoopEnding {
        var seen = runtime.journal.count
        while true {
            keepTime()
            executor.drain()
            if runtime.journal.count != seen {
                seen = runtime.journal.count
                if seen > eventLimit, !isDone() { return .overLimit("\(eventLimit) events") }
                onChange()
                continue
            }
            if isDone() { return .finished }
            if clock.wakeNext() { continue }
            if clock.now >= limit.instant { return .overLimit("\(limit.instant) of time") }
            let next = min(clock.nextSleeper ?? .distantFuture, limit.instant)
            executor.waitForJobs(atMost: min(clock.now.duration(to: next), .seconds(1)))
        }
    }

    package func drain() {
        keepTime()
        executor.drain()
    }

    package func endDisturbances() {
        faults.removeAll()
        for radio in testbed.radios { peers[radio.role]?.close() }
        _ = run(
            until: { peerRuntime.tasks.running.isEmpty }, limit: Deadline(Self.closingLimit, after: runtime.now()),
            eventLimit: .max, onChange: {})
    }

    private func keepTime() { clock.advance(to: max(clock.now, BenchClock.instant(since: start))) }

    // MARK: Before the case

    /// Asks every radio who it is and whether it has what the scenario's world says; leaves the peers' sessions open.
    private func prepare() throws {
        let outcome = Mutex<Result<[String: [UInt8]], Blocked>?>(nil)
        peerRuntime.spawn("preparation") { [self] in
            do throws(Blocked) {
                let keys = try await identify()
                outcome.withLock { $0 = .success(keys) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        let ending = run(
            until: { outcome.withLock { $0 != nil } },
            limit: Deadline(Self.preparationLimit, after: runtime.now()), eventLimit: .max, onChange: {})
        let result = outcome.withLock { $0 }
        guard ending == .finished, let result else {
            throw Blocked("the radios of \(testbed.file) took more than \(Self.preparationLimit) to answer")
        }
        switch result {
        case .success(let keys): self.keys = keys
        case .failure(let blocked):
            endDisturbances()
            throw blocked
        }
    }

    private func identify() async throws(Blocked) -> [String: [UInt8]] {
        var keys: [String: [UInt8]] = [:]
        for radio in testbed.radios where scenario.world.node(named: radio.role) != nil {
            guard let address = radio.address else {
                keys[radio.role] = radio.key
                continue
            }
            let peer = BenchPeer(radio.role, over: Self.transport(to: address), runtime: peerRuntime)
            peers[radio.role] = peer
            keys[radio.role] = try await peer.open(at: address, expecting: radio.key)
        }
        for node in scenario.world.nodes {
            if let peer = peers[node.name] { try await peer.check(node, keys) }
        }
        // The client gets the radio to itself; most take one connection at a time.
        if let own = peers.removeValue(forKey: clientRole) { await own.stop() }
        for radio in testbed.radios { await peers[radio.role]?.listen() }
        return keys
    }

    // MARK: Testbed

    package func publicKey(of node: String) -> [UInt8]? { keys[node] }

    package func name(ofKeyBeginning prefix: [UInt8]) -> String? {
        testbed.radios.map(\.role).first { keys[$0]?.starts(with: prefix) == true }
    }

    private func peer(_ node: String, _ what: String) throws -> BenchPeer {
        guard let peer = peers[node] else {
            throw Blocked(
                node == clientRole
                    ? "\(what) takes a radio without a client, and \(node) has it"
                    : "\(what) takes a radio that is reached from here, and \(testbed.file) gives no address of \(node)"
            )
        }
        return peer
    }

    package func say(_ message: PeerMessage) async throws {
        try await peer(message.from, "message").say(message, keys)
    }

    package func advertise(_ node: String, flood: Bool) async throws {
        try await peer(node, "advertise").advertise(flood: flood)
    }

    package func waitingMessages(of node: String) async throws -> [WaitingMessage] {
        try await peer(node, "received").received
    }

    package func radioState(of node: String) async throws -> RadioState { try await peer(node, "radio").state() }

    package func healAllLinks() throws { throw Blocked("a bench cannot change radio links") }
    package func change(_ node: String, _ change: NodeChange) throws {
        throw Blocked("a bench cannot change \(node) from outside")
    }
    package func changeLink(_ change: LinkChange) throws { throw Blocked("a bench cannot change radio links") }
    package func reboot(_ node: String) throws { throw Blocked("a bench has no way to restart \(node)") }
    package func setPower(_ node: String, on: Bool) throws { throw Blocked("a bench has no power switch for \(node)") }

    package func loseHostLink(refusingFor duration: Duration?) async throws {
        guard duration == nil else { throw Blocked("a bench cannot refuse connections") }
        await faults.control.breakLink()
    }
}
