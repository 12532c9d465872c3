package import MeshTransport
internal import RadioSimulator
internal import RigBase
package import RigRuntime
package import RunRecord
package import ScenarioModel
internal import Synchronization

/// The faults of a scenario: puts them in place, lets them act when their moment comes, takes them out, counts.
package final class FaultBoard: Sendable {
    /// One fault while the run goes on.
    private struct Slot: Sendable {
        var armed = 0
        var observed = 0
        var fired = 0
        /// In place: acting, or waiting for its moment.
        var isArmed = false
        /// In place in the world, to be ended there.
        var isInWorld = false
        var random: Prng
        /// What it waits for, as far as it has been seen to come.
        var watch: (any Expectation)?
        /// The first event that `watch` has not seen.
        var cursor = 0
        var tasks: [Task<Void, Never>] = []
    }

    private struct State: Sendable {
        var slots: [Slot]
        var world: (any FaultyWorld)?
        var isLooking = false
    }

    package let control: FaultControl
    private let planned: [FaultPlan]
    private let runtime: Runtime
    private let state: Mutex<State>

    /// Reads the faults of a file; what is wrong goes to `problems`.
    package init(
        _ nodes: [FaultNode], of world: WorldDocument, runtime: Runtime, subject: String, _ problems: ProblemList
    ) {
        self.runtime = runtime
        control = FaultControl(runtime: runtime, subject: subject)
        planned = FaultReader(
            world: world, subject: subject, references: References(), problems: problems
        ).plans(nodes)
        state = Mutex(
            State(slots: planned.map { Slot(random: runtime.random.fork("fault", $0.name)) }))
    }

    /// Reads the faults of a file for the sake of what is wrong with them.
    package static func check(
        _ nodes: [FaultNode], of world: WorldDocument, subject: String, _ references: References,
        _ problems: ProblemList
    ) {
        _ = FaultReader(world: world, subject: subject, references: references, problems: problems).plans(nodes)
    }

    /// Gives the faults beyond the host link something to act on.
    package func attach(_ world: any FaultyWorld) { state.withLock { $0.world = world } }

    /// Puts in place all that does not wait for a step.
    package func startAll() {
        for index in planned.indices where !planned[index].startsByStep { start(index) }
    }

    package func start(named name: String) throws {
        guard let index = planned.firstIndex(where: { $0.name == name }) else {
            throw StepFailure("unknown-fault", "the file has no fault \"\(name)\"")
        }
        start(index)
    }

    package func remove(named name: String) {
        for index in planned.indices where planned[index].name == name { stop(index) }
    }

    /// Ends every fault and puts right what lasts of it.
    package func removeAll() {
        for index in planned.indices { stop(index) }
    }

    /// What has come of each fault so far, in the order of the file.
    package var counts: [FaultCount] {
        planned.indices.map { index in
            let plan = planned[index]
            var (slot, world) = state.withLock { ($0.slots[index], $0.world) }
            switch plan.deed {
            case .link, .connection: (slot.observed, slot.fired) = control.count(of: plan.name)
            case .air:
                if let tally = world?.tally(ofAirFault: plan.name) {
                    slot.observed += tally.observed
                    slot.fired += tally.fired
                }
            case .node: break
            }
            return FaultCount(
                name: plan.name, seam: plan.seam.rawValue, action: plan.action, armed: slot.armed,
                observed: slot.observed, fired: slot.fired)
        }
    }

    // MARK: In and out

    private func start(_ index: Int) {
        let plan = planned[index]
        let isNew = state.withLock { state in
            guard !state.slots[index].isArmed else { return false }
            state.slots[index].isArmed = true
            state.slots[index].armed += 1
            return true
        }
        guard isNew else { return }
        let wait = plan.at.map { max(.zero, runtime.now().duration(to: SimInstant.zero.advanced(by: $0))) } ?? .zero
        switch plan.deed {
        case .link(let rule):
            control.add(rule)
            if let duration = plan.duration { later(index, wait + duration) { $0.stop(index) } }
        case .connection(let rule):
            whenDue(index, wait) { $0.control.add(rule) }
            if let duration = plan.duration { later(index, wait + duration) { $0.stop(index) } }
        case .air, .node:
            if plan.trigger != nil { watch(index) } else { whenDue(index, wait) { $0.momentCame(index, cause: nil) } }
        }
    }

    private func stop(_ index: Int) {
        let plan = planned[index]
        let (slot, world) = state.withLock { state in
            defer {
                state.slots[index].isArmed = false
                state.slots[index].isInWorld = false
                state.slots[index].watch = nil
                state.slots[index].tasks = []
            }
            return (state.slots[index], state.world)
        }
        guard slot.isArmed else { return }
        for task in slot.tasks { task.cancel() }
        switch plan.deed {
        case .link, .connection: control.remove(plan.name)
        case .air:
            guard let tally = world?.removeAirFault(plan.name) else { return }
            state.withLock { state in
                state.slots[index].observed += tally.observed
                state.slots[index].fired += tally.fired
            }
        case .node(let fault, let node):
            if slot.isInWorld { world?.end(fault, id: plan.name, on: node) }
        }
    }

    private func whenDue(_ index: Int, _ wait: Duration, _ body: @escaping @Sendable (FaultBoard) -> Void) {
        if wait > .zero { later(index, wait, body) } else { body(self) }
    }

    /// Does something later, unless the fault is taken out before.
    private func later(_ index: Int, _ wait: Duration, _ body: @escaping @Sendable (FaultBoard) -> Void) {
        let task = runtime.spawn("fault \(planned[index].name)") { [runtime] in
            guard (try? await runtime.sleep(for: wait)) != nil else { return }
            body(self)
        }
        state.withLock { $0.slots[index].tasks.append(task) }
    }

    // MARK: Faults beyond the host link

    private func watch(_ index: Int) {
        let cursor = runtime.journal.count
        state.withLock { state in
            state.slots[index].watch = planned[index].trigger?.expectation
            state.slots[index].cursor = cursor
        }
    }

    /// Shows new events to what faults wait for, and lets those act for which it has come.
    package func look(_ scene: Scene) async {
        let mayLook = state.withLock { state in
            guard !state.isLooking, state.slots.contains(where: { $0.watch != nil }) else { return false }
            state.isLooking = true
            return true
        }
        guard mayLook else { return }
        for index in planned.indices { await look(index, scene) }
        state.withLock { $0.isLooking = false }
    }

    private func look(_ index: Int, _ scene: Scene) async {
        guard
            let (watched, cursor) = state.withLock({ state in
                state.slots[index].watch.map { ($0, state.slots[index].cursor) }
            })
        else { return }
        var watch = watched
        var hasChanged = false
        let events = runtime.journal.events(from: cursor)
        for event in events where event.kind != .expectation {
            if watch.observe(event) { hasChanged = true }
        }
        let judgement = hasChanged ? await watch.judge(scene) : nil
        let isStill = state.withLock { state in
            guard state.slots[index].watch != nil else { return false }
            state.slots[index].watch = watch
            state.slots[index].cursor = cursor + events.count
            return true
        }
        guard isStill, let judgement, judgement.holds else { return }
        state.withLock { $0.slots[index].watch = nil }
        momentCame(index, cause: judgement.evidence)
    }

    /// What the fault waited for is there.
    private func momentCame(_ index: Int, cause: EventID?) {
        let plan = planned[index]
        guard let world = state.withLock({ $0.slots[index].isArmed ? $0.world : nil }) else { return }
        switch plan.deed {
        case .link, .connection: break
        case .air(let fault):
            let random = state.withLock { state in
                state.slots[index].isInWorld = true
                return state.slots[index].random.fork("\(state.slots[index].armed)")
            }
            world.add(fault, random: random)
            if let duration = plan.duration { later(index, duration) { $0.stop(index) } }
        case .node(let fault, let node):
            var random = state.withLock { state in
                state.slots[index].observed += 1
                return state.slots[index].random
            }
            let isMeant = plan.chance == .always || random.chance(plan.chance)
            let hasActed = isMeant && world.begin(fault, id: plan.name, on: node, random: &random, cause: cause)
            state.withLock { state in
                state.slots[index].random = random
                if hasActed {
                    state.slots[index].fired += 1
                    state.slots[index].isInWorld = true
                }
            }
            if hasActed, fault.isLasting {
                if let duration = plan.duration { later(index, duration) { $0.end(fault, of: node, index) } }
            } else {
                watchAgain(index)
            }
        }
    }

    private func end(_ fault: NodeFault, of node: String, _ index: Int) {
        let world = state.withLock { state in
            state.slots[index].isInWorld = false
            return state.world
        }
        world?.end(fault, id: planned[index].name, on: node)
        watchAgain(index)
    }

    /// Waits for the next time, if the fault may act more often.
    private func watchAgain(_ index: Int) {
        let fired = state.withLock { $0.slots[index].fired }
        if planned[index].trigger != nil, fired < planned[index].count ?? 1 { watch(index) }
    }
}
