internal import RigBase
internal import ScenarioModel
package import RigRuntime
package import RunRecord

/// Judges the expectations of a run while it goes on: shows them every event, closes their windows, and keeps the results.
///
/// A step's expectations are added before its verb runs. One that can only begin to hold passes at the first moment it does;
/// an exact one (a count) is judged when its window closes, or, without a window of its own, as soon as the verb is done and
/// the step's other expectations are decided.
package actor Referee {
    private struct Watch {
        var plan: PlannedExpectation
        var step: StepRecord?
        /// Step number; nil for expectations of the run.
        var group: Int?
        var timer: Task<Void, Never>?
        var hasHeld = false
        var result: ExpectationResult?
    }

    private let runtime: Runtime
    private let scene: @Sendable (StepRecord?) -> Scene
    private var watches: [Watch] = []
    private var cursor = 0
    private var isLooking = false
    private var waiters: [(group: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var openGroups: Set<Int> = []
    /// The phases that have begun, each with the number of its event.
    private var phases: [(name: String, from: UInt64)] = []

    package init(runtime: Runtime, scene: @escaping @Sendable (StepRecord?) -> Scene) {
        self.runtime = runtime
        self.scene = scene
    }

    /// The results so far, in the order of the file: what failed first stands first.
    package var results: [ExpectationResult] {
        let order = watches.indices.sorted { one, other in
            let (a, b) = (watches[one].plan.spot, watches[other].plan.spot)
            return (a.line, a.column, one) < (b.line, b.column, other)
        }
        return order.compactMap { watches[$0].result }
    }

    package var hasUndecided: Bool { watches.contains { $0.result == nil } }

    /// Begins to watch. `group` numbers the step; it stays open until `verbEnded`.
    ///
    /// With `seesPast` all that has happened since the run began counts, and what holds already passes at once.
    package func add(_ plans: [PlannedExpectation], step: StepRecord?, group: Int?, seesPast: Bool = false) async {
        if let group { openGroups.insert(group) }
        if seesPast { await look() }
        let first = watches.count
        for plan in plans {
            let index = watches.count
            watches.append(Watch(plan: plan, step: step, group: group))
            guard plan.mode == .within else { continue }
            // An exact one without a window of its own closes with its step.
            if plan.window == nil, plan.expectation.isExact { continue }
            // One about how the verb ended is decided when it has, however long that takes.
            if plan.expectation.endsWithVerb { continue }
            let deadline = Deadline(plan.window ?? PlannedExpectation.defaultWindow, after: runtime.now())
            watches[index].timer = runtime.spawn("window of \(plan.name)") { [runtime] in
                do { try await runtime.sleep(until: deadline) } catch { return }
                await self.windowClosed(index)
            }
        }
        let past = runtime.journal.events().prefix(cursor)
        for index in first..<watches.count where seesPast || watches[index].plan.expectation.looksBack {
            for event in past where counts(event, for: index) { _ = watches[index].plan.expectation.observe(event) }
            await judgeAfterChange(index)
        }
    }

    /// The verb of a step is done; its exact expectations may be judged now.
    package func verbEnded(_ group: Int) async {
        openGroups.remove(group)
        await look()
        for index in watches.indices
        where watches[index].group == group && watches[index].result == nil
            && watches[index].plan.expectation.endsWithVerb
        {
            let judgement = await judge(index)
            if watches[index].result == nil { decide(index, judgement.holds ? .passed : .failed, judgement) }
        }
        await closeGroupIfSettled(group)
    }

    /// Waits until every expectation of a step is decided.
    package func decided(_ group: Int) async {
        if isSettled(group) { return }
        await withCheckedContinuation { waiters.append((group, $0)) }
    }

    /// Shows the events since the last look to everything undecided.
    package func look() async {
        guard !isLooking else { return }
        isLooking = true
        defer { isLooking = false }
        while runtime.journal.count > cursor {
            let events = runtime.journal.events(from: cursor)
            cursor += events.count
            await show(events)
        }
    }

    /// Judges all that is left, at the end of the run, and ends every window.
    package func finish() async {
        await look()
        for index in watches.indices where watches[index].result == nil {
            let judgement = await judge(index)
            // What is so now says nothing about a phase that is over.
            let isPast = watches[index].plan.phase != nil && watches[index].plan.phase != phases.last?.name
            let held = isPast ? pastHeld(watches[index].plan.mode, index, judgement) : judgement.holds
            switch watches[index].plan.mode {
            case .within, .finally: decide(index, held ? .passed : .failed, judgement)
            case .always: decide(index, held ? .passed : .failed, judgement)
            case .never: decide(index, held ? .failed : .passed, judgement)
            case .sometimes: decide(index, held || watches[index].hasHeld ? .passed : .dead, judgement)
            }
        }
        for waiter in waiters { waiter.continuation.resume() }
        waiters = []
    }

    private func pastHeld(_ mode: PlannedExpectation.Mode, _ index: Int, _ judgement: Judgement) -> Bool {
        switch mode {
        case .never: false
        case .always, .sometimes: watches[index].hasHeld
        case .within, .finally: judgement.holds
        }
    }

    /// Whether an event concerns an expectation at all.
    private func counts(_ event: RunEvent, for index: Int) -> Bool {
        guard event.kind != .expectation else { return false }
        guard let phase = watches[index].plan.phase else { return true }
        return phases.last { $0.from <= event.id.number }?.name == phase
    }

    private func show(_ events: [RunEvent]) async {
        for event in events where event.kind == .phase {
            if case .text(let name)? = event["name"] { phases.append((name, event.id.number)) }
        }
        for index in watches.indices where watches[index].result == nil {
            let looksBack = watches[index].plan.expectation.looksBack
            let from = looksBack ? 0 : UInt64(watches[index].step?.cursor ?? 0)
            var changed = false
            for event in events where event.id.number > from && counts(event, for: index) {
                if watches[index].plan.expectation.observe(event) { changed = true }
                // What is so when its phase begins counts too.
                if event.kind == .phase, watches[index].plan.phase != nil { changed = true }
            }
            if changed { await judgeAfterChange(index) }
        }
    }

    private func judgeAfterChange(_ index: Int) async {
        let plan = watches[index].plan
        guard plan.mode != .finally, !(plan.mode == .within && plan.expectation.isExact) else { return }
        let judgement = await judge(index)
        guard watches[index].result == nil else { return }
        switch plan.mode {
        case .within, .sometimes: if judgement.holds { decide(index, .passed, judgement) }
        case .never: if judgement.holds { decide(index, .failed, judgement) }
        case .always:
            if watches[index].hasHeld, !judgement.holds { decide(index, .failed, judgement) }
            watches[index].hasHeld = judgement.holds
        case .finally: break
        }
    }

    private func windowClosed(_ index: Int) async {
        await look()
        guard watches[index].result == nil else { return }
        let judgement = await judge(index)
        guard watches[index].result == nil else { return }
        decide(index, judgement.holds ? .passed : .failed, judgement)
    }

    private func judge(_ index: Int) async -> Judgement {
        await watches[index].plan.expectation.judge(scene(watches[index].step))
    }

    private func decide(_ index: Int, _ verdict: Verdict, _ judgement: Judgement) {
        let plan = watches[index].plan
        watches[index].timer?.cancel()
        watches[index].timer = nil
        let passed = verdict == .passed
        var judgement = judgement
        if !passed, plan.mode == .always || plan.mode == .never { judgement.seen += ", at \(runtime.now())" }
        let expected = plan.mode == .never ? "never: " + plan.expectation.expected : plan.expectation.expected
        let result = ExpectationResult(
            name: plan.name, verdict: verdict, expected: expected, seen: passed ? "" : judgement.seen,
            spot: plan.spot.description, evidence: judgement.evidence)
        watches[index].result = result
        var fields: Fields = [
            "name": .text(plan.name), "verdict": .text(verdict.rawValue), "expected": .text(expected),
        ]
        if !passed { fields["seen"] = .text(judgement.seen) }
        runtime.post(.expectation, "", cause: judgement.evidence, fields)
        guard let group = watches[index].group else { return }
        release(group)
        runtime.spawn("referee") { await self.closeGroupIfSettled(group) }
    }

    /// Judges the exact expectations of a step once nothing else of it is open.
    private func closeGroupIfSettled(_ group: Int) async {
        guard !openGroups.contains(group) else { return }
        let open = watches.indices.filter { watches[$0].group == group && watches[$0].result == nil }
        guard open.allSatisfy({ watches[$0].plan.expectation.isExact && watches[$0].plan.window == nil }) else {
            return
        }
        let isAlone = watches.allSatisfy { $0.group != group || ($0.plan.expectation.isExact && $0.plan.window == nil) }
        let moment = isAlone ? "when the step was done" : "when the step's other expectations were decided"
        for index in open where watches[index].result == nil {
            var judgement = await judge(index)
            if !judgement.holds { judgement.seen += ", \(moment); `within` would make it wait" }
            if watches[index].result == nil { decide(index, judgement.holds ? .passed : .failed, judgement) }
        }
        release(group)
    }

    private func isSettled(_ group: Int) -> Bool {
        !openGroups.contains(group) && watches.allSatisfy { $0.group != group || $0.result != nil }
    }

    private func release(_ group: Int) {
        guard isSettled(group) else { return }
        let ready = waiters.filter { $0.group == group }
        waiters.removeAll { $0.group == group }
        for waiter in ready { waiter.continuation.resume() }
    }
}
