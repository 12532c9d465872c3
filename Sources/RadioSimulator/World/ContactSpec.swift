public import MeshProtocol

/// A contact, or a row of generated ones, in a companion's table at the start.
public struct ContactSpec: Sendable {
    public enum Source: Sendable, Hashable {
        /// A node of the world, by its name.
        case node(String)
        /// So many made-up contacts called `prefix 001`, `prefix 002`, …; their keys are hashes of their names and
        /// belong to nobody.
        case generated(count: Int, prefix: String)
        /// A stranger with this key.
        case key(PublicKey, name: String)
    }

    /// How the companion reaches it.
    public enum Route: Sendable, Hashable {
        case flood
        /// Through these nodes of the world in travel order; empty means it is heard directly.
        case through([String])
        /// Path entries as stored, `hashSize` bytes each.
        case bytes(hashSize: Int, [UInt8])
    }

    public var source: Source
    /// Node type 1 chat, 2 repeater, 3 room, 4 sensor; nil takes it from the node, or chat.
    public var type: UInt8?
    /// Bit 0 favourite, bits 1–3 telemetry permissions (companion-protocol §6.1).
    public var flags: UInt8
    public var route: Route
    /// Device-clock seconds of the last change; nil: the world's epoch − 3600, generated ones one second apart.
    public var lastModified: UInt32?
    /// Contact-clock seconds of its last advert; nil: like `lastModified`.
    public var lastAdvert: UInt32?
    public var position: Position?

    public init(
        _ source: Source, type: UInt8? = nil, flags: UInt8 = 0, route: Route = .flood, lastModified: UInt32? = nil,
        lastAdvert: UInt32? = nil, position: Position? = nil
    ) {
        self.source = source
        self.type = type
        self.flags = flags
        self.route = route
        self.lastModified = lastModified
        self.lastAdvert = lastAdvert
        self.position = position
    }
}

/// A channel in a companion's table at the start.
public struct ChannelSpec: Sendable, Hashable {
    /// Slot; nil takes the first free one.
    public var index: Int?
    public var name: String
    /// 16 bytes; nil derives it from the name as hashtag channels do (companion-protocol §6.12).
    public var key: [UInt8]?

    public init(index: Int? = nil, name: String, key: [UInt8]? = nil) {
        self.index = index
        self.name = name
        self.key = key
    }
}

/// A message that waits in a companion's offline queue from the start.
public enum QueuedMessageSpec: Sendable, Hashable {
    /// A direct text from a contact, named as in `NodeSpec.contacts`.
    case direct(from: String, text: String, timestamp: UInt32)
    /// A channel text as it arrives: `sender: text`.
    case channel(index: Int, sender: String, text: String, timestamp: UInt32)
}
