public import CompanionProtocol
internal import RigBase
internal import RigRuntime
public import RunRecord

/// What the radio gives when it is asked for its next message.
public enum FetchedMessage: Sendable, Hashable {
    case direct(DirectMessageReply)
    case channel(ChannelMessageReply)
    case data(ChannelDataReply)
    case none
}

/// A message and the event by which the record of the run knows the frame it came in.
public struct RecordedMessage: Sendable, Hashable {
    public var message: FetchedMessage
    /// Nil where frames are not recorded.
    public var record: EventID?
}

/// A caller that waits for the message being fetched.
struct MessageWaiter {
    var id: UInt64
    var continuation: CheckedContinuation<Result<RecordedMessage, SessionError>, Never>
}

/// The messages that are fetched by themselves after a notice.
struct AutoFetch {
    var subscription: EventSubscription
    var listener: Task<Void, Never>
    var drain: Task<Void, Never>?
    /// A notice came while messages were being fetched.
    var isAskedAgain = false
}

extension MeshCoreSession {
    // MARK: Sending

    /// Queues a direct text; the reply tells the code of its confirmation.
    public func sendText(
        _ text: String, to prefix: [UInt8], timestamp: UInt32, attempt: UInt8 = 0
    ) async throws(SessionError) -> SentReply {
        try await ask(
            SendTextCommand(
                attempt: attempt, timestamp: timestamp, recipientPrefix: Array(prefix.prefix(6)), text: WireText(text)),
            for: SentReply.self)
    }

    /// Sends a command line to a server one is logged in at; it is never confirmed.
    public func sendCommandLine(_ text: String, to prefix: [UInt8], timestamp: UInt32) async throws(SessionError)
        -> SentReply
    {
        try await ask(
            SendTextCommand(
                type: .cli, timestamp: timestamp, recipientPrefix: Array(prefix.prefix(6)), text: WireText(text)),
            for: SentReply.self)
    }

    /// Sends a text to a channel; the radio adds its own name.
    public func sendChannelText(_ text: String, channel: UInt8, timestamp: UInt32) async throws(SessionError) {
        try await set(SendChannelTextCommand(channel: channel, timestamp: timestamp, text: WireText(text)))
    }

    public func sendChannelData(_ command: SendChannelDataCommand) async throws(SessionError) { try await set(command) }
    public func sendRawData(_ data: [UInt8], path: [UInt8]) async throws(SessionError) {
        try await set(SendRawDataCommand(path: path, data: data))
    }
    public func sendRawPacket(_ packet: [UInt8], priority: UInt8) async throws(SessionError) {
        try await set(SendRawPacketCommand(priority: priority, packet: packet))
    }
    public func sendControlData(_ payload: [UInt8]) async throws(SessionError) {
        try await set(SendControlDataCommand(payload: payload))
    }

    /// How `sendTextWithRetry` goes about it.
    public struct RetryPolicy: Sendable, Hashable {
        public var attempts: Int
        /// From that many attempts on the path is reset and the text floods.
        public var floodAfter: Int
        public var floodAttempts: Int
        /// Limit for each confirmation; nil takes the radio's suggestion and a fifth more.
        public var timeout: Duration?
        public init(attempts: Int = 3, floodAfter: Int = 2, floodAttempts: Int = 2, timeout: Duration? = nil) {
            self.attempts = attempts
            self.floodAfter = floodAfter
            self.floodAttempts = floodAttempts
            self.timeout = timeout
        }
    }

    /// Sends a direct text until it is confirmed; nil when it never was.
    ///
    /// Confirmations are listened to before the first frame is written, and the code of every attempt counts, so one that
    /// comes together with SENT, or late for an earlier attempt, is not missed.
    public func sendTextWithRetry(
        _ text: String, to key: [UInt8], timestamp: UInt32, policy: RetryPolicy = RetryPolicy()
    ) async throws(SessionError) -> SentReply? {
        guard key.count == CompanionLimits.publicKeySize else { throw .invalidArgument("key must have 32 bytes") }
        let confirmations = events.subscribe(.confirmation())
        var sent: [SentReply] = []
        var floods = 0
        var isFlooding = false
        for attempt in 0..<policy.attempts {
            if attempt >= policy.floodAfter, !isFlooding { isFlooding = await forgetPath(key) }
            if isFlooding {
                guard floods < policy.floodAttempts else { break }
                floods += 1
            }
            let reply = try await sendText(
                text, to: key, timestamp: timestamp, attempt: UInt8(truncatingIfNeeded: attempt))
            sent.append(reply)
            let limit = policy.timeout ?? confirmationLimit(reply)
            if let confirmed = try await firstConfirmed(of: sent, confirmations, within: limit) { return confirmed }
        }
        return nil
    }

    /// The time a confirmation is waited for when nothing else is said: 1.2 times what the radio suggests.
    public nonisolated func confirmationLimit(_ reply: SentReply) -> Duration {
        .milliseconds(Int64(reply.suggestedTimeoutMillis)) * configuration.confirmationPercent / 100
    }

    private func forgetPath(_ key: [UInt8]) async -> Bool {
        do throws(SessionError) {
            try await resetPath(key: key)
            return true
        } catch {
            warn("path not reset: \(error)")
            return false
        }
    }

    private func firstConfirmed(
        of sent: [SentReply], _ confirmations: EventSubscription, within limit: Duration
    ) async throws(SessionError) -> SentReply? {
        do {
            return try await runtime.withDeadline(Deadline(limit, after: runtime.now())) {
                for await event in confirmations {
                    guard case .frame(.sendConfirmed(let push)) = event else { continue }
                    if let found = sent.first(where: { $0.tag == push.tag }) { return found }
                }
                try Task.checkCancellation()
                throw SessionError.connectionLost
            }
        } catch is TimedOut {
            return nil
        } catch {
            throw Self.sessionError(error)
        }
    }

    // MARK: Fetching

    /// Takes the next message off the radio. Callers at the same time share one request and its result.
    public func getMessage(timeout: Duration? = nil) async throws(SessionError) -> FetchedMessage {
        try await getRecordedMessage(timeout: timeout).message
    }

    /// Like `getMessage`, and tells by which event the record of the run knows it.
    public func getRecordedMessage(timeout: Duration? = nil) async throws(SessionError) -> RecordedMessage {
        guard isRunning else { throw .notConnected }
        guard !Task.isCancelled else { throw .cancelled }
        let id = nextWaiter
        nextWaiter += 1
        let runtime = runtime
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = MessageWaiter(id: id, continuation: continuation)
                if fetchWaiters != nil {
                    fetchWaiters?.append(waiter)
                    return
                }
                fetchWaiters = [waiter]
                // A task of its own: the message is gone from the radio, whoever does not want it any more.
                runtime.spawn("\(name) fetch") { await self.fetch(timeout) }
            }
        } onCancel: {
            runtime.spawn("\(name) cancel fetch") { await self.leaveFetch(id) }
        }
        return try result.get()
    }

    private func fetch(_ timeout: Duration?) async {
        let result: Result<RecordedMessage, SessionError>
        do throws(SessionError) {
            let frame = try await reply(
                SyncNextMessageCommand(), .codes(SyncNextMessageCommand.replies), timeout: timeout)
            let message = Self.message(frame)
            result = .success(RecordedMessage(message: message, record: message == .none ? nil : messageRecord))
        } catch {
            result = .failure(error)
        }
        let waiters = fetchWaiters ?? []
        fetchWaiters = nil
        for waiter in waiters { waiter.continuation.resume(returning: result) }
    }

    private func leaveFetch(_ id: UInt64) {
        guard let position = fetchWaiters?.firstIndex(where: { $0.id == id }) else { return }
        fetchWaiters?.remove(at: position).continuation.resume(returning: .failure(.cancelled))
    }

    static func message(_ frame: RadioFrame?) -> FetchedMessage {
        switch frame {
        case .directMessage(let reply): .direct(reply)
        case .channelMessage(let reply): .channel(reply)
        case .channelData(let reply): .data(reply)
        default: .none
        }
    }

    /// Fetches messages whenever the radio says that some wait; the messages come as events. Polls nothing by itself.
    public func startAutoMessageFetching() {
        guard autoFetch == nil, isRunning else { return }
        let subscription = events.subscribe(.messageWaiting)
        let listener = runtime.spawn("\(name) notices") { [weak self] in
            for await _ in subscription { await self?.noticed() }
        }
        autoFetch = AutoFetch(subscription: subscription, listener: listener)
    }

    public func stopAutoMessageFetching() {
        guard let fetching = autoFetch else { return }
        autoFetch = nil
        fetching.subscription.finish()
        fetching.listener.cancel()
        fetching.drain?.cancel()
    }

    /// Whether messages are fetched by themselves.
    public var fetchesMessages: Bool { autoFetch != nil }

    private func noticed() {
        guard autoFetch != nil else { return }
        if autoFetch?.drain != nil {
            autoFetch?.isAskedAgain = true
            return
        }
        autoFetch?.drain = runtime.spawn("\(name) drain") { [weak self] in await self?.drain() }
    }

    /// Reads until nothing is left, and once more when a notice came meanwhile. An error ends it; a message that cannot be
    /// read is gone and does not.
    private func drain() async {
        repeat {
            autoFetch?.isAskedAgain = false
            await drainOnce()
        } while autoFetch?.isAskedAgain ?? false && !Task.isCancelled
        if !Task.isCancelled { autoFetch?.drain = nil }
    }

    private func drainOnce() async {
        while autoFetch != nil, !Task.isCancelled {
            do throws(SessionError) {
                if case .none = try await getMessage() { return }
            } catch {
                guard case .malformedReply = error else {
                    if error != .cancelled { warn("messages not fetched: \(error)") }
                    return
                }
            }
            if runtime.defects.contains(.oneMessagePerNotice) { return }
            try? await runtime.sleep(for: configuration.fetchPause)
        }
    }
}
