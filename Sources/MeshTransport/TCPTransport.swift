internal import Synchronization

/// A radio, or anything that speaks its protocol, at a TCP address.
///
/// Sockets are served by threads of their own, so it works on any executor. Limits pass in real time.
public final class TCPTransport: Transport {
    private struct State {
        var attempt: TCPAttempt?
        var pump: DescriptorPump?
    }

    public let name: String
    public let allowsPipelining = false
    private let host: String
    private let port: UInt16
    private let limits: LinkLimits
    private let front = LinkFront()
    private let state = Mutex(State())

    public init(host: String, port: UInt16, limits: LinkLimits = .standard) {
        name = "tcp:\(host):\(port)"
        self.host = host
        self.port = port
        self.limits = limits
    }

    deinit { state.withLock { $0.pump }?.close() }

    /// Cancelling the caller, or `disconnect()`, gives the attempt up at once.
    public func connect() async throws {
        guard front.beginConnecting() else {
            if front.isUp { return }
            throw TransportError.connectFailed("another attempt is under way")
        }
        let attempt = TCPAttempt(host: host, port: port, limit: limits.connect)
        state.withLock { $0.attempt = attempt }
        defer { state.withLock { $0.attempt = nil } }
        do {
            let socket = try await attempt.connect()
            let pump = try DescriptorPump.begin(socket, front: front, limits: limits)
            state.withLock { $0.pump = pump }
            // Disconnected between the two lines above.
            if !front.isUp { pump.close() }
        } catch {
            front.connectingFailed(error is CancellationError ? .closedHere : .failed("\(error)"))
            throw error
        }
    }

    public func disconnect() async {
        let (attempt, pump) = state.withLock { state in
            defer { state.pump = nil }
            return (state.attempt, state.pump)
        }
        attempt?.cancel()
        front.down(.closedHere)
        pump?.close()
    }

    public func write(_ bytes: [UInt8]) async throws {
        guard front.isUp, let pump = state.withLock({ $0.pump }) else { throw TransportError.notConnected }
        try await pump.write(bytes)
    }

    public func received() async -> AsyncStream<[UInt8]> { front.received() }
    public func states() async -> AsyncStream<LinkState> { front.states() }
}
