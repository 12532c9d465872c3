internal import ClientServices
internal import MeshTransport
internal import RigBase
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel
internal import Synchronization

/// One run of a script on a testbed.
struct ScenarioRun {
    private let script: Script
    private let testbed: any CaseTestbed
    private let referee: Referee
    private let records = StepRecords()

    /// Limits when the file sets none: an hour of virtual time, two million events.
    static let defaultTimeLimit: Duration = .seconds(3600)
    static let defaultEventLimit = 2_000_000
    /// How long tasks may take to end once the script is done and the client disconnected.
    private static let endLimit: Duration = .seconds(60)

    init(_ script: Script, on testbed: any CaseTestbed) {
        self.script = script
        self.testbed = testbed
        let records = records
        referee = Referee(runtime: testbed.runtime) { step in
            Scene(step: step, named: { records.named($0) }, testbed: testbed)
        }
    }

    func play(into start: CaseResult) -> CaseResult {
        var result = start
        let runtime = testbed.runtime
        let progress = Progress()
        let budget = script.document.budget
        let task = runtime.spawn("script") { [self] in
            let problem = await perform(progress)
            progress.finish(problem)
        }
        let limit = Deadline(budget.virtualTime ?? Self.defaultTimeLimit, after: runtime.now())
        let ending = testbed.run(
            until: { progress.isFinished }, limit: limit, eventLimit: budget.events ?? Self.defaultEventLimit,
            onChange: { [referee, records, testbed] in
                runtime.spawn("referee") {
                    await referee.look()
                    await testbed.faults.look(
                        Scene(step: nil, named: { records.named($0) }, testbed: testbed))
                }
            })
        result.virtualTime = SimInstant.zero.duration(to: runtime.now())
        if ending != .finished {
            task.cancel()
            wrapUp()
        }
        result.expectations = progress.problems + collectResults() + airTimeProblems()
        result.expectations += InvariantCatalog.breaches(in: runtime.journal)
        result.faults = testbed.faults.counts
        testbed.endDisturbances()
        // What is under way may end by itself; what never ends is a leak.
        _ = testbed.run(
            until: { runtime.tasks.running.isEmpty }, limit: Deadline(Self.endLimit, after: runtime.now()),
            eventLimit: .max, onChange: {})
        judge(ending, &result)
        runtime.post(.runEnded, "", ["verdict": .text(result.verdict.rawValue)])
        return result
    }

    private func judge(_ ending: LoopEnding, _ result: inout CaseResult) {
        let verdicts = result.expectations.map(\.verdict)
        switch ending {
        case .finished: break
        case .stuck:
            result.reason = "nothing was left to happen while the scenario still waited"
            result.verdict = .failed
        case .overLimit(let what):
            result.reason = "the run did not end within \(what)"
            result.verdict = .failed
        }
        if verdicts.contains(.blocked) { result.verdict = .blocked }
        if verdicts.contains(.dead) { result.verdict = .dead }
        if verdicts.contains(.failed) { result.verdict = .failed }
        let left = testbed.runtime.tasks.running
        if result.verdict == .passed, !left.isEmpty {
            result.verdict = .broken
            result.reason = "still running at the end: " + left.joined(separator: ", ")
        }
    }

    /// The budget of air time, judged at the end from what was sent.
    private func airTimeProblems() -> [ExpectationResult] {
        guard let budget = script.document.budget.airTime else { return [] }
        let micros = testbed.runtime.journal.events().reduce(into: Int64(0)) { sum, event in
            if event.kind == .packetSent, case .int(let airtime)? = event["airtime"] { sum += airtime }
        }
        let used = Duration.microseconds(micros)
        return [
            ExpectationResult(
                name: "budget: air-time", verdict: used <= budget ? .passed : .failed,
                expected: "at most \(budget.wholeMilliseconds) ms on the air",
                seen: used <= budget ? "" : "\(used.wholeMilliseconds) ms", spot: script.document.spot.description)
        ]
    }

    /// Lets the referee judge what is left when the script was stopped from outside.
    private func wrapUp() {
        let referee = referee
        let client = testbed.client
        testbed.runtime.spawn("end") {
            await client.disconnect()
            await referee.finish()
        }
        testbed.drain()
    }

    private func collectResults() -> [ExpectationResult] {
        let box = Mutex<[ExpectationResult]>([])
        let referee = referee
        testbed.runtime.spawn("results") {
            let results = await referee.results
            box.withLock { $0 = results }
        }
        testbed.drain()
        return box.withLock { $0 }
    }

    // MARK: The script itself, on the run's executor

    /// Plays every line, settles, and ends the connection; returns what stopped it early.
    private func perform(_ progress: Progress) async -> ExpectationResult? {
        await referee.add(script.overall, step: nil, group: nil)
        testbed.faults.startAll()
        var problem = await writeStoredState()
        if problem == nil { problem = await perform(script.lines) }
        if problem == nil {
            for line in script.allLines where line.node.isConcurrent { await referee.decided(line.number) }
            await settle()
        }
        await finish()
        return problem
    }

    private func writeStoredState() async -> ExpectationResult? {
        guard let stored = script.document.client?.stored else { return nil }
        do {
            try await StoredState(document: stored, testbed: testbed, world: script.document.world).write()
            return nil
        } catch {
            return ExpectationResult(
                name: "stored state", verdict: error is Blocked ? .blocked : .failed,
                expected: "the client's store can begin so", seen: "\(error)",
                spot: script.document.client?.role.spot.description ?? "")
        }
    }

    /// Plays lines one after the other, up to the first that stops the run.
    private func perform(_ lines: [Script.Line]) async -> ExpectationResult? {
        for line in lines {
            if let problem = await perform(line) { return problem }
        }
        return nil
    }

    private func perform(_ line: Script.Line) async -> ExpectationResult? {
        let runtime = testbed.runtime
        do {
            if let at = line.node.at { try await runtime.sleep(until: Deadline(at, after: .zero)) }
            if let after = line.node.after { try await runtime.sleep(for: after) }
        } catch {
            return nil
        }
        await waitForTrigger(of: line)
        let start = runtime.now()
        let record = StepRecord(name: line.node.name?.name ?? line.node.verb, cursor: runtime.journal.count)
        if let name = line.node.name?.name { records.add(record, name) }
        await referee.add(line.expectations, step: record, group: line.number)
        let began = runtime.post(.stepStarted, "", ["step": .text(line.summary)])
        // All that the verb does from here on has the step as its cause.
        let (result, problem) = await SeamCause.$current.withValue(began) { await carryOut(line, record) }
        record.finish(result)
        runtime.post(
            .stepEnded, "", cause: began, ["step": .text(line.node.verb), "result": .text(result.summary)])
        await referee.verbEnded(line.number)
        if !line.node.isConcurrent { await referee.decided(line.number) }
        return problem ?? self.problem(line, result) ?? overtime(line, since: start)
    }

    /// A verb that took longer than its step allows.
    private func overtime(_ line: Script.Line, since start: SimInstant) -> ExpectationResult? {
        guard line.expectations.isEmpty, let limit = line.node.within?[script.place] else { return nil }
        let taken = start.duration(to: testbed.runtime.now())
        guard taken > limit else { return nil }
        return ExpectationResult(
            name: "step: \(line.summary)", verdict: .failed, expected: "done within \(limit.wholeMilliseconds) ms",
            seen: "it took \(taken.wholeMilliseconds) ms", spot: line.node.spot.description)
    }

    /// How the step ended, and what in a branch of it stops the run.
    private func carryOut(_ line: Script.Line, _ record: StepRecord) async -> (StepResult, ExpectationResult?) {
        switch line.action {
        case .verb(let step): return (await outcome(of: step, record), nil)
        case .parallel(let branches):
            let problem = await perform(sideBySide: branches)
            return (.done(StepValue()), problem)
        }
    }

    /// Plays branches at the same time; one that stops the run ends the waits of the others.
    private func perform(sideBySide branches: [[Script.Line]]) async -> ExpectationResult? {
        let problems = Mutex<[ExpectationResult]>([])
        let tasks = Mutex<[Task<Void, Never>]>([])
        for (number, lines) in branches.enumerated() {
            let task = testbed.runtime.spawn("branch \(number + 1)") { [self] in
                guard let problem = await perform(lines) else { return }
                problems.withLock { $0.append(problem) }
                for task in tasks.withLock({ $0 }) { task.cancel() }
            }
            tasks.withLock { $0.append(task) }
        }
        for task in tasks.withLock({ $0 }) { await task.value }
        return problems.withLock { $0.first }
    }

    private func outcome(of step: any Step, _ record: StepRecord) async -> StepResult {
        let records = records
        let scene = StepScene(testbed: testbed, record: record, named: { records.named($0) })
        do {
            return .done(try await step.run(scene))
        } catch let blocked as Blocked {
            return .failed(name: ErrorNames.blocked, message: blocked.description)
        } catch {
            return .failed(name: ErrorNames.name(of: error), message: "\(error)")
        }
    }

    /// A verb that fails although the file expects neither an error nor anything else of it ends the run.
    private func problem(_ line: Script.Line, _ result: StepResult) -> ExpectationResult? {
        guard case .failed(let name, _) = result else { return nil }
        let verdict: Verdict = name == ErrorNames.blocked ? .blocked : .failed
        if verdict == .failed, !line.expectations.isEmpty { return nil }
        return ExpectationResult(
            name: "step: \(line.summary)", verdict: verdict, expected: "\(line.node.verb) succeeds",
            seen: result.summary, spot: line.node.spot.description)
    }

    private func waitForTrigger(of line: Script.Line) async {
        guard let trigger = line.trigger else { return }
        let group = Self.triggerGroup(line.number)
        await referee.add([trigger], step: nil, group: group, seesPast: true)
        await referee.verbEnded(group)
        await referee.decided(group)
    }

    /// Groups of triggers are kept apart from those of steps.
    private static func triggerGroup(_ number: Int) -> Int { -1 - number }

    private func settle() async {
        guard let settle = script.document.settle else { return }
        testbed.faults.removeAll()
        let group = script.lineCount
        if script.settling.isEmpty {
            try? await testbed.runtime.sleep(for: settle.within[script.place])
            return
        }
        await referee.add(script.settling, step: nil, group: group)
        await referee.verbEnded(group)
        await referee.decided(group)
    }

    private func finish() async {
        await referee.finish()
        await testbed.client.disconnect()
    }
}

/// The steps that were given a name, by that name.
private final class StepRecords: Sendable {
    private let records = Mutex<[String: StepRecord]>([:])

    func add(_ record: StepRecord, _ name: String) { records.withLock { $0[name] = record } }
    func named(_ name: String) -> StepRecord? { records.withLock { $0[name] } }
}

/// Whether the script has ended, and what stopped it.
private final class Progress: Sendable {
    private let state = Mutex<(isFinished: Bool, problems: [ExpectationResult])>((false, []))

    var isFinished: Bool { state.withLock { $0.isFinished } }
    var problems: [ExpectationResult] { state.withLock { $0.problems } }

    func finish(_ problem: ExpectationResult?) {
        state.withLock { state in
            state.isFinished = true
            if let problem { state.problems.append(problem) }
        }
    }
}
