public import RigBase

/// What a radio says about one of its contacts (companion-protocol §4, CONTACT).
public struct ContactFields: Sendable, Hashable {
    public var key: [UInt8]
    public var name: String
    /// Raw type byte: 1 chat, 2 repeater, 3 room, 4 sensor.
    public var type: UInt8
    public var flags: UInt8
    /// Encoded path length; 0xFF: no path known, flood.
    public var pathLength: UInt8
    public var path: [UInt8]
    public var lastAdvert: UInt32
    /// Degrees × 10⁶.
    public var latitude: Int32
    public var longitude: Int32
    /// Last-modified by the radio's clock; what the sync mark is made of.
    public var modified: UInt32

    public init(
        key: [UInt8], name: String, type: UInt8 = 1, flags: UInt8 = 0, pathLength: UInt8 = 0xFF, path: [UInt8] = [],
        lastAdvert: UInt32 = 0, latitude: Int32 = 0, longitude: Int32 = 0, modified: UInt32 = 0
    ) {
        self.key = key
        self.name = name
        self.type = type
        self.flags = flags
        self.pathLength = pathLength
        self.path = path
        self.lastAdvert = lastAdvert
        self.latitude = latitude
        self.longitude = longitude
        self.modified = modified
    }

    /// Bit 0 of the flags.
    public var isFavourite: Bool { flags & 1 != 0 }
}

/// A contact with what only this client knows about it; an update from the radio changes `fields` alone.
public struct StoredContact: Sendable, Hashable {
    /// Names the conversation; stays when the radio renames the contact.
    public var id: UUID128
    public var radioID: UUID128
    public var fields: ContactFields
    public var nickname: String?
    public var isBlocked: Bool
    public var isMuted: Bool
    public var isFavourite: Bool
    public var lastMessage: UInt32?
    public var unread: Int
    public var mentions: Int

    public var key: [UInt8] { fields.key }
    public var name: String { fields.name }
    /// The first six bytes of the key, as message frames carry it.
    public var prefix: [UInt8] { Array(fields.key.prefix(6)) }
}

/// A node that was heard of but is not a contact of the radio.
public struct DiscoveredNode: Sendable, Hashable {
    public var key: [UInt8]
    public var name: String
    public var type: UInt8
    public var lastHeard: UInt32

    public init(key: [UInt8], name: String, type: UInt8, lastHeard: UInt32) {
        self.key = key
        self.name = name
        self.type = type
        self.lastHeard = lastHeard
    }
}
