public import RigBase

/// One thing that goes wrong when a client connects.
public struct ConnectionRule: Sendable {
    /// What happens to the attempt, or to the connection it made.
    public enum Fault: Sendable, Hashable {
        case refuse
        /// The attempt takes that much longer, or fails when that is longer than a client waits.
        case slowAccept(Duration)
        /// The connection breaks that long after it was made.
        case flap(Duration)

        /// As scenario files and events name it.
        public var name: String {
            switch self {
            case .refuse: "refuse"
            case .slowAccept: "slow-accept"
            case .flap: "flap"
            }
        }
    }

    /// Names the rule in events and in `FaultControl`.
    public var id: String
    public var fault: Fault
    /// How likely it acts on an attempt.
    public var chance: Ratio
    /// How often it acts at most; nil for no limit.
    public var limit: Int?

    public init(id: String, fault: Fault, chance: Ratio = .always, limit: Int? = nil) {
        self.id = id
        self.fault = fault
        self.chance = chance
        self.limit = limit
    }
}

/// A connection rule in place.
struct ActiveConnectionRule: Sendable {
    let rule: ConnectionRule
    var random: Prng
    var seen = 0
    var acted = 0

    /// Counts an attempt and says whether the rule acts on it.
    mutating func acts() -> Bool {
        seen += 1
        guard acted < rule.limit ?? .max else { return false }
        if rule.chance != .always, !random.chance(rule.chance) { return false }
        acted += 1
        return true
    }
}
