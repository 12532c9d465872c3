/// What the firmware's code for one kind of host link does with frames, as data with its source.
public struct HostInterfaceFacts: Sendable, Hashable {
    public enum Oversize: Sendable, Hashable {
        /// Cut to the longest frame and executed.
        case cut
        case dropped
    }

    /// Frames that may wait for the client; nil writes each at once.
    public var sendQueue: Int?
    /// Commands that may wait for the firmware; nil for a byte stream.
    public var receiveQueue: Int?
    /// Milliseconds from one frame to the next.
    public var frameInterval: Int64
    /// Waiting frames from which on a contact listing pauses; nil: while the interval lasts.
    public var busyFrom: Int?
    /// Longest frame that leaves whole.
    public var longestFrame: Int
    /// A new client takes the place of the one before.
    public var newestClientWins: Bool
    public var oversize: Oversize
    /// Writes that come within one millisecond reach the firmware as one frame.
    public var mergesWrites: Bool
    public var source: String
}

extension HostInterfaceKind {
    /// Those of `both` are Wi-Fi's, which has the narrower queue.
    public var facts: HostInterfaceFacts {
        switch self {
        case .serial:
            HostInterfaceFacts(
                sendQueue: nil, receiveQueue: nil, frameInterval: 0, busyFrom: nil, longestFrame: 176,
                newestClientWins: false, oversize: .cut, mergesWrites: false, source: "companion-protocol §1.2")
        case .wifi, .both:
            HostInterfaceFacts(
                sendQueue: 4, receiveQueue: nil, frameInterval: 0, busyFrom: nil, longestFrame: 176,
                newestClientWins: true, oversize: .dropped, mergesWrites: false, source: "companion-protocol §1.3")
        case .ethernet:
            HostInterfaceFacts(
                sendQueue: 4, receiveQueue: nil, frameInterval: 0, busyFrom: nil, longestFrame: 176,
                newestClientWins: true, oversize: .cut, mergesWrites: false, source: "companion-protocol §1.4")
        case .bleESP32:
            HostInterfaceFacts(
                sendQueue: 4, receiveQueue: 4, frameInterval: 60, busyFrom: nil, longestFrame: 173,
                newestClientWins: false, oversize: .dropped, mergesWrites: false, source: "companion-protocol §1.5")
        case .bleNRF52:
            HostInterfaceFacts(
                sendQueue: 12, receiveQueue: 12, frameInterval: 0, busyFrom: 8, longestFrame: 244,
                newestClientWins: false, oversize: .dropped, mergesWrites: true, source: "companion-protocol §1.5")
        }
    }
}
