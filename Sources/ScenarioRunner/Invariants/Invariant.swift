internal import RigBase
internal import RunRecord

/// Something that must hold in every run without being listed in its file.
protocol Invariant: SendableMetatype {
    /// Under which it is reported.
    static var name: String { get }
    /// What must hold, in words.
    static var requirement: String { get }

    init()

    /// Takes the next event; what it breaks, in words, when it breaks something.
    mutating func observe(_ event: RunEvent, in journal: Journal) -> String?
}

/// The invariants that watch every run.
enum InvariantCatalog {
    static let all: [any Invariant.Type] = [
        StatusInvariant.self, SingleDeliveryInvariant.self, ConfirmationInvariant.self, ExchangeInvariant.self,
        ReconnectInvariant.self, HalfDuplexInvariant.self,
    ]

    /// The first breach of each invariant in a journal.
    static func breaches(in journal: Journal) -> [ExpectationResult] {
        let events = journal.events()
        return all.compactMap { type in
            var invariant = type.init()
            for event in events {
                guard let breach = invariant.observe(event, in: journal) else { continue }
                return ExpectationResult(
                    name: "invariant: \(type.name)", verdict: .failed, expected: type.requirement,
                    seen: "\(breach), at \(event.at)", evidence: event.id)
            }
            return nil
        }
    }
}
