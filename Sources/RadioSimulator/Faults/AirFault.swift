public import MeshProtocol
public import RigBase

/// One thing that goes wrong on radio links: where, with which packets, how often, and what.
public struct AirFault: Sendable {
    /// Names it in the journal; two of one id are a caller's mistake.
    public var id: String
    /// Who is not heard rightly by whom; nil for every link.
    public var links: [AirLink]?
    /// Payload types it is about; empty for all.
    public var types: [PayloadType]
    /// Which of the packets that fit, counted from 1 over all its links; nil for all.
    public var nth: ClosedRange<Int>?
    /// How likely each of those is taken.
    public var chance: Ratio
    /// How often it acts at most; nil for no limit.
    public var limit: Int?
    public var action: AirAction

    public init(
        id: String, links: [AirLink]? = nil, types: [PayloadType] = [], nth: ClosedRange<Int>? = nil,
        chance: Ratio = .always, limit: Int? = nil, action: AirAction
    ) {
        self.id = id
        self.links = links
        self.types = types
        self.nth = nth
        self.chance = chance
        self.limit = limit
        self.action = action
    }
}

/// One direction between two nodes, by name.
public struct AirLink: Sendable, Hashable {
    public var from: String
    public var to: String

    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

/// What becomes of a packet on its way from one node to another.
public enum AirAction: Sendable, Hashable {
    case drop
    /// Losses that come in runs: before each packet it may turn bad or good again, and while it is bad all are lost.
    case burst(begin: Ratio, end: Ratio)
    /// One byte is another one, which the radio's checksum does not notice; position and bits are drawn when nil.
    case corrupt(at: Int?, flip: UInt8?)
    /// It is heard so many times more, the first time so many milliseconds after its end, and as far apart.
    case again(copies: Int, after: Int64)
    /// It is heard so many milliseconds later, behind what is sent meanwhile.
    case delay(Int64)
    /// Each is heard up to so many milliseconds later, so that they overtake each other.
    case swizzle(Int64)
    /// Nodes of different groups do not hear each other; whoever is in none hears all.
    case partition([[String]])
    /// It is so many quarters of a decibel weaker, and lost below what can be demodulated.
    case weaken(quarterDB: Int)

    /// As events name it.
    public var name: String {
        switch self {
        case .drop: "drop"
        case .burst: "burst"
        case .corrupt: "corrupt"
        case .again(_, let after): after > 1 ? "replay" : "duplicate"
        case .delay: "delay"
        case .swizzle: "swizzle"
        case .partition: "partition"
        case .weaken: "weaken"
        }
    }
}

/// How often a fault had occasion to act, and how often it did.
public struct FaultTally: Sendable, Hashable {
    public var observed: Int
    public var fired: Int

    public init(observed: Int = 0, fired: Int = 0) {
        self.observed = observed
        self.fired = fired
    }
}
