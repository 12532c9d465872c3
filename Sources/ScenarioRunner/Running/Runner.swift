internal import MeshTransport
internal import RigBase
package import RunRecord
package import ScenarioModel
internal import Synchronization

/// Runs many cases, several at a time, each on a thread and in a time of its own.
package enum Runner {
    /// Results in the order of `cases`, whatever `jobs` is; `each` is told of every result in that order as soon as all
    /// before it are there. Stops taking new cases when `failFast` and one did not pass, and once `isStopped`.
    ///
    /// Without `keepsJournals` the journals of cases that passed are let go when `each` has seen them.
    package static func run(
        _ cases: [(scenario: ScenarioDocument, settings: RunSettings)], jobs: Int = 1, failFast: Bool = false,
        keepsJournals: Bool = true, each: @escaping @Sendable (CaseResult) -> Void = { _ in },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) -> [CaseResult] {
        let board = ResultBoard(count: cases.count, keepsJournals: keepsJournals, each: each)
        let threads = max(1, min(jobs, cases.count))
        let work: @Sendable () -> Void = {
            while !isStopped(), let index = board.take() {
                let start = ContinuousClock.now
                var result = CaseRunner(cases[index].scenario, cases[index].settings).run()
                result.hostTime = start.duration(to: .now)
                board.put(result, at: index, stop: failFast && result.verdict != .passed)
            }
        }
        PlatformThread.runAtOnce(threads, work)
        return board.results
    }
}

/// Hands out case numbers and takes results in any order, telling them in the order of the cases.
private final class ResultBoard: Sendable {
    private struct State {
        var next = 0
        var told = 0
        var isStopped = false
        var results: [CaseResult?]
    }

    private let state: Mutex<State>
    private let keepsJournals: Bool
    private let each: @Sendable (CaseResult) -> Void

    init(count: Int, keepsJournals: Bool, each: @escaping @Sendable (CaseResult) -> Void) {
        self.keepsJournals = keepsJournals
        state = Mutex(State(results: Array(repeating: nil, count: count)))
        self.each = each
    }

    var results: [CaseResult] { state.withLock { $0.results.compactMap { $0 } } }

    func take() -> Int? {
        state.withLock { state in
            guard !state.isStopped, state.next < state.results.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    func put(_ result: CaseResult, at index: Int, stop: Bool) {
        state.withLock { state in
            state.results[index] = result
            if stop { state.isStopped = true }
            // Told under the lock, so that no later result can overtake.
            while state.told < state.results.count, let ready = state.results[state.told] {
                each(ready)
                if !keepsJournals, ready.verdict == .passed { state.results[state.told]?.journal = nil }
                state.told += 1
            }
        }
    }
}
