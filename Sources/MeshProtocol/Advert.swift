internal import RigBase

/// What a node is: the low nibble of an advert's flags (mesh-protocol §2.7.10). Unknown values survive.
public struct NodeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    /// Four bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

    public static let chat = NodeType(rawValue: 1)
    public static let repeater = NodeType(rawValue: 2)
    public static let room = NodeType(rawValue: 3)
    public static let sensor = NodeType(rawValue: 4)
}

/// A place in millionths of a degree.
public struct AdvertPosition: Hashable, Sendable {
    public var latitudeE6: Int32
    public var longitudeE6: Int32

    public init(latitudeE6: Int32, longitudeE6: Int32) {
        self.latitudeE6 = latitudeE6
        self.longitudeE6 = longitudeE6
    }
}

/// An ADVERT payload: key(32), timestamp(4), signature(64), application data(0…32).
public struct Advert: Hashable, Sendable {
    /// Application data beyond this is forwarded but neither signed nor read.
    public static let maximumAppData = 32

    public var key: PublicKey
    /// Seconds by the sender's clock; receivers ignore one that is not newer than the last.
    public var timestamp: UInt32
    public var signature: [UInt8]
    /// As received, possibly longer than 32 bytes.
    public var appData: [UInt8]

    /// A signed advert of this identity.
    public init(identity: Identity, timestamp: UInt32, appData: [UInt8]) {
        key = identity.publicKey
        self.timestamp = timestamp
        self.appData = appData
        signature = identity.sign(Self.signedBytes(identity.publicKey, timestamp, appData))
    }

    /// Nil below 100 bytes. The signature is not checked.
    public init?(parsing payload: [UInt8]) {
        var reader = ByteReader(payload)
        guard let keyBytes = try? reader.take(PublicKey.size), let key = PublicKey(checking: keyBytes),
            let timestamp = try? reader.u32(), let signature = try? reader.take(64)
        else { return nil }
        self.key = key
        self.timestamp = timestamp
        self.signature = signature
        appData = reader.rest()
    }

    /// Whether the key's owner signed key, timestamp and the first 32 bytes of application data.
    public var isAuthentic: Bool { key.verify(signature, of: Self.signedBytes(key, timestamp, appData)) }

    /// The application data in its parts; nil when malformed.
    public var contents: AdvertContents? { AdvertContents(parsing: Array(appData.prefix(Self.maximumAppData))) }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 100 + appData.count)
        writer.append(key.bytes)
        writer.u32(timestamp)
        writer.append(signature)
        writer.append(appData)
        return writer.bytes
    }

    private static func signedBytes(_ key: PublicKey, _ timestamp: UInt32, _ appData: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: 68)
        writer.append(key.bytes)
        writer.u32(timestamp)
        writer.append(appData.prefix(maximumAppData))
        return writer.bytes
    }
}

/// The application data of an advert: flags(1), position(8), two reserved fields(2 each), name.
public struct AdvertContents: Hashable, Sendable {
    public var nodeType: NodeType
    public var position: AdvertPosition?
    /// Reserved; written when not zero.
    public var feature1: UInt16
    public var feature2: UInt16
    /// UTF-8; nil when the flag is not set.
    public var name: [UInt8]?

    public init(
        nodeType: NodeType, position: AdvertPosition? = nil, feature1: UInt16 = 0, feature2: UInt16 = 0, name: [UInt8]?
    ) {
        self.nodeType = nodeType
        self.position = position
        self.feature1 = feature1
        self.feature2 = feature2
        self.name = name
    }

    /// Nil when a part that the flags promise does not fit, or there are no flags.
    public init?(parsing bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do {
            let flags = try reader.u8()
            nodeType = NodeType(rawValue: flags)
            position =
                flags & 0x10 == 0
                ? nil : AdvertPosition(latitudeE6: try reader.i32(), longitudeE6: try reader.i32())
            feature1 = flags & 0x20 == 0 ? 0 : try reader.u16()
            feature2 = flags & 0x40 == 0 ? 0 : try reader.u16()
            name = flags & 0x80 == 0 ? nil : reader.rest()
        } catch { return nil }
    }

    /// At most 32 bytes: the name is cut at a character boundary, and ends before invalid UTF-8 or a zero byte.
    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: Advert.maximumAppData)
        let hasName = !(name ?? []).isEmpty
        writer.u8(
            nodeType.rawValue | (position == nil ? 0 : 0x10) | (feature1 == 0 ? 0 : 0x20) | (feature2 == 0 ? 0 : 0x40)
                | (hasName ? 0x80 : 0))
        if let position {
            writer.i32(position.latitudeE6)
            writer.i32(position.longitudeE6)
        }
        if feature1 != 0 { writer.u16(feature1) }
        if feature2 != 0 { writer.u16(feature2) }
        writer.append(Self.wholeCharacters(of: name ?? [], limit: Advert.maximumAppData - writer.count))
        return writer.bytes
    }

    /// The longest run of well-formed UTF-8 characters from the start that takes at most `limit` bytes.
    static func wholeCharacters(of bytes: [UInt8], limit: Int) -> [UInt8] {
        var end = 0
        while end < bytes.count {
            let length: Int
            switch bytes[end] {
            case 0x01...0x7F: length = 1
            case 0xC0...0xDF: length = 2
            case 0xE0...0xEF: length = 3
            case 0xF0...0xF7: length = 4
            default: return Array(bytes[..<end])
            }
            let next = end + length
            guard next <= min(limit, bytes.count), bytes[(end + 1)..<next].allSatisfy({ $0 & 0xC0 == 0x80 }) else {
                break
            }
            end = next
        }
        return Array(bytes[..<end])
    }
}
