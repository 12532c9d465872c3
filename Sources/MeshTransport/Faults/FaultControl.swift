internal import CompanionProtocol
internal import RigBase
public import RigRuntime
internal import RunRecord
internal import Synchronization

/// The rules of one link, which may change while it runs; they and their counts outlive a connection and its transport.
public final class FaultControl: Sendable {
    private struct State {
        var machine = FaultMachine()
        var timers: [String: Task<Void, Never>] = [:]
        var connections: [ActiveConnectionRule] = []
        /// What rules had seen and done before they were removed.
        var past: [String: (seen: Int, acted: Int)] = [:]
        weak var transport: FaultyTransport?
    }

    /// Whom the `fault` events are about.
    public let subject: String
    private let runtime: Runtime
    private let state = Mutex(State())

    public init(runtime: Runtime, subject: String) {
        self.runtime = runtime
        self.subject = subject
    }

    /// Rules are asked in the order in which they were added. Two rules of one id are a caller's mistake.
    public func add(_ rule: FaultRule) {
        state.withLock { $0.machine.add(rule, random: runtime.random.fork("fault", rule.id)) }
        guard case .at(let instant) = rule.trigger, rule.action.needsNoFrame else { return }
        let timer = runtime.spawn("fault " + rule.id) { [weak self, runtime] in
            guard (try? await runtime.sleep(until: Deadline(at: instant))) != nil else { return }
            await self?.instantCame(rule.id)
        }
        state.withLock { $0.timers[rule.id] = timer }
    }

    /// Adds a rule about connecting, which is asked in the order of adding.
    public func add(_ rule: ConnectionRule) {
        let random = runtime.random.fork("fault", rule.id)
        state.withLock { $0.connections.append(ActiveConnectionRule(rule: rule, random: random)) }
    }

    /// Frames a removed rule delayed still arrive; those it held wait for the next frame.
    public func remove(_ id: String) {
        let timer = state.withLock { state in
            let (seen, acted) = Self.count(id, state)
            state.past[id] = (seen, acted)
            state.machine.remove(id)
            state.connections.removeAll { $0.rule.id == id }
            return state.timers.removeValue(forKey: id)
        }
        timer?.cancel()
    }

    public func removeAll() {
        for id in rules { remove(id) }
    }

    /// Ids of the rules, in order; those about connecting last.
    public var rules: [String] { state.withLock { $0.machine.ruleIDs + $0.connections.map(\.rule.id) } }
    /// How often the rule acted; nil when there is none of that id.
    public func acted(_ id: String) -> Int? { state.withLock { $0.machine.acted(id) } }
    /// How many frames its trigger was about, whether it acted or not.
    public func seen(_ id: String) -> Int? { state.withLock { $0.machine.seen(id) } }

    /// How often a rule had occasion to act and how often it did, before it was removed as well.
    public func count(of id: String) -> (seen: Int, acted: Int) { state.withLock { Self.count(id, $0) } }

    private static func count(_ id: String, _ state: State) -> (seen: Int, acted: Int) {
        let past = state.past[id] ?? (0, 0)
        let connection = state.connections.first { $0.rule.id == id }
        let seen = state.machine.seen(id) ?? connection?.seen ?? 0
        let acted = state.machine.acted(id) ?? connection?.acted ?? 0
        // A rule that acts at its time sees nothing before.
        return (past.seen + max(seen, acted), past.acted + acted)
    }

    /// What happens to an attempt to connect; told in the journal.
    func onConnecting() -> ConnectionRule.Fault? {
        onConnection { if case .flap = $0 { false } else { true } }
    }

    /// After what time a connection that was just made breaks.
    func onConnected() -> Duration? {
        guard case .flap(let up)? = onConnection({ if case .flap = $0 { true } else { false } }) else { return nil }
        return up
    }

    private func onConnection(_ isMeant: (ConnectionRule.Fault) -> Bool) -> ConnectionRule.Fault? {
        let rule = state.withLock { state -> ConnectionRule? in
            for index in state.connections.indices where isMeant(state.connections[index].rule.fault) {
                if state.connections[index].acts() { return state.connections[index].rule }
            }
            return nil
        }
        guard let rule else { return nil }
        runtime.post(
            .fault, subject, cause: SeamCause.current,
            ["rule": FieldValue(rule.id), "action": FieldValue(rule.fault.name)])
        return rule.fault
    }

    /// Breaks the present link at once, as a pulled cable does; harmless when there is none.
    public func breakLink() async {
        let transport = state.withLock { $0.transport }
        try? await transport?.perform([.lose(.failed("link lost"), at: runtime.now())], .fromRadio)
    }

    func detach(_ transport: FaultyTransport) {
        state.withLock { state in
            if state.transport === transport { state.transport = nil }
        }
    }

    func attach(_ transport: FaultyTransport) {
        state.withLock { state in
            state.transport = transport
            state.machine.onConnect(now: runtime.now())
        }
    }

    /// What to do with bytes that pass; the faults that act are posted before it returns.
    func onBytes(_ bytes: [UInt8], _ direction: LinkDirection) -> [FaultMachine.Effect] {
        posting(state.withLock { $0.machine.onBytes(bytes, direction, now: runtime.now()) })
    }

    private func instantCame(_ id: String) async {
        let due = state.withLock { state -> (FaultyTransport, LinkDirection, [FaultMachine.Effect])? in
            guard let transport = state.transport, let direction = state.machine.direction(of: id) else { return nil }
            return (transport, direction, state.machine.onInstant(of: id, now: runtime.now()))
        }
        guard let (transport, direction, effects) = due else { return }
        try? await transport.perform(posting(effects), direction)
    }

    private func posting(_ effects: [FaultMachine.Effect]) -> [FaultMachine.Effect] {
        effects.filter { effect in
            guard case .report(let fields) = effect else { return true }
            runtime.post(.fault, subject, cause: SeamCause.current, fields)
            return false
        }
    }
}
