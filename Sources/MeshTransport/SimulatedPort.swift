internal import RigBase
public import RunRecord
internal import Synchronization

/// The duct between a client's transport and a simulated radio: one end is a `SimulatedTransport`, the other the run's loop.
///
/// The loop takes what was written and the comings and goings with `takeEvents()`, and hands over what the radio says with
/// `deliver`: each delivery is one chunk at the client. Bytes delivered while nobody is connected are lost, as on a cable.
/// A second transport that connects takes the port over from the first, whose link then is closed by the peer.
public final class SimulatedPort: Sendable {
    /// What happens to a client that connects.
    public enum ConnectBehaviour: Sendable, Hashable {
        case accept
        /// Fails at once with this reason.
        case refuse(String)
        /// Neither succeeds nor fails, until the client's own limit.
        case stall
    }

    /// What the client's end did, in order.
    public enum Event: Sendable, Hashable {
        case connected
        /// One write; the cause is the recorded frame it belongs to.
        case written([UInt8], cause: EventID?)
        /// Told for every connection that ended, whoever ended it.
        case disconnected(LinkLoss)
    }

    private struct State {
        var behaviour = ConnectBehaviour.accept
        var front: LinkFront?
        var connection: LinkFront.Connection = 0
        var events: [Event] = []
        var writesStall = false
        var waitingWriters: [AsyncStream<Void>.Continuation] = []
        var undelivered = 0
    }

    public let name: String
    private let state = Mutex(State())

    public init(name: String) { self.name = name }

    // MARK: The radio's side

    public var isConnected: Bool { state.withLock { $0.front != nil } }

    /// Bytes that were delivered while nobody was connected.
    public var undeliveredBytes: Int { state.withLock { $0.undelivered } }

    /// Everything the client did since the last call, in order.
    public func takeEvents() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// The bytes written since the last call; leaves connects and disconnects for `takeTransitions`.
    public func takeWritten() -> [UInt8] {
        state.withLock { state in
            var bytes: [UInt8] = []
            state.events.removeAll { event in
                guard case .written(let more, _) = event else { return false }
                bytes += more
                return true
            }
            return bytes
        }
    }

    /// The connects and disconnects since the last call; leaves what was written for `takeWritten`.
    public func takeTransitions() -> [Event] {
        state.withLock { state in
            var taken: [Event] = []
            state.events.removeAll { event in
                if case .written = event { return false }
                taken.append(event)
                return true
            }
            return taken
        }
    }

    /// Hands `bytes` to the client as one chunk.
    public func deliver(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let (front, connection) = state.withLock { state in
            if state.front == nil { state.undelivered += bytes.count }
            return (state.front, state.connection)
        }
        front?.deliver(bytes, on: connection)
    }

    /// Ends the connection from the radio's side.
    public func lose(_ loss: LinkLoss) {
        guard let (front, connection) = detach(loss, only: nil) else { return }
        front.down(loss, on: connection)
    }

    public func setConnectBehaviour(_ behaviour: ConnectBehaviour) {
        state.withLock { $0.behaviour = behaviour }
    }

    public func refuseConnections(_ refuse: Bool) {
        setConnectBehaviour(refuse ? .refuse("connection refused") : .accept)
    }

    /// Lets writes wait, as a peer that no longer reads does once its buffers are full.
    public func stallWrites(_ stall: Bool) {
        let waiting = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            state.writesStall = stall
            return stall ? [] : Self.takeWriters(&state)
        }
        for writer in waiting { writer.finish() }
    }

    // MARK: The client's side

    var connectBehaviour: ConnectBehaviour { state.withLock { $0.behaviour } }

    func attach(_ front: LinkFront, _ connection: LinkFront.Connection) {
        let previous = detach(.closedByPeer, only: nil)
        state.withLock { state in
            state.front = front
            state.connection = connection
            state.events.append(.connected)
        }
        if let (front, connection) = previous { front.down(.closedByPeer, on: connection) }
    }

    /// Takes the client off the port; nil when it is not on it.
    @discardableResult
    func detach(_ loss: LinkLoss, only front: LinkFront?) -> (LinkFront, LinkFront.Connection)? {
        var writers: [AsyncStream<Void>.Continuation] = []
        let detached = state.withLock { state -> (LinkFront, LinkFront.Connection)? in
            guard let present = state.front, front == nil || present === front else { return nil }
            state.front = nil
            state.events.append(.disconnected(loss))
            writers = Self.takeWriters(&state)
            return (present, state.connection)
        }
        for writer in writers { writer.finish() }
        return detached
    }

    /// Takes the bytes, or answers with a stream that ends when it is worth trying again.
    func write(_ bytes: [UInt8], from front: LinkFront, cause: EventID?) throws(TransportError) -> AsyncStream<Void>? {
        let result = state.withLock { state -> Result<AsyncStream<Void>?, TransportError> in
            guard state.front === front else { return .failure(.notConnected) }
            if state.writesStall {
                let (stream, writer) = AsyncStream.makeStream(of: Void.self)
                state.waitingWriters.append(writer)
                return .success(stream)
            }
            state.events.append(.written(bytes, cause: cause))
            return .success(nil)
        }
        return try result.get()
    }

    private static func takeWriters(_ state: inout State) -> [AsyncStream<Void>.Continuation] {
        defer { state.waitingWriters = [] }
        return state.waitingWriters
    }
}
