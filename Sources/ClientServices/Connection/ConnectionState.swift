/// How far a connection is (client-stack §8.1).
public enum ConnectionState: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case disconnected
    /// A link is being brought up, for the first time or after a loss.
    case connecting
    /// Link and session stand; the first sync runs.
    case connected
    /// The first sync failed; it is tried again.
    case syncing
    case ready

    public var description: String { rawValue }
    /// Commands make sense, and a silent radio counts as lost.
    public var isOperational: Bool { self == .syncing || self == .ready }
}

/// What the user wants of the connection.
public enum ConnectionIntent: Sendable, Hashable {
    case none
    /// Nothing connects again until the user says so.
    case userDisconnected
    /// A lost link is rebuilt. `full`: the next sync asks for everything.
    case wantsConnection(full: Bool)
}
