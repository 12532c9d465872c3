internal import ClientServices
internal import ClientStore
internal import CompanionProtocol
internal import MeshCoreClient
internal import MeshTransport
internal import RigRuntime

/// A step that could not be done, under a short name that `error:` can expect.
package struct StepFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package var name: String
    package var message: String

    package init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    package var description: String { message }
}

/// The short names under which `error:` knows what can go wrong.
enum ErrorNames {
    /// Not an error of the client: the testbed lacks something.
    static let blocked = "blocked"

    static let all = [
        "timeout", "not-connected", "connection-lost", "cancelled", "unsupported-command", "not-found", "table-full",
        "bad-state", "file-error", "illegal-argument", "unknown-contact", "unknown-channel", "unknown-node",
        "unknown-link", "unknown-fault", "no-companion", "recipient-is-repeater", "text-too-long", "already-sending",
        "already-syncing", "invalid-argument", "malformed-reply", "disabled", "refused", "store", "other",
    ]

    static func name(of error: any Error) -> String {
        switch error {
        case let failure as StepFailure: failure.name
        case let error as ServiceError: name(of: error)
        case let failure as RadioFailure: name(of: failure)
        case let error as SessionError: name(of: error)
        case is StoreError: "store"
        case is TransportError: "connection-lost"
        case is TimedOut: "timeout"
        case is CancellationError: "cancelled"
        default: "other"
        }
    }

    private static func name(of error: ServiceError) -> String {
        switch error {
        case .notConnected: "not-connected"
        case .superseded: "cancelled"
        case .recipientUnknown: "unknown-contact"
        case .recipientIsRepeater: "recipient-is-repeater"
        case .channelUnknown: "unknown-channel"
        case .textTooLong: "text-too-long"
        case .alreadySending: "already-sending"
        case .messageUnknown: "other"
        case .radio(let failure): name(of: failure)
        case .store: "store"
        }
    }

    private static func name(of failure: RadioFailure) -> String {
        switch failure {
        case .timeout: "timeout"
        case .notConnected: "not-connected"
        case .connectionLost: "connection-lost"
        case .device(let code): name(of: code)
        case .cancelled: "cancelled"
        case .unreadable: "malformed-reply"
        case .other: "other"
        }
    }

    private static func name(of error: SessionError) -> String {
        switch error {
        case .timeout: "timeout"
        case .notConnected: "not-connected"
        case .connectionLost: "connection-lost"
        case .device(let code): name(of: code)
        case .cancelled: "cancelled"
        case .invalidArgument: "invalid-argument"
        case .malformedReply: "malformed-reply"
        case .transport: "connection-lost"
        case .disabled: "disabled"
        }
    }

    private static func name(of code: DeviceErrorCode) -> String {
        switch code {
        case .unsupportedCommand: "unsupported-command"
        case .notFound: "not-found"
        case .tableFull: "table-full"
        case .badState: "bad-state"
        case .fileInputOutput: "file-error"
        case .illegalArgument: "illegal-argument"
        default: "other"
        }
    }
}
