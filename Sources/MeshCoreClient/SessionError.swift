public import CompanionProtocol
public import MeshTransport

/// Why an operation of a session did not succeed.
public enum SessionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No reply came in time.
    case timeout
    /// There is no link, or the session is not running.
    case notConnected
    /// The link broke while the operation was under way.
    case connectionLost
    /// The link could not be brought up, or a frame could not be written.
    case transport(TransportError)
    /// The radio answered ERR with this code, 0 when it told none.
    case device(DeviceErrorCode)
    /// The build of the radio does not have the feature.
    case disabled
    /// The caller was cancelled.
    case cancelled
    /// A value given by the caller fits no frame; nothing was written.
    case invalidArgument(String)
    /// A reply came that cannot be read.
    case malformedReply(String)

    public var description: String {
        switch self {
        case .timeout: "no reply in time"
        case .notConnected: "not connected"
        case .connectionLost: "connection lost"
        case .transport(let error): error.description
        case .device(let code): "the radio answered: \(code)"
        case .disabled: "disabled in this radio"
        case .cancelled: "cancelled"
        case .invalidArgument(let reason): reason
        case .malformedReply(let reason): "unreadable reply: \(reason)"
        }
    }
}

/// What a session is doing with its link.
public enum SessionState: Sendable, Hashable {
    case disconnected
    case connecting
    /// The first connection was lost; counts attempts from 1.
    case reconnecting(attempt: Int)
    /// The link is up; told before the handshake.
    case connected
    case failed(SessionError)
}

/// Limits of a session (client-stack §1.4.1). All pass in the run's own time.
public struct SessionConfiguration: Sendable, Hashable {
    /// For a command without a limit of its own.
    public var timeout: Duration
    /// Name told to the radio at the beginning.
    public var appName: WireText
    /// Protocol version asked for by `queryDevice`.
    public var appVersion: UInt8
    public var requests: Exchange.RequestLimits
    public var contacts: Exchange.ContactLimits
    public var channels: Exchange.ChannelLimits
    /// Between two messages that are fetched by themselves.
    public var fetchPause: Duration
    /// Percent of the radio's suggested timeout that a confirmation is waited for.
    public var confirmationPercent: Int
    /// Serial reads end after that many timeouts in a row.
    public var channelTimeoutsInARow: Int

    public init(
        timeout: Duration = .seconds(5), appName: WireText = "MeshRig", appVersion: UInt8 = 13,
        requests: Exchange.RequestLimits = .init(), contacts: Exchange.ContactLimits = .init(),
        channels: Exchange.ChannelLimits = .init(), fetchPause: Duration = .milliseconds(100),
        confirmationPercent: Int = 120, channelTimeoutsInARow: Int = 3
    ) {
        self.timeout = timeout
        self.appName = appName
        self.appVersion = appVersion
        self.requests = requests
        self.contacts = contacts
        self.channels = channels
        self.fetchPause = fetchPause
        self.confirmationPercent = confirmationPercent
        self.channelTimeoutsInARow = channelTimeoutsInARow
    }
}
