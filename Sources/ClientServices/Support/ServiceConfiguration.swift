public import RigBase

/// The times and habits of the services; the defaults are those of client-stack §11.
public struct ServiceConfiguration: Sendable, Hashable {
    /// Fixed wait for a confirmation; nil: 1.2 × what the radio suggests.
    public var confirmationLimit: Duration?
    /// How long after its last attempt a direct message is given up, unless that attempt waits longer.
    public var giveUpAfter: Duration = .seconds(30)
    public var expiryInterval: Duration = .seconds(5)
    /// Messages are fetched when the radio tells that some wait.
    public var fetchesAutomatically = true
    /// In the background channels are not read.
    public var isInBackground = false
    /// Channels read that recently are not read again; nil: 30 s for ESP32 boards, else none.
    public var channelSkipWindow: Duration?
    /// How long handlers of received messages are waited for before live fetching begins.
    public var handlerDrainLimit: Duration = .seconds(30)
    public var heartbeatInterval: Duration = .seconds(30)
    /// Clocks further apart than this are set.
    public var clockTolerance: Int64 = 5
    public var resyncInterval: Duration = .seconds(2)
    public var resyncAttempts = 3

    public init() {}
}

/// Names a stored message.
public typealias MessageID = UUID128

/// The longest texts (client-stack §3.2, §3.3), in UTF-8 bytes.
public enum TextLimits {
    public static let direct = 150
    public static let channel = 147
}
