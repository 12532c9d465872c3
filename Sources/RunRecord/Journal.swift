public import RigBase
internal import RigCrypto
internal import Synchronization

/// Everything that happened in one run, in order; safe to post to from any thread.
public final class Journal: Sendable {
    private let state = Mutex<[RunEvent]>([])
    /// False for a journal that forgets every fact, for runs too long to be kept; all its ids are the same.
    public let keepsEvents: Bool

    public init(keepsEvents: Bool = true) { self.keepsEvents = keepsEvents }

    /// Events that are kept.
    public var count: Int { state.withLock { $0.count } }

    /// Appends a fact and names it.
    @discardableResult
    public func post(
        _ kind: EventKind, _ subject: String, at now: SimInstant, cause: EventID? = nil, packet: UInt64? = nil,
        _ fields: Fields = [:], hostFacts: Fields = [:]
    ) -> EventID {
        guard keepsEvents else { return .forgotten }
        return state.withLock { events in
            let id = EventID(UInt64(events.count) + 1)
            events.append(
                RunEvent(
                    id: id, at: now, subject: subject, kind: kind, cause: cause, packet: packet, fields: fields,
                    hostFacts: hostFacts))
            return id
        }
    }

    /// The events posted from `cursor` on, where a cursor is a number of events already seen.
    public func events(from cursor: Int = 0) -> [RunEvent] {
        state.withLock { cursor < $0.count ? Array($0[max(0, cursor)...]) : [] }
    }

    public func event(_ id: EventID) -> RunEvent? {
        state.withLock { $0.indices.contains(Int(id.number) - 1) ? $0[Int(id.number) - 1] : nil }
    }

    /// The event and all that led to it, oldest first.
    public func chain(to id: EventID) -> [RunEvent] {
        var chain: [RunEvent] = []
        var next: EventID? = id
        while let id = next, let event = event(id) {
            chain.append(event)
            next = event.cause.flatMap { $0 < id ? $0 : nil }
        }
        return chain.reversed()
    }

    /// SHA-256 over every event without its host facts, as hex: equal for two runs exactly when they did the same.
    public var digest: String {
        let hash = RunningSHA256()
        for event in events() {
            hash.update(Array(event.jsonLine(withHostFacts: false).utf8))
            hash.update([0x0A])
        }
        return Hex.encode(hash.digestSoFar())
    }
}
