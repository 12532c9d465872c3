internal import RigBase

/// What kind of node a contact is. An open set.
public struct ContactType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let none = ContactType(rawValue: 0)
    public static let chat = ContactType(rawValue: 1)
    public static let repeater = ContactType(rawValue: 2)
    public static let room = ContactType(rawValue: 3)
    public static let sensor = ContactType(rawValue: 4)

    public var description: String {
        switch self {
        case .none: "none"
        case .chat: "chat"
        case .repeater: "repeater"
        case .room: "room"
        case .sensor: "sensor"
        default: "type \(rawValue)"
        }
    }
}

/// A contact's flag byte (companion-protocol §6.1).
public struct ContactFlags: OptionSet, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Protected from being overwritten when the table is full.
    public static let favourite = ContactFlags(rawValue: 1)
    /// The contact may ask for base, location or environment telemetry.
    public static let telemetryBase = ContactFlags(rawValue: 2)
    public static let telemetryLocation = ContactFlags(rawValue: 4)
    public static let telemetryEnvironment = ContactFlags(rawValue: 8)
}

extension ContactFlags: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt8) { self.init(rawValue: value) }
}

/// A place on Earth in millionths of a degree, north and east positive.
public struct GeoPosition: Sendable, Hashable {
    public var latitude: Int32
    public var longitude: Int32

    public init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    public static let zero = GeoPosition(latitude: 0, longitude: 0)

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        latitude = try reader.i32()
        longitude = try reader.i32()
    }

    func encode(into writer: inout ByteWriter) {
        writer.i32(latitude)
        writer.i32(longitude)
    }
}

/// A contact as CONTACT and NEW_ADVERT carry it: 147 bytes behind the code (companion-protocol §4.2).
public struct ContactRecord: Sendable, Hashable {
    public var key: [UInt8]
    public var type: ContactType
    public var flags: ContactFlags
    public var pathLength: PathLengthByte
    /// The whole 64-byte field; what lies behind the path may be old data.
    public var pathField: [UInt8]
    public var name: WireText
    /// The contact's clock at its last advert.
    public var lastAdvert: UInt32
    public var position: GeoPosition
    /// The radio's clock at the last change of this contact.
    public var lastModified: UInt32

    public init(
        key: [UInt8], type: ContactType, flags: ContactFlags = [], pathLength: PathLengthByte = .none,
        path: [UInt8] = [], name: WireText, lastAdvert: UInt32 = 0, position: GeoPosition = .zero,
        lastModified: UInt32 = 0
    ) {
        self.key = key
        self.type = type
        self.flags = flags
        self.pathLength = pathLength
        pathField = path + [UInt8](repeating: 0, count: max(0, CompanionLimits.pathFieldSize - path.count))
        self.name = name
        self.lastAdvert = lastAdvert
        self.position = position
        self.lastModified = lastModified
    }

    /// The hashes of the path to the contact; empty without one.
    public var path: [UInt8] { Array(pathField.prefix(pathLength.byteCount)) }
    public var keyPrefix: [UInt8] { Array(key.prefix(CompanionLimits.keyPrefixSize)) }
    /// The name as far as it is UTF-8.
    public var displayName: String { name.validPrefix }

    static let fields: [FieldLayout] = [
        .key(), .u8("type"), .u8("flags"), .pathLength(), .bytes("path", CompanionLimits.pathFieldSize),
        .name("name", 32), .u32("last-advert", unit: "s"), .i32("latitude", unit: "µ°"), .i32("longitude", unit: "µ°"),
        .u32("last-modified", unit: "s"),
    ]
    static let layout = FrameLayout(fields)
    static let sample = ContactRecord(
        key: Sample.key, type: .repeater, flags: .favourite, pathLength: PathLengthByte(hashSize: 2, hopCount: 1),
        path: [0xAA, 0xBB], name: "Hilltop", lastAdvert: Sample.time,
        position: GeoPosition(latitude: -33_868_820, longitude: 151_209_290), lastModified: Sample.time + 50)

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 148)
        key = try reader.key()
        type = ContactType(rawValue: try reader.u8())
        flags = ContactFlags(rawValue: try reader.u8())
        pathLength = PathLengthByte(rawValue: try reader.u8())
        pathField = try reader.take(CompanionLimits.pathFieldSize)
        name = try reader.radioName()
        lastAdvert = try reader.u32()
        position = try GeoPosition(decoding: &reader)
        lastModified = try reader.u32()
        if pathLength.isReserved { throw .reservedPathEncoding(pathLength.rawValue) }
    }

    func encode(into writer: inout ByteWriter) {
        writer.field(key, size: CompanionLimits.publicKeySize)
        writer.u8(type.rawValue)
        writer.u8(flags.rawValue)
        writer.u8(pathLength.rawValue)
        writer.field(pathField, size: CompanionLimits.pathFieldSize)
        writer.field(name.bytes.prefix(CompanionLimits.maxNameSize), size: 32)
        writer.u32(lastAdvert)
        position.encode(into: &writer)
        writer.u32(lastModified)
    }
}
