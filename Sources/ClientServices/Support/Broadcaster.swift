internal import RigBase
internal import Synchronization

/// Hands every event to every subscriber, in order; a subscription holds from the moment it is made.
public final class Broadcaster<Event: Sendable>: Sendable {
    private struct State {
        var subscribers = OrderedTable<UInt64, AsyncStream<Event>.Continuation>()
        var next: UInt64 = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    init() {}

    /// A stream of all events from now on; already ended when this was finished.
    public func subscribe() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        let id = state.withLock { state -> UInt64? in
            guard !state.isFinished else { return nil }
            defer { state.next += 1 }
            state.subscribers[state.next] = continuation
            return state.next
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }

    func yield(_ event: Event) {
        state.withLock { state in
            for subscriber in state.subscribers.values { subscriber.yield(event) }
        }
    }

    func finish() {
        let ended = state.withLock { state in
            defer { state.subscribers.removeAll() }
            state.isFinished = true
            return state.subscribers.values
        }
        for subscriber in ended { subscriber.finish() }
    }

    private func remove(_ id: UInt64) { state.withLock { $0.subscribers[id] = nil } }
}
