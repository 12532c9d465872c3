internal import MeshCoreClient
internal import RigBase
internal import RigRuntime
internal import RunRecord

/// When a message was read: together with a backlog, or as it came.
enum Reception: Sendable, Hashable {
    case live
    /// All messages of one drain share this Unix time.
    case backlog(anchor: UInt32)
}

/// Reads the radio's message queue (client-stack §4.5).
///
/// One drain at a time, whoever asks for it, and every message goes from its reply straight into the queue of the handler:
/// so each is handled exactly once and in the radio's order, and a drain never waits for a slow handler.
public actor MessagePollingService {
    typealias Handler = @Sendable (ReceivedText, Reception) async -> Void

    private struct Delivery: Sendable {
        var text: ReceivedText
        var reception: Reception
    }

    let context: ServiceContext
    private var deliveries: AsyncStream<Delivery>.Continuation?
    private var undelivered = 0
    private var idleWaiters: [AsyncStream<Void>.Continuation] = []
    private var noticeListener: Task<Void, Never>?
    /// The radio told of waiting messages and no drain has begun since.
    private var isNoticed = false
    private var fetchesAutomatically = false
    private var isPaused = false
    private var isDraining = false
    private var drainWaiters: [CheckedContinuation<Void, Never>] = []

    init(context: ServiceContext) { self.context = context }

    /// Sets who handles received messages; messages read before are kept for it.
    func setHandler(_ handler: @escaping Handler) {
        deliveries?.finish()
        let (stream, continuation) = AsyncStream<Delivery>.makeStream()
        deliveries = continuation
        context.background("message handler") { [weak self] in
            for await delivery in stream {
                await handler(delivery.text, delivery.reception)
                await self?.delivered()
            }
        }
    }

    /// Begins to listen for the radio's notices; reading starts with `startAutoFetch`.
    func startMonitoring() {
        guard noticeListener == nil else { return }
        let notices = context.session.events.subscribe(.messageWaiting)
        noticeListener = context.background("message notices") { [weak self] in
            for await _ in notices { await self?.noticed() }
        }
    }

    func stop() {
        noticeListener?.cancel()
        noticeListener = nil
        fetchesAutomatically = false
        deliveries?.finish()
        deliveries = nil
    }

    /// From now on a notice leads to a drain; one that came since the last drain does so at once. Polls nothing by itself.
    func startAutoFetch() {
        fetchesAutomatically = true
        isPaused = false
        fetchIfNoticed()
    }

    func stopAutoFetch() { fetchesAutomatically = false }

    /// Holds reading back while auto-fetch is on.
    func pauseAutoFetch() { isPaused = true }

    func resumeAutoFetch() {
        isPaused = false
        fetchIfNoticed()
    }

    var isAutoFetching: Bool { fetchesAutomatically && !isPaused }

    /// Reads until the radio has no more, and says how many messages that were; datagrams are not counted.
    @discardableResult
    public func pollAll() async throws(ServiceError) -> Int {
        let anchor = context.runtime.wallSeconds()
        return try await asking { () throws(RadioFailure) in try await drain(.backlog(anchor: anchor)) }
    }

    /// Waits until everything read so far is handled; false when that took longer than `limit`.
    func waitForHandlers(limit: Duration) async -> Bool {
        guard undelivered > 0 else { return true }
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        idleWaiters.append(continuation)
        let deadline = Deadline(limit, after: context.runtime.now())
        return await context.runtime.wait(for: stream, until: deadline)
    }

    private func noticed() {
        isNoticed = true
        fetchIfNoticed()
    }

    private func fetchIfNoticed() {
        guard isNoticed, isAutoFetching, !isDraining else { return }
        isNoticed = false
        context.background("fetch messages") { [self] in
            do throws(RadioFailure) { try await drain(.live) } catch {
                context.warn("messages could not be fetched: \(error)")
            }
        }
    }

    /// Notices during a drain lead to one more.
    @discardableResult
    private func drain(_ reception: Reception) async throws(RadioFailure) -> Int {
        while isDraining { await withCheckedContinuation { drainWaiters.append($0) } }
        isDraining = true
        isNoticed = false
        defer {
            isDraining = false
            let waiters = drainWaiters
            drainWaiters = []
            for waiter in waiters { waiter.resume() }
            fetchIfNoticed()
        }
        var count = 0
        while true {
            switch try await nextMessage() {
            case .none: return count
            case .datagram: break
            case .text(let text):
                count += 1
                deliver(Delivery(text: text, reception: reception))
            }
            if reception == .live {
                if context.runtime.defects.contains(.oneMessagePerNotice) { return count }
                guard (try? await context.runtime.sleep(for: .milliseconds(100))) != nil else { throw .cancelled }
            } else if Task.isCancelled {
                throw .cancelled
            }
        }
    }

    /// A message that cannot be read is gone from the radio, and no reason to leave the others there.
    private func nextMessage() async throws(RadioFailure) -> QueueItem {
        do throws(RadioFailure) {
            return try await context.session.nextMessage()
        } catch .unreadable(let reason) {
            context.warn("a message that cannot be read was dropped: \(reason)")
            return .datagram
        }
    }

    private func deliver(_ delivery: Delivery) {
        guard let deliveries else { return context.warn("a message came when nobody handled messages") }
        undelivered += 1
        deliveries.yield(delivery)
    }

    private func delivered() {
        undelivered -= 1
        guard undelivered == 0 else { return }
        for waiter in idleWaiters {
            waiter.yield()
            waiter.finish()
        }
        idleWaiters = []
    }
}
