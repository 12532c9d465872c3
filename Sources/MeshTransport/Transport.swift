/// Why a link is no longer up.
public enum LinkLoss: Sendable, Hashable, CustomStringConvertible {
    /// `disconnect()` was called at this end.
    case closedHere
    case closedByPeer
    /// The link broke; the text says how.
    case failed(String)

    public var description: String {
        switch self {
        case .closedHere: "closed at this end"
        case .closedByPeer: "closed by the peer"
        case .failed(let reason): reason
        }
    }
}

/// What can go wrong at the seam.
public enum TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    case notConnected
    /// The link could not be brought up; the text says why.
    case connectFailed(String)
    case connectTimedOut
    case writeFailed(String)
    /// A write was not taken within its limit (5 s).
    case writeTimedOut

    public var description: String {
        switch self {
        case .notConnected: "not connected"
        case .connectFailed(let reason): "cannot connect: \(reason)"
        case .connectTimedOut: "cannot connect: timed out"
        case .writeFailed(let reason): "cannot write: \(reason)"
        case .writeTimedOut: "cannot write: timed out"
        }
    }
}

/// State of a link as its user sees it.
public enum LinkState: Sendable, Hashable {
    case down(LinkLoss?)
    case connecting
    case up
}

/// The one seam between a client and a radio: bytes, not frames.
///
/// Whatever plays the radio (a simulated world, a TCP socket, a serial port, a recording) stands behind this, and decorators
/// for recording, faults and pacing stand in front of it.
///
/// Contract: `connect` is harmless when the link is up. A loss the user did not ask for is told exactly once in `states`, and
/// after that the stream of chunks ends; what arrived before it can still be read. `disconnect` may be called again and
/// again. A transport may be connected again after a loss; each connection has a new stream of chunks.
///
/// Order of the decorators, outermost first: recording, faults, pacing, then the link itself. So the journal holds what
/// the client saw and said, and the `fault` events beside it hold what the radio saw and said where that differs.
public protocol Transport: Sendable {
    /// What stands at the other end, for messages: `simulated alice`, `tcp:127.0.0.1:5000`.
    var name: String { get }

    /// Whether several requests may be written before the first reply is read.
    var allowsPipelining: Bool { get }

    /// Brings the link up. Throws `TransportError`, or `CancellationError` when the caller is cancelled meanwhile.
    func connect() async throws

    func disconnect() async

    /// Writes all bytes or throws `TransportError`.
    func write(_ bytes: [UInt8]) async throws

    /// The chunks that arrive on the present connection, as they come; ends with the connection. One consumer a connection.
    func received() async -> AsyncStream<[UInt8]>

    /// The records of the frames in the chunks of `received()`, for what they lead to; nil where nothing is recorded.
    var records: FrameCauses? { get }

    /// The present state, then each change. Ends never; every caller has a stream of its own.
    func states() async -> AsyncStream<LinkState>
}

extension Transport {
    public var records: FrameCauses? { nil }
}
