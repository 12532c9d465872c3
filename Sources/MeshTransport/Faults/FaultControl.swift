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

    /// Frames a removed rule delayed still arrive; those it held wait for the next frame.
    public func remove(_ id: String) {
        let timer = state.withLock { state in
            state.machine.remove(id)
            return state.timers.removeValue(forKey: id)
        }
        timer?.cancel()
    }

    public func removeAll() {
        for id in rules { remove(id) }
    }

    /// Ids of the rules, in order.
    public var rules: [String] { state.withLock { $0.machine.ruleIDs } }
    /// How often the rule acted; nil when there is none of that id.
    public func acted(_ id: String) -> Int? { state.withLock { $0.machine.acted(id) } }
    /// How many frames its trigger was about, whether it acted or not.
    public func seen(_ id: String) -> Int? { state.withLock { $0.machine.seen(id) } }

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
