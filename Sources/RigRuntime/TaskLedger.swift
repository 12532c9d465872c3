internal import Synchronization

/// Counts the unstructured tasks of a run, so that its end can tell which are still there.
public final class TaskLedger: Sendable {
    private struct State {
        var running: [UInt64: String] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    func began(_ name: String) -> UInt64 {
        state.withLock { state in
            defer { state.next += 1 }
            state.running[state.next] = name
            return state.next
        }
    }

    func ended(_ entry: UInt64) { state.withLock { state in state.running[entry] = nil } }

    /// Names of the tasks that have not ended, oldest first.
    public var running: [String] {
        state.withLock { state in state.running.sorted { $0.key < $1.key }.map(\.value) }
    }
}
