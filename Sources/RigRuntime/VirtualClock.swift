public import RigBase
internal import Synchronization

/// A clock that stands still until its run moves it; sleepers wake one at a time, the earliest first.
public final class VirtualClock: Clock {
    public typealias Instant = SimInstant

    private struct Sleeper: Sendable {
        var id: UInt64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: SimInstant
        var sleepers = EventHeap<SimInstant, Sleeper>()
        var nextID: UInt64 = 0
        /// Sleeps cancelled before they were registered.
        var cancelledEarly: Set<UInt64> = []
    }

    private let state: Mutex<State>

    public init(startingAt start: SimInstant = .zero) { state = Mutex(State(now: start)) }

    public var now: SimInstant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// When the next sleeper wants to wake, nil when nobody sleeps.
    public var nextSleeper: SimInstant? { state.withLock { $0.sleepers.nextKey } }

    /// Moves time forward without waking anybody. Time never moves back.
    public func advance(to instant: SimInstant) {
        state.withLock { state in
            precondition(instant >= state.now, "time would move back from \(state.now) to \(instant)")
            state.now = instant
        }
    }

    /// Wakes the earliest sleeper that is due, if there is one.
    @discardableResult
    public func wakeNext() -> Bool {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let due = state.sleepers.nextKey, due <= state.now else { return nil }
            return state.sleepers.pop()?.element
        }
        sleeper?.continuation.resume()
        return sleeper != nil
    }

    public func sleep(until deadline: SimInstant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Fate { case due, cancelled, waiting }
                let fate = state.withLock { state -> Fate in
                    if state.cancelledEarly.remove(id) != nil { return .cancelled }
                    if deadline <= state.now { return .due }
                    state.sleepers.insert(Sleeper(id: id, continuation: continuation), at: deadline)
                    return .waiting
                }
                switch fate {
                case .due: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .waiting: break
                }
            }
        } onCancel: {
            cancel(id)
        }
        state.withLock { _ = $0.cancelledEarly.remove(id) }
    }

    private func cancel(_ id: UInt64) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            var found: CheckedContinuation<Void, any Error>?
            state.sleepers.removeAll { sleeper in
                guard sleeper.id == id else { return false }
                found = sleeper.continuation
                return true
            }
            if found == nil { state.cancelledEarly.insert(id) }
            return found
        }
        continuation?.resume(throwing: CancellationError())
    }
}
