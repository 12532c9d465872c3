public import RigBase
internal import RigCrypto
internal import Synchronization

/// Everything that happened in one run, in order; safe to post to from any thread.
public final class Journal: Sendable {
    private struct State {
        var events: [RunEvent] = []
        /// Events that were let go, all older than the first one kept.
        var discarded = 0

        func index(of id: EventID) -> Int? {
            let index = Int(id.number) - 1 - discarded
            return events.indices.contains(index) ? index : nil
        }
    }

    private let state = Mutex(State())
    /// False for a journal that forgets every fact, for runs too long to be kept; all its ids are the same.
    public let keepsEvents: Bool

    public init(keepsEvents: Bool = true) { self.keepsEvents = keepsEvents }

    /// Events that were posted, kept or not: the cursor of the next one.
    public var count: Int { state.withLock { $0.discarded + $0.events.count } }

    /// Lets events before `cursor` go, for a run that goes on without end; its digest then covers only what is left.
    public func discard(before cursor: Int) {
        state.withLock { state in
            let gone = min(max(0, cursor - state.discarded), state.events.count)
            state.events.removeFirst(gone)
            state.discarded += gone
        }
    }

    /// Appends a fact and names it.
    @discardableResult
    public func post(
        _ kind: EventKind, _ subject: String, at now: SimInstant, cause: EventID? = nil, packet: UInt64? = nil,
        _ fields: Fields = [:], hostFacts: Fields = [:]
    ) -> EventID {
        guard keepsEvents else { return .forgotten }
        return state.withLock { state in
            let id = EventID(UInt64(state.discarded + state.events.count) + 1)
            state.events.append(
                RunEvent(
                    id: id, at: now, subject: subject, kind: kind, cause: cause, packet: packet, fields: fields,
                    hostFacts: hostFacts))
            return id
        }
    }

    /// The events posted from `cursor` on, where a cursor is a number of events already seen.
    public func events(from cursor: Int = 0) -> [RunEvent] {
        state.withLock { state in Array(state.events.dropFirst(max(0, cursor - state.discarded))) }
    }

    public func event(_ id: EventID) -> RunEvent? {
        state.withLock { state in state.index(of: id).map { state.events[$0] } }
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
