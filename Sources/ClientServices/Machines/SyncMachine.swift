/// How one phase of a sync ended.
public enum PhaseResult: Sendable, Hashable, CustomStringConvertible {
    case clean
    /// Part of it was read and stored.
    case partial
    case skipped
    case failed(String)

    public var description: String {
        switch self {
        case .clean: "clean"
        case .partial: "partial"
        case .skipped: "skipped"
        case .failed(let reason): "failed: \(reason)"
        }
    }
}

/// What one sync achieved.
public struct SyncResult: Sendable, Hashable {
    public var contacts: PhaseResult
    public var channels: PhaseResult
    public var messages: PhaseResult

    public init(contacts: PhaseResult, channels: PhaseResult, messages: PhaseResult) {
        self.contacts = contacts
        self.channels = channels
        self.messages = messages
    }

    /// A sync that was not done because another one runs.
    public static let skipped = SyncResult(contacts: .skipped, channels: .skipped, messages: .skipped)

    /// Contacts alone decide whether a link can be used.
    public var isUsable: Bool { contacts == .clean }
    /// Whether everything asked for was read.
    public var isComplete: Bool {
        contacts == .clean && [channels, messages].allSatisfy { $0 == .clean || $0 == .skipped }
    }
}

/// What a sync is busy with.
public enum SyncState: Sendable, Hashable {
    public enum Phase: String, Sendable, Hashable { case contacts, channels, messages }

    case idle
    case syncing(Phase)
    case synced
    case failed(String)
}

/// Decides the order of a sync and what a failure of each phase means (client-stack §4.3).
///
/// Contacts before channels before messages: a message can only be filed under a contact or channel that is known. A failure
/// in the contacts ends the sync; later phases only make its result partial. Activity begins once and ends once, before the
/// messages.
struct SyncMachine: Sendable {
    enum Effect: Sendable, Hashable {
        case publish(SyncState)
        case beginActivity
        case endActivity(succeeded: Bool)
        case syncContacts
        case readChannels
        case pollMessages
        case finish(SyncResult)
    }

    private enum State: Sendable {
        case idle
        case contacts
        case channels
        case messages(channels: PhaseResult)
        case done
    }

    /// False leaves the channels out: in the background, or within the platform's window after the last reading.
    let readsChannels: Bool
    private var state = State.idle

    init(readsChannels: Bool) { self.readsChannels = readsChannels }

    mutating func start() -> [Effect] {
        guard case .idle = state else { preconditionFailure("a sync is started once") }
        state = .contacts
        return [.publish(.syncing(.contacts)), .beginActivity, .syncContacts]
    }

    mutating func onContacts(_ result: PhaseResult) -> [Effect] {
        guard case .contacts = state else { preconditionFailure("contacts are not being read") }
        if case .failed(let reason) = result {
            state = .done
            return [
                .publish(.failed(reason)), .endActivity(succeeded: false),
                .finish(SyncResult(contacts: result, channels: .skipped, messages: .skipped)),
            ]
        }
        guard readsChannels else { return messages(channels: .skipped) }
        state = .channels
        return [.publish(.syncing(.channels)), .readChannels]
    }

    mutating func onChannels(_ result: PhaseResult) -> [Effect] {
        guard case .channels = state else { preconditionFailure("channels are not being read") }
        return messages(channels: result)
    }

    mutating func onMessages(_ result: PhaseResult) -> [Effect] {
        guard case .messages(let channels) = state else { preconditionFailure("messages are not being read") }
        state = .done
        return [
            .publish(.synced), .finish(SyncResult(contacts: .clean, channels: channels, messages: result)),
        ]
    }

    /// The link went or the user ended it.
    mutating func onCancelled() -> [Effect] {
        defer { state = .done }
        switch state {
        case .idle, .done: return []
        case .contacts, .channels: return [.endActivity(succeeded: false), .publish(.idle)]
        case .messages: return [.publish(.idle)]
        }
    }

    private mutating func messages(channels: PhaseResult) -> [Effect] {
        state = .messages(channels: channels)
        return [.endActivity(succeeded: true), .publish(.syncing(.messages)), .pollMessages]
    }
}
