internal import Synchronization

/// Tells events to everybody who listens; each listener has a buffer of its own.
///
/// Dispatching waits for nobody: a listener that does not read keeps the newest 100 events that pass its filter and loses
/// the older ones, which it can see from a counter. Listeners get events in the order in which they were dispatched.
public final class EventDispatcher: Sendable {
    /// Events a listener's buffer holds.
    public static let bufferSize = 100

    private struct Listener {
        weak var subscription: EventSubscription?
    }

    private struct State {
        var listeners: [Listener] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    public init() {}

    /// Listens from now on. The subscription ends when it is let go, when it is finished, or with `finishAll`.
    public func subscribe(_ filter: EventFilter = .all, buffer: Int = bufferSize) -> EventSubscription {
        let subscription = EventSubscription(filter, limit: buffer)
        let isFinished = state.withLock { state in
            if !state.isFinished { state.listeners.append(Listener(subscription: subscription)) }
            return state.isFinished
        }
        if isFinished { subscription.finish() }
        return subscription
    }

    public func dispatch(_ event: MeshEvent) {
        let listeners = state.withLock { state in
            state.listeners.removeAll { $0.subscription == nil }
            return state.listeners
        }
        for listener in listeners { listener.subscription?.offer(event) }
    }

    /// Ends every subscription, present and future.
    public func finishAll() {
        let listeners = state.withLock { state in
            defer { state.listeners = [] }
            state.isFinished = true
            return state.listeners
        }
        for listener in listeners { listener.subscription?.finish() }
    }

    /// Number of live subscriptions.
    public var listenerCount: Int { state.withLock { $0.listeners.count { $0.subscription != nil } } }
}

/// One listener's stream of events; one task reads it.
///
/// Unlike an `AsyncStream` it survives the cancellation of a read: `next` then gives nil, and a later read goes on.
public final class EventSubscription: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: EventSubscription
        public func next() async -> MeshEvent? { await subscription.next() }
    }

    private struct State {
        var buffer: [MeshEvent] = []
        var head = 0
        var reader: CheckedContinuation<MeshEvent?, Never>?
        var dropped = 0
        var isFinished = false
    }

    private let filter: EventFilter
    private let limit: Int
    private let state = Mutex(State())

    init(_ filter: EventFilter, limit: Int) {
        self.filter = filter
        self.limit = limit
    }

    /// Events that were lost because nobody read them.
    public var droppedCount: Int { state.withLock { $0.dropped } }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: self) }

    /// The next event; nil when the subscription has ended or the reading task is cancelled.
    public func next() async -> MeshEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enum Next { case event(MeshEvent), end, wait }
                // Looked at under the lock, so that a cancellation that comes first is not missed.
                let next = state.withLock { state -> Next in
                    precondition(state.reader == nil, "two tasks read one subscription")
                    if state.head < state.buffer.count {
                        defer { Self.advance(&state) }
                        return .event(state.buffer[state.head])
                    }
                    if state.isFinished || Task.isCancelled { return .end }
                    state.reader = continuation
                    return .wait
                }
                switch next {
                case .event(let event): continuation.resume(returning: event)
                case .end: continuation.resume(returning: nil)
                case .wait: break
                }
            }
        } onCancel: {
            takeReader()?.resume(returning: nil)
        }
    }

    /// Takes what is buffered without waiting.
    public func takeBuffered() -> [MeshEvent] {
        state.withLock { state in
            defer {
                state.buffer = []
                state.head = 0
            }
            return Array(state.buffer[state.head...])
        }
    }

    /// Ends the subscription; what is buffered can still be read.
    public func finish() {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            state.isFinished = true
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    func offer(_ event: MeshEvent) {
        guard filter.accepts(event) else { return }
        let reader = state.withLock { state -> CheckedContinuation<MeshEvent?, Never>? in
            guard !state.isFinished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if state.buffer.count - state.head == limit {
                Self.advance(&state)
                state.dropped += 1
            }
            state.buffer.append(event)
            return nil
        }
        reader?.resume(returning: event)
    }

    private func takeReader() -> CheckedContinuation<MeshEvent?, Never>? {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }

    private static func advance(_ state: inout State) {
        state.head += 1
        guard state.head > 64, state.head * 2 > state.buffer.count else { return }
        state.buffer.removeFirst(state.head)
        state.head = 0
    }
}
