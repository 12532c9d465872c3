public import MeshProtocol
public import RigBase

/// Everything a world is made from: the nodes, the links between them, and how the air behaves.
public struct WorldSpec: Sendable {
    /// Unix seconds that a node's clock shows at the first millisecond, before its own offset.
    public var epoch: UInt32
    /// Root of every random stream of the world.
    public var seed: UInt64
    /// Settings of every node that names none of its own.
    public var radio: RadioParameters
    public var medium: MediumSpec
    public var nodes: [NodeSpec]
    public var links: [LinkSpec]
    /// What carrier sense overlooks, in every model; nil for nothing but what time makes it miss.
    public var senseMiss: SenseMiss?

    public init(
        epoch: UInt32 = 1_750_000_000, seed: UInt64 = 1, radio: RadioParameters = .firmwareDefault,
        medium: MediumSpec = .ideal, nodes: [NodeSpec] = [], links: [LinkSpec] = []
    ) {
        self.epoch = epoch
        self.seed = seed
        self.radio = radio
        self.medium = medium
        self.nodes = nodes
        self.links = links
    }
}

/// How the air decides what a linked node receives. Half duplex and carrier sense hold in every model.
public enum MediumSpec: Sendable, Hashable {
    /// Whatever is linked is received, any number of frames at a time.
    case ideal
    /// Like `ideal`, less what each link loses by its own random stream.
    case lossy
    /// One frame at a time: receivers lock, stronger frames spoil weaker ones (6 dB capture), weak ones are not heard.
    case contention
    /// The air of the firmware recordings: `contention` without limits of settings or signal, and with news of a frame
    /// reaching other nodes only at the end of a step of this many milliseconds.
    case recorder(chunkMillis: Int)
}

/// What one node hears of another.
public struct LinkSpec: Sendable, Hashable {
    public var from: String
    public var to: String
    /// Signal-to-noise ratio in quarters of a decibel, as the radio reports it.
    public var snrQuarterDB: Int8
    /// Signal strength in dBm.
    public var rssi: Int8
    /// Share of frames lost; counts in the models `lossy` and `contention`.
    public var loss: Ratio
    /// Losses that come in bursts, on top of `loss` and in the same models.
    public var bursts: BurstLoss?
    /// How its strength wanders, in the same models.
    public var fading: FadingSpec?
    /// What becomes of it later, in the order of time.
    public var schedule: [ScheduledLink] = []

    public init(
        from: String, to: String, snrQuarterDB: Int8 = 48, rssi: Int8 = -60, loss: Ratio = .never,
        bursts: BurstLoss? = nil
    ) {
        self.from = from
        self.to = to
        self.snrQuarterDB = snrQuarterDB
        self.rssi = rssi
        self.loss = loss
        self.bursts = bursts
    }

    /// The same link in both directions.
    public static func both(
        _ one: String, _ other: String, snrQuarterDB: Int8 = 48, rssi: Int8 = -60, loss: Ratio = .never,
        bursts: BurstLoss? = nil
    ) -> [LinkSpec] {
        [(one, other), (other, one)].map { from, to in
            LinkSpec(from: from, to: to, snrQuarterDB: snrQuarterDB, rssi: rssi, loss: loss, bursts: bursts)
        }
    }
}

/// A change of a link at a planned time.
public struct ScheduledLink: Sendable, Hashable {
    public enum Change: Sendable, Hashable {
        case cut
        /// New values, each kept when nil; a link that was cut comes back with what it had.
        case quality(snrQuarterDB: Int8?, rssi: Int8?, loss: Ratio?)
    }

    public var atMillis: Int64
    public var change: Change

    public init(atMillis: Int64, _ change: Change) {
        self.atMillis = atMillis
        self.change = change
    }
}

/// A link that is now good, now bad (the model of Gilbert and Elliott): before each frame it may change over.
public struct BurstLoss: Sendable, Hashable {
    /// How likely a good link turns bad, and a bad one good.
    public var begin: Ratio
    public var end: Ratio
    /// Share of frames lost while it is bad.
    public var loss: Ratio

    public init(begin: Ratio, end: Ratio, loss: Ratio = .always) {
        self.begin = begin
        self.end = end
        self.loss = loss
    }
}

/// Why a world could not be made from its description.
public enum WorldError: Error, Equatable, Sendable, CustomStringConvertible {
    case duplicateNode(String)
    case unknownNode(String, usedBy: String)
    case noContactTable(String)
    case tooMany(String, limit: Int, node: String)
    case badValue(String, node: String)

    /// The node it is about; nil when it is about none that exists.
    public var node: String? {
        switch self {
        case .duplicateNode(let name), .noContactTable(let name), .tooMany(_, _, let name), .badValue(_, let name): name
        case .unknownNode: nil
        }
    }

    public var description: String {
        switch self {
        case .duplicateNode(let name): "two nodes are called '\(name)'"
        case .unknownNode(let name, let user): "\(user) names a node '\(name)' that does not exist"
        case .noContactTable(let name): "node '\(name)' is no companion and keeps no contacts"
        case .tooMany(let what, let limit, let node): "node '\(node)' has more than \(limit) \(what)"
        case .badValue(let what, let node): "node '\(node)': \(what)"
        }
    }
}
