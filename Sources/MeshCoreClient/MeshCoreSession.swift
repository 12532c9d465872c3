public import CompanionProtocol
public import MeshTransport
internal import RigBase
public import RigRuntime
internal import RunRecord

/// A client's conversation with one companion radio: the shell around a `SessionMachine`.
///
/// It owns the link, the decoder and the continuations of those who wait; what happens is decided by the machine. One
/// session is one link: once stopped it is not started again.
public actor MeshCoreSession {
    public nonisolated let name: String
    public nonisolated let configuration: SessionConfiguration
    /// Everything that comes from the radio, and changes of the connection.
    public nonisolated let events = EventDispatcher()
    nonisolated let runtime: Runtime
    nonisolated let transport: any Transport

    /// The present state.
    public private(set) var state = SessionState.disconnected
    /// The radio's last SELF_INFO.
    public private(set) var selfInfo: SelfInfoReply?
    /// The radio's last DEVICE_INFO.
    public private(set) var deviceInfo: DeviceInfoReply?
    /// What is known of the radio's contacts.
    public internal(set) var contactCache = ContactCache()

    /// Where the session is in its life.
    private enum Phase: Sendable, Hashable {
        /// Not started, or the start failed; may be started.
        case idle
        /// The link is being brought up.
        case connecting
        /// The link is up; goes to `idle` when the handshake fails, to `ended` when the link ends.
        case running
        /// Stopped or lost for good.
        case ended
    }

    private struct Outgoing: Sendable {
        var bytes: [UInt8]
        var id: ExchangeID
        var cause: EventID?
    }

    private var phase = Phase.idle
    private var machine: SessionMachine
    private var decoder: ClientFrameDecoder
    private var connection = 0
    private var nextExchange: UInt64 = 1
    private var waiting: [ExchangeID: CheckedContinuation<Exchange.Outcome, Never>] = [:]
    /// What led to each exchange that is under way, for the record of the run.
    private var causes: [ExchangeID: EventID] = [:]
    private var writeErrors: [ExchangeID: TransportError] = [:]
    private var outbox: AsyncStream<Outgoing>.Continuation?
    private var timer: Task<Void, Never>?
    private var timerDue: SimInstant?
    private var stateListeners: [AsyncStream<SessionState>.Continuation] = []

    /// Callers that wait for the message being fetched.
    var fetchWaiters: [MessageWaiter]?
    var nextWaiter: UInt64 = 0
    /// The record of the frame that holds the last message the radio gave.
    var messageRecord: EventID?
    var autoFetch: AutoFetch?
    var parametersQueue: [CheckedContinuation<Void, Never>]?

    public init(
        transport: any Transport, runtime: Runtime, configuration: SessionConfiguration = SessionConfiguration(),
        name: String
    ) {
        self.transport = transport
        self.runtime = runtime
        self.configuration = configuration
        self.name = name
        machine = SessionMachine(options: Self.options(runtime.defects))
        decoder = ClientFrameDecoder(options: .init(resynchronises: !runtime.defects.contains(.noResynchronisation)))
    }

    /// True from the moment the link is up until it ends.
    public var isRunning: Bool { phase == .running }

    /// The present state, then each change, until the session has ended.
    public func states() -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionState.self)
        continuation.yield(state)
        if phase == .ended { continuation.finish() } else { stateListeners.append(continuation) }
        return stream
    }

    // MARK: Life

    /// Brings the link up and does the handshake. Harmless when the session runs already.
    ///
    /// Throws what kept it from succeeding; the session may then be started again, unless it was stopped.
    public func start(
        reconnectAttempt: Int? = nil, disconnectsTransportOnFailure: Bool = true
    ) async throws(SessionError) {
        switch phase {
        case .connecting, .running:
            warn("started twice")
            return
        case .ended: throw .notConnected
        case .idle: break
        }
        phase = .connecting
        set(reconnectAttempt.map { .reconnecting(attempt: $0) } ?? .connecting)
        do {
            try await transport.connect()
        } catch {
            let reason = Self.sessionError(error)
            if phase == .connecting {
                phase = .idle
                set(.failed(reason))
            }
            throw reason
        }
        guard phase == .connecting else {
            await transport.disconnect()
            throw .cancelled
        }
        phase = .running
        connection += 1
        openStreams(await transport.received(), connection)
        set(.connected)
        do throws(SessionError) {
            try await startApp(.handshake)
        } catch {
            guard phase == .running else { throw error }
            closeStreams()
            phase = .idle
            if disconnectsTransportOnFailure { await transport.disconnect() }
            set(.failed(error))
            throw error
        }
    }

    /// Ends the session: everybody who waits is told, every subscription ends. Harmless when it has ended.
    public func stop(disconnectsTransport: Bool = true) async {
        guard phase != .ended else { return }
        end()
        if disconnectsTransport { await transport.disconnect() }
    }

    private func end() {
        phase = .ended
        stopAutoMessageFetching()
        closeStreams()
        set(.disconnected)
        events.finishAll()
        for listener in stateListeners { listener.finish() }
        stateListeners = []
    }

    private func openStreams(_ chunks: AsyncStream<[UInt8]>, _ number: Int) {
        let (frames, outbox) = AsyncStream.makeStream(of: Outgoing.self)
        self.outbox = outbox
        runtime.spawn("\(name) receive") { [weak self] in
            for await chunk in chunks { await self?.receive(chunk, number) }
            await self?.linkEnded(number)
        }
        runtime.spawn("\(name) write") { [weak self, transport] in
            for await frame in frames {
                do {
                    // The writer outlives every caller, so each frame brings the cause of the call it belongs to.
                    try await SeamCause.$current.withValue(frame.cause) { try await transport.write(frame.bytes) }
                } catch {
                    await self?.writeFailed(frame.id, error)
                }
            }
        }
    }

    private func closeStreams() {
        outbox?.finish()
        outbox = nil
        timer?.cancel()
        timer = nil
        timerDue = nil
        // Whatever the old link still brings belongs to nobody.
        connection += 1
        _ = decoder.reset()
        perform(machine.onLinkDown())
    }

    /// The stream of chunks has ended, which is how a lost link is noticed.
    private func linkEnded(_ number: Int) {
        guard phase == .running, number == connection else { return }
        end()
    }

    func set(_ new: SessionState) {
        guard state != new else { return }
        state = new
        events.dispatch(.connectionChanged(new))
        for listener in stateListeners { listener.yield(new) }
    }

    func warn(_ text: String) { runtime.post(.clientWarning, name, ["text": .text(text)]) }

    private static func options(_ defects: Defects) -> SessionMachine.Options {
        .init(drains: !defects.contains(.lateReplyTaken), timesOut: !defects.contains(.noReplyTimeout))
    }

    static func sessionError(_ error: any Error) -> SessionError {
        switch error {
        case let error as SessionError: error
        case TransportError.notConnected: .notConnected
        case let error as TransportError: .transport(error)
        case is CancellationError: .cancelled
        case is TimedOut: .timeout
        default: .transport(.connectFailed("\(error)"))
        }
    }

    // MARK: Exchanges

    /// Runs one exchange; the caller's cancellation is told at once and leaves the slot to the machine.
    func perform(_ exchange: Exchange) async throws(SessionError) -> Exchange.Outcome {
        guard phase == .running else { throw .notConnected }
        guard !Task.isCancelled else { throw .cancelled }
        let id = ExchangeID(nextExchange)
        nextExchange += 1
        let runtime = runtime
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting[id] = continuation
                causes[id] = SeamCause.current
                perform(machine.onRequest(id, exchange, now: runtime.now()))
            }
        } onCancel: {
            runtime.spawn("\(name) cancel") { [weak self] in await self?.cancel(id) }
        }
        let writeError = writeErrors.removeValue(forKey: id)
        switch outcome {
        case .failed(let code): throw .device(code)
        case .malformed(let defect): throw .malformedReply(defect.description)
        case .timedOut: throw .timeout
        case .cancelled: throw .cancelled
        case .linkLost: throw phase == .ended && state == .disconnected ? .connectionLost : .notConnected
        case .notWritten:
            throw writeError.map { .transport($0) } ?? .notConnected
        default: return outcome
        }
    }

    private func cancel(_ id: ExchangeID) { perform(machine.onCancel(id, now: runtime.now())) }

    private func receive(_ chunk: [UInt8], _ number: Int) {
        guard number == connection else { return }
        if runtime.defects.contains(.chunkIsFrame) {
            received(chunk.first == LinkDirection.fromRadio.startByte ? Array(chunk.dropFirst(3)) : chunk)
            return
        }
        for output in decoder.receive(chunk) {
            if case .frame(let bytes) = output { received(bytes) }
        }
    }

    private func received(_ bytes: [UInt8]) {
        let record = transport.records?.take(bytes)
        let frame = RadioFrame.decode(bytes)
        if Self.message(frame) != .none { messageRecord = record }
        perform(machine.onFrame(frame, now: runtime.now()))
    }

    private func writeFailed(_ id: ExchangeID, _ error: any Error) {
        if waiting[id] != nil, case .transport(let reason) = Self.sessionError(error) { writeErrors[id] = reason }
        perform(machine.onTransmitFailed(id, now: runtime.now()))
    }

    private func perform(_ effects: [SessionMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .transmit(let frame, let id):
                outbox?.yield(
                    Outgoing(bytes: FrameEncoder.encode(frame, .toRadio), id: id, cause: causes[id]))
            case .resolve(let id, let outcome):
                causes[id] = nil
                waiting.removeValue(forKey: id)?.resume(returning: outcome)
            case .publish(let frame): publish(frame)
            }
        }
        armTimer()
    }

    private func publish(_ frame: RadioFrame) {
        contactCache.note(frame)
        switch frame {
        case .selfInfo(let reply): selfInfo = reply
        case .deviceInfo(let reply): deviceInfo = reply
        case .malformed(let code, _, let defect):
            runtime.post(
                .clientWarning, name, ["text": "unreadable frame \(FrameNames.name(of: code)): \(defect.description)"])
        default: break
        }
        events.dispatch(MeshEvent(frame))
    }

    /// One timer serves all deadlines; it is left alone when it rings too early, because that does no harm.
    private func armTimer() {
        guard let due = machine.nextDeadline else { return }
        if let timerDue, timerDue <= due { return }
        timer?.cancel()
        timerDue = due
        let runtime = runtime
        timer = runtime.spawn("\(name) timer") { [weak self] in
            do { try await runtime.sleep(until: Deadline(at: due)) } catch { return }
            await self?.timerRang(due)
        }
    }

    private func timerRang(_ due: SimInstant) {
        guard timerDue == due else { return }
        timerDue = nil
        timer = nil
        perform(machine.onDeadline(now: runtime.now()))
    }
}
