internal import ClientStore
internal import MeshCoreClient
internal import MeshProtocol
internal import MeshTransport
internal import RigBase
internal import RigRuntime
internal import RunRecord

/// What the services of one link share: the radio, the store and the surroundings of the run.
struct ServiceContext: Sendable {
    let session: MeshCoreSession
    let store: PersistenceStore
    let runtime: Runtime
    let configuration: ServiceConfiguration
    /// Whose client this is; the subject of everything posted to the journal.
    let subject: String
    let radioID: UUID128
    let ownKey: PublicKey
    /// The node's name, which it puts in front of channel text.
    let nodeName: String
    let maxChannels: Int
    let platform: DevicePlatform
    /// Requests may be written before the replies to earlier ones came.
    let allowsPipelining: Bool

    /// Unix time in milliseconds. The whole seconds are the host's, the rest is the run's, which is exact in simulated time.
    var wallMillis: Int64 {
        Int64(runtime.wallSeconds()) * 1_000 + runtime.now().milliseconds % 1_000
    }

    /// Posts a fact about this client; without a cause of its own it has that of the present task.
    @discardableResult
    func post(_ kind: EventKind, cause: EventID? = nil, _ fields: Fields) -> EventID {
        runtime.post(kind, subject, cause: cause ?? SeamCause.current, fields)
    }

    /// Starts a task of this client that goes on by itself: what it does follows from no step of whoever began it.
    @discardableResult
    func background(_ name: String, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        runtime.background("\(subject): \(name)", body)
    }

    func warn(_ text: String) { post(.clientWarning, ["text": .text(text)]) }
}
