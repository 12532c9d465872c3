internal import CompanionProtocol
internal import RigBase
public import RigRuntime
internal import RunRecord
internal import Synchronization

/// Writes down every frame that passes, with secrets masked, and passes it on unchanged.
///
/// It belongs outermost, in front of faults and pacing: then the journal holds what the client saw. A frame to the radio
/// is posted before it is written, and its event is the `SeamCause` of the write.
public final class RecordingTransport: Transport {
    private struct State {
        var toRadio = FrameSplitter(.toRadio)
        var fromRadio = FrameSplitter(.fromRadio)
        var connection: LinkFront.Connection = 0
    }

    public var name: String { base.name }
    public var allowsPipelining: Bool { base.allowsPipelining }
    public var records: FrameCauses? { arrived }
    private let arrived = FrameCauses()
    private let base: any Transport
    private let runtime: Runtime
    private let subject: String
    private let causes: FrameCauses?
    private let secrets: SecretMemory
    private let front = LinkFront()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - subject: whom the events are about: the role or node whose link this is.
    ///   - causes: where the radio's side says why it sent a frame; nil when it cannot know, as on a bench.
    ///   - secrets: what must not be written down, wherever in a frame it stands; grows with what is seen.
    public init(
        _ base: any Transport, runtime: Runtime, subject: String, causes: FrameCauses?,
        secrets: SecretMemory = SecretMemory()
    ) {
        self.base = base
        self.runtime = runtime
        self.subject = subject
        self.causes = causes
        self.secrets = secrets
    }

    public func connect() async throws {
        let connection = try await front.connect(
            over: base,
            onFailure: { error in
                post(.linkDown, ["reason": FieldValue("\(error)"), "connecting": true])
            })
        guard let connection else { return }
        state.withLock { state in
            state.toRadio = FrameSplitter(.toRadio)
            state.fromRadio = FrameSplitter(.fromRadio)
        }
        post(.linkUp, [:])
        let chunks = await base.received()
        runtime.spawn("recording " + subject) { [self] in
            for await chunk in chunks { pass(chunk, on: connection) }
            let loss = await base.presentLoss(otherwise: .failed("lost"))
            ended(loss, connection)
        }
    }

    public func disconnect() async {
        let wasUp = front.down(.closedHere)
        await base.disconnect()
        if wasUp { postEnd(.closedHere) }
    }

    public func write(_ bytes: [UInt8]) async throws {
        guard front.isUp else { throw TransportError.notConnected }
        var last: EventID?
        for unit in state.withLock({ $0.toRadio.receive(bytes) }) { last = record(unit, .toRadio) }
        do {
            try await SeamCause.$current.withValue(last ?? SeamCause.current) { try await base.write(bytes) }
        } catch {
            post(.note, ["what": "write failed", "reason": FieldValue("\(error)")], cause: last)
            throw error
        }
    }

    public func received() async -> AsyncStream<[UInt8]> { front.received() }
    public func states() async -> AsyncStream<LinkState> { front.states() }

    private func pass(_ chunk: [UInt8], on connection: LinkFront.Connection) {
        for unit in state.withLock({ $0.fromRadio.receive(chunk) }) { record(unit, .fromRadio) }
        front.deliver(chunk, on: connection)
    }

    private func ended(_ loss: LinkLoss, _ connection: LinkFront.Connection) {
        if front.down(loss, on: connection) { postEnd(loss) }
    }

    private func postEnd(_ loss: LinkLoss) {
        let cut = state.withLock { ($0.toRadio.reset().count, $0.fromRadio.reset().count) }
        if cut.0 > 0 { postNoise(cut.0, .toRadio) }
        if cut.1 > 0 { postNoise(cut.1, .fromRadio) }
        post(.linkDown, ["reason": FieldValue(loss.description)])
    }

    @discardableResult
    private func record(_ unit: FrameSplitter.Unit, _ direction: LinkDirection) -> EventID {
        guard let frame = unit.frame else { return postNoise(unit.bytes.count, direction) }
        let masked = Redaction.mask(frame, direction)
        secrets.learn(from: frame, masked: masked)
        let fields: Fields = [
            "name": FieldValue(FrameNames.name(of: frame, direction)), "code": FieldValue(frame[0]),
            "frame": .bytes(secrets.mask(masked)),
        ]
        switch direction {
        case .toRadio: return post(.frameToRadio, fields, cause: SeamCause.current)
        case .fromRadio:
            let id = post(.frameFromRadio, fields, cause: causes?.take(frame))
            arrived.sent(frame, because: id)
            return id
        }
    }

    @discardableResult
    private func postNoise(_ length: Int, _ direction: LinkDirection) -> EventID {
        post(.noise, ["direction": FieldValue(direction.rawValue), "length": FieldValue(length)])
    }

    @discardableResult
    private func post(_ kind: EventKind, _ fields: Fields, cause: EventID? = nil) -> EventID {
        runtime.journal.post(
            kind, subject, at: runtime.now(), cause: cause, fields,
            hostFacts: kind == .linkUp ? ["transport": FieldValue(name)] : [:])
    }
}
