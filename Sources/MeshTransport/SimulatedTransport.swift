internal import RigBase
public import RigRuntime

/// The client's end of a `SimulatedPort`; its limits pass in the run's own time.
public final class SimulatedTransport: Transport {
    public let name: String
    public let allowsPipelining = false
    private let port: SimulatedPort
    private let runtime: Runtime
    private let limits: LinkLimits
    private let front = LinkFront()

    public init(port: SimulatedPort, runtime: Runtime, limits: LinkLimits = .standard) {
        self.name = "simulated " + port.name
        self.port = port
        self.runtime = runtime
        self.limits = limits
    }

    public func connect() async throws {
        guard front.beginConnecting() else {
            if front.isUp { return }
            throw TransportError.connectFailed("another attempt is under way")
        }
        switch port.connectBehaviour {
        case .accept:
            guard let connection = front.up() else { throw TransportError.connectFailed("given up") }
            port.attach(front, connection)
        case .refuse(let reason):
            front.connectingFailed(.failed(reason))
            throw TransportError.connectFailed(reason)
        case .stall:
            do {
                try await runtime.sleep(for: limits.connect)
            } catch {
                front.connectingFailed(.closedHere)
                throw error
            }
            front.connectingFailed(.failed("timed out"))
            throw TransportError.connectTimedOut
        }
    }

    public func disconnect() async {
        port.detach(.closedHere, only: front)
        front.down(.closedHere)
    }

    public func write(_ bytes: [UInt8]) async throws {
        let deadline = Deadline(limits.write, after: runtime.now())
        while let writable = try port.write(bytes, from: front, cause: SeamCause.current) {
            do {
                try await runtime.withDeadline(deadline) { for await _ in writable {} }
            } catch is TimedOut {
                throw TransportError.writeTimedOut
            }
            try Task.checkCancellation()
        }
    }

    public func received() async -> AsyncStream<[UInt8]> { front.received() }
    public func states() async -> AsyncStream<LinkState> { front.states() }
}
