internal import Glibc
internal import Synchronization

/// A radio behind a file descriptor: a serial port, a pseudo-terminal, any byte stream.
///
/// Each connection opens anew through the closure given, so a port that was unplugged can be found again.
public final class DescriptorTransport: Transport {
    private struct State {
        var pump: DescriptorPump?
        var modemLines: ModemLines.Outcome?
    }

    public let name: String
    public let allowsPipelining = false
    private let limits: LinkLimits
    private let wantedLines: ModemLines?
    private let openDescriptor: @Sendable () throws(TransportError) -> Int32
    private let front = LinkFront()
    private let state = Mutex(State())

    /// - Parameters:
    ///   - modemLines: how to set DTR and RTS after opening; nil leaves them alone.
    ///   - open: gives an open descriptor, which then belongs to the transport.
    public init(
        name: String, modemLines: ModemLines?, limits: LinkLimits = .standard,
        open: @escaping @Sendable () throws(TransportError) -> Int32
    ) {
        self.name = name
        self.limits = limits
        wantedLines = modemLines
        openDescriptor = open
    }

    /// A tty at `path`, put into raw mode.
    public convenience init(
        ttyAt path: String, modemLines: ModemLines? = nil, limits: LinkLimits = .standard
    ) {
        self.init(name: "pty:" + path, modemLines: modemLines, limits: limits) { () throws(TransportError) in
            let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw .connectFailed(path + ": " + errorText(errno)) }
            PseudoTerminal.makeRaw(descriptor)
            return descriptor
        }
    }

    deinit { state.withLock { $0.pump }?.close() }

    /// What became of the modem lines when the present or last connection was opened; nil when none were wanted.
    public var modemLines: ModemLines.Outcome? { state.withLock { $0.modemLines } }

    public func connect() async throws {
        guard front.beginConnecting() else {
            if front.isUp { return }
            throw TransportError.connectFailed("another attempt is under way")
        }
        do {
            let descriptor = try openDescriptor()
            let outcome = wantedLines?.apply(to: descriptor)
            let pump = try DescriptorPump.begin(descriptor, front: front, limits: limits)
            state.withLock { state in
                state.pump = pump
                state.modemLines = outcome
            }
            // Disconnected between the lines above.
            if !front.isUp { pump.close() }
        } catch {
            front.connectingFailed(.failed("\(error)"))
            throw error
        }
    }

    public func disconnect() async {
        let pump = state.withLock { state in
            defer { state.pump = nil }
            return state.pump
        }
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
