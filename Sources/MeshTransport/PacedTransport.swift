internal import CompanionProtocol
internal import RigBase
public import RigRuntime
internal import Synchronization

/// How fast and in which pieces a link carries bytes.
public struct LinkPacing: Sendable, Hashable {
    /// Bytes a second in each direction; nil for as many as come.
    public var bytesPerSecond: Int?
    /// Largest piece that arrives at once; nil keeps pieces as they were written.
    public var pieceSize: Int?
    /// From the end of sending to arrival.
    public var latency: Duration
    /// The radio's frames leave at least this far apart, each as one piece (Bluetooth notifications).
    public var frameInterval: Duration?

    public init(bytesPerSecond: Int?, pieceSize: Int?, latency: Duration, frameInterval: Duration?) {
        self.bytesPerSecond = bytesPerSecond
        self.pieceSize = pieceSize
        self.latency = latency
        self.frameInterval = frameInterval
    }

    /// 115,200 baud with ten bits a byte, in USB packets of 64 bytes, one a millisecond at most.
    public static let usbUART115200 = LinkPacing(
        bytesPerSecond: 11_520, pieceSize: 64, latency: .milliseconds(1), frameInterval: nil)
    /// A native USB port: packets of 64 bytes, one a millisecond.
    public static let usbCDC = LinkPacing(
        bytesPerSecond: 64_000, pieceSize: 64, latency: .zero, frameInterval: nil)
    /// A radio on the local Wi-Fi.
    public static let tcp = LinkPacing(
        bytesPerSecond: nil, pieceSize: 1_460, latency: .milliseconds(3), frameInterval: nil)
    /// One notification each 60 ms (companion-protocol §1.5).
    public static let bleESP32 = LinkPacing(
        bytesPerSecond: nil, pieceSize: nil, latency: .milliseconds(15), frameInterval: .milliseconds(60))
    /// As fast as connection intervals allow.
    public static let bleNRF52 = LinkPacing(
        bytesPerSecond: nil, pieceSize: nil, latency: .milliseconds(15), frameInterval: .milliseconds(15))

    /// The pacings scenario files name; `unpaced` is nil.
    public static var named: [(name: String, pacing: LinkPacing?)] {
        LinkPreset.catalogue.map { ($0.name, $0.pacing) }
    }

    /// How long `count` bytes occupy the line.
    func duration(of count: Int) -> Duration {
        guard let bytesPerSecond else { return .zero }
        return .nanoseconds((Int64(count) * 1_000_000_000 + Int64(bytesPerSecond) - 1) / Int64(bytesPerSecond))
    }

    func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        guard let pieceSize, bytes.count > pieceSize else { return [bytes] }
        return stride(from: 0, to: bytes.count, by: pieceSize).map {
            Array(bytes[$0..<min($0 + pieceSize, bytes.count)])
        }
    }
}

/// Lets bytes take the time a real link takes, in the run's time. It belongs innermost, right in front of the link.
///
/// Bytes under way when the peer closes still arrive; bytes under way when the user disconnects do not.
public final class PacedTransport: Transport {
    /// A chunk with the instant at which the radio put it on the line.
    private struct Stamped: Sendable {
        var bytes: [UInt8]
        var at: SimInstant
    }

    private struct State {
        var toRadioFreeAt = SimInstant.zero
        var pump: Task<Void, Never>?
    }

    public var name: String { base.name }
    public var allowsPipelining: Bool { base.allowsPipelining }
    private let base: any Transport
    private let runtime: Runtime
    private let pacing: LinkPacing
    private let front = LinkFront()
    private let state = Mutex(State())

    public init(_ base: any Transport, runtime: Runtime, pacing: LinkPacing) {
        self.base = base
        self.runtime = runtime
        self.pacing = pacing
    }

    public func connect() async throws {
        guard let connection = try await front.connect(over: base) else { return }
        let chunks = await base.received()
        let (stamped, stamper) = AsyncStream.makeStream(of: Stamped.self)
        runtime.spawn("arrivals " + name) { [runtime] in
            for await chunk in chunks { stamper.yield(Stamped(bytes: chunk, at: runtime.now())) }
            stamper.finish()
        }
        let pump = runtime.spawn("pacing " + name) { [self] in
            await carry(stamped, connection)
            let loss = await base.presentLoss(otherwise: .failed("lost"))
            front.down(loss, on: connection)
        }
        state.withLock { state in
            state.pump = pump
            state.toRadioFreeAt = runtime.now()
        }
    }

    public func disconnect() async {
        let pump = state.withLock { $0.pump }
        pump?.cancel()
        front.down(.closedHere)
        await base.disconnect()
    }

    /// Returns when the last byte is on the line.
    public func write(_ bytes: [UInt8]) async throws {
        guard front.isUp else { throw TransportError.notConnected }
        // The line is reserved at once, so that concurrent writes do not mix.
        var instant = state.withLock { state in
            let start = max(runtime.now(), state.toRadioFreeAt)
            state.toRadioFreeAt = start.advanced(by: pacing.duration(of: bytes.count))
            return start
        }
        for piece in pacing.pieces(of: bytes) {
            instant = instant.advanced(by: pacing.duration(of: piece.count))
            try await wait(until: instant.advanced(by: pacing.latency))
            try await base.write(piece)
        }
    }

    public func received() async -> AsyncStream<[UInt8]> { front.received() }
    public func states() async -> AsyncStream<LinkState> { front.states() }

    /// Passes on what the radio sends, piece by piece, each when its last byte would have arrived.
    private func carry(_ chunks: AsyncStream<Stamped>, _ connection: LinkFront.Connection) async {
        var freeAt = runtime.now()
        var splitter = FrameSplitter(.fromRadio)
        for await chunk in chunks {
            let parts = pacing.frameInterval == nil ? [chunk.bytes] : splitter.receive(chunk.bytes).map(\.bytes)
            for piece in parts.flatMap(pacing.pieces(of:)) {
                let start = max(chunk.at, freeAt)
                freeAt = start.advanced(by: pacing.duration(of: piece.count))
                let arrival = freeAt.advanced(by: pacing.latency)
                if let interval = pacing.frameInterval { freeAt = max(freeAt, start.advanced(by: interval)) }
                guard (try? await wait(until: arrival)) != nil else { return }
                front.deliver(piece, on: connection)
            }
        }
    }

    private func wait(until instant: SimInstant) async throws {
        if instant > runtime.now() { try await runtime.sleep(until: Deadline(at: instant)) }
    }
}
