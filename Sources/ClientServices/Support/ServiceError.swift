public import ClientStore
public import CompanionProtocol
internal import RigBase

/// What a radio did not do, as the services tell it.
public enum RadioFailure: Error, Sendable, Hashable, CustomStringConvertible {
    case timeout
    /// Nothing was written: there is no link.
    case notConnected
    /// The link went while the command was under way.
    case connectionLost
    case device(DeviceErrorCode)
    case cancelled
    /// An answer came that cannot be read.
    case unreadable(String)
    case other(String)

    /// The same command may succeed when it is given again.
    var isRetryable: Bool { self == .timeout }
    var isLinkLoss: Bool { self == .notConnected || self == .connectionLost }

    public var description: String {
        switch self {
        case .timeout: "the radio did not answer in time"
        case .notConnected: "not connected"
        case .connectionLost: "the link was lost"
        case .device(let code): "the radio answered: \(code)"
        case .cancelled: "cancelled"
        case .unreadable(let reason): "the radio's answer cannot be read: \(reason)"
        case .other(let text): text
        }
    }
}

/// Why a service could not do what was asked.
public enum ServiceError: Error, Sendable, Hashable, CustomStringConvertible {
    case notConnected
    /// Another connect or disconnect came in between.
    case superseded
    case recipientUnknown(String)
    case recipientIsRepeater(String)
    case channelUnknown(String)
    case textTooLong(bytes: Int, limit: Int)
    /// The message is being sent at this moment.
    case alreadySending
    case messageUnknown
    case radio(RadioFailure)
    case store(StoreError)

    public var description: String {
        switch self {
        case .notConnected: "not connected"
        case .superseded: "another connect or disconnect came in between"
        case .recipientUnknown(let name): "no contact \(name)"
        case .recipientIsRepeater(let name): "\(name) is a repeater and takes no messages"
        case .channelUnknown(let name): "no channel \(name)"
        case .textTooLong(let bytes, let limit): "the text has \(bytes) bytes, \(limit) are allowed"
        case .alreadySending: "the message is being sent already"
        case .messageUnknown: "no such message"
        case .radio(let failure): failure.description
        case .store(let error): error.description
        }
    }
}

/// Runs a call of the store and tells its failure as a service does.
func storing<Result: Sendable>(
    _ body: () async throws(StoreError) -> Result
) async throws(ServiceError) -> Result {
    do { return try await body() } catch { throw .store(error) }
}

/// Runs a call of the radio and tells its failure as a service does.
func asking<Result: Sendable>(
    _ body: () async throws(RadioFailure) -> Result
) async throws(ServiceError) -> Result {
    do { return try await body() } catch { throw .radio(error) }
}
