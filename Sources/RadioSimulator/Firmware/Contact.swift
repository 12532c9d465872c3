internal import MeshProtocol

/// An entry of a companion's contact table (companion-protocol §6.1).
struct Contact {
    var key: PublicKey
    /// 0 none, 1 chat, 2 repeater, 3 room, 4 sensor.
    var type: UInt8 = 0
    /// Bit 0 favourite, bits 1–3 telemetry permissions.
    var flags: UInt8 = 0
    /// Not validated on write; 0xFF is unknown.
    var pathLength: UInt8 = 0xFF
    /// 64 bytes, of which the length says how many count.
    var path = [UInt8](repeating: 0, count: 64)
    /// 32 bytes as stored; read up to the first NUL, at most 31.
    var nameField = [UInt8](repeating: 0, count: 32)
    var lastAdvert: UInt32 = 0
    var latitude: Int32 = 0
    var longitude: Int32 = 0
    /// The device's clock.
    var lastModified: UInt32 = 0
    /// Newest post received from a room.
    var syncSince: UInt32 = 0
    /// Kept until the entry is replaced or the identity changes.
    var secret: SharedSecret?

    init(key: PublicKey) { self.key = key }

    static let zero: Contact = {
        var contact = Contact(key: PublicKey([UInt8](repeating: 0, count: 32)))
        contact.pathLength = 0
        return contact
    }()

    var name: [UInt8] { Array(nameField.prefix(31).prefix { $0 != 0 }) }

    mutating func setName(_ name: some Sequence<UInt8>) {
        let cut = Array(name.prefix(31))
        nameField = cut + [UInt8](repeating: 0, count: 32 - cut.count)
    }

    mutating func setPath(_ length: PathLength, _ bytes: [UInt8]) {
        pathLength = length.rawValue
        path.replaceSubrange(0..<bytes.count, with: bytes)
    }

    /// A transient slot that holds nobody: its key is all zero.
    var isUnused: Bool { self.key.bytes.allSatisfy { $0 == 0 } }

    var isFavourite: Bool { flags & 1 != 0 }

    /// The 147 bytes behind the code of CONTACT and NEW_ADVERT (companion-protocol §4.2).
    func write(to out: inout OutputBuffer) {
        out.append(key.bytes)
        out.u8(type)
        out.u8(flags)
        out.u8(pathLength)
        out.append(path)
        out.field(name, size: 32)
        out.u32(lastAdvert)
        out.i32(latitude)
        out.i32(longitude)
        out.u32(lastModified)
    }
}

/// A channel slot (companion-protocol §6.12).
struct Channel {
    /// At most 31 bytes.
    var name: [UInt8] = []
    var secret: ChannelSecret = .unwrittenSlot

    /// Neither name nor key.
    var isUnset: Bool { name.isEmpty && secret.secret32.allSatisfy { $0 == 0 } }
}

/// What survives a companion's restart.
struct CompanionFlash {
    var identity: Identity
    var preferences: Preferences
    /// Whether the settings and channel files exist, which counts for the used storage.
    var hasPreferences = false
    var hasChannels = false
    var channels: [Channel]
    var contacts: [Contact] = []
    /// Raw adverts by the key's bytes, for export and share.
    var adverts: [PublicKey: [UInt8]] = [:]

    /// Used storage in KiB by the formula of the recordings' README ("Board").
    var usedStorage: UInt32 {
        let files = 7 + (hasPreferences ? 1 : 0) + (hasChannels ? 1 : 0)
        let contactBlocks = (152 * contacts.count + 4095) / 4096
        return UInt32(4 * (files + contactBlocks + adverts.count))
    }
}
