public import RunRecord

extension EventKind {
    /// The firmware ran into a defect of its own and restarts. Fields: reason, clock.
    public static let firmwareCrash = EventKind("firmware-crash")
    /// A message has entered a companion's offline queue. Fields: from or channel, text or data, waiting.
    public static let messageQueued = EventKind("message-queued")
    /// A companion without a client has run a command of its own. Fields: code, answers.
    public static let peerCommand = EventKind("peer-command")
    /// A companion without a client has fetched a message. Fields: frame.
    public static let peerMessage = EventKind("peer-message")
}
