public import RigBase

/// Writes a contact into the radio's table (§3.8).
public struct AddUpdateContactCommand: CompanionCommand {
    public static let code = CommandCode.addUpdateContact
    public static let rules = CommandRules(since: 1, lengths: 36...CompanionLimits.maxFrameSize, errors: [.tableFull])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .key(), .u8("type"), .u8("flags"), .pathLength(), .bytes("path", CompanionLimits.pathFieldSize),
        .name("name", 32), .u32("last-advert", unit: "s"), FieldLayout.i32("latitude", unit: "µ°").optional,
        FieldLayout.i32("longitude", unit: "µ°").optional, FieldLayout.u32("last-modified", unit: "s").optional)
    public static let samples = [
        Self(
            key: Sample.key, type: .repeater, flags: 1, pathLength: PathLengthByte(hashSize: 2, hopCount: 1),
            path: [0xAA, 0xBB], name: "Hilltop", lastAdvert: Sample.time,
            position: GeoPosition(latitude: -33_868_820, longitude: 151_209_290), lastModified: Sample.time + 50),
        Self(key: Sample.key, type: .chat, name: "Bob", lastAdvert: Sample.time),
        Self(
            key: Sample.key, type: .chat, name: "Bob", lastAdvert: Sample.time,
            position: GeoPosition(latitude: 1, longitude: 2)),
    ]

    public var key: [UInt8]
    public var type: ContactType
    public var flags: ContactFlags
    public var pathLength: PathLengthByte
    /// Up to 64 bytes, of which `pathLength` says how many count.
    public var path: [UInt8]
    public var name: WireText
    /// When the contact last advertised, in the contact's clock.
    public var lastAdvert: UInt32
    /// nil keeps what the radio has (and leaves it undefined for a new contact).
    public var position: GeoPosition?
    /// nil lets the radio stamp the contact with its own clock; it needs a position to be sent.
    public var lastModified: UInt32?

    public init(
        key: [UInt8], type: ContactType, flags: ContactFlags = [], pathLength: PathLengthByte = .none,
        path: [UInt8] = [], name: WireText, lastAdvert: UInt32, position: GeoPosition? = nil,
        lastModified: UInt32? = nil
    ) {
        self.key = key
        self.type = type
        self.flags = flags
        self.pathLength = pathLength
        self.path = path
        self.name = name
        self.lastAdvert = lastAdvert
        self.position = position
        self.lastModified = lastModified
    }

    /// The command that writes `contact` back; the radio stamps it anew.
    public init(_ contact: ContactRecord) {
        self.init(
            key: contact.key, type: contact.type, flags: contact.flags, pathLength: contact.pathLength,
            path: contact.pathField, name: contact.name, lastAdvert: contact.lastAdvert, position: contact.position)
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        // From 36 bytes on a radio takes the frame, but what is missing up to byte 135 is left from earlier frames.
        try reader.require(frameLength: 136)
        key = try reader.key()
        type = ContactType(rawValue: try reader.u8())
        flags = ContactFlags(rawValue: try reader.u8())
        pathLength = PathLengthByte(rawValue: try reader.u8())
        path = try reader.take(CompanionLimits.pathFieldSize)
        while path.last == 0, path.count > pathLength.byteCount { path.removeLast() }
        name = try reader.nameField(32)
        lastAdvert = try reader.u32()
        position = reader.remaining >= 8 ? try GeoPosition(decoding: &reader) : nil
        lastModified = position != nil && reader.remaining >= 4 ? try reader.u32() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        writer.field(key, size: CompanionLimits.publicKeySize)
        writer.u8(type.rawValue)
        writer.u8(flags.rawValue)
        writer.u8(pathLength.rawValue)
        writer.field(path, size: CompanionLimits.pathFieldSize)
        writer.field(name.bytes, size: 32)
        writer.u32(lastAdvert)
        guard let position else { return }
        position.encode(into: &writer)
        if let lastModified { writer.u32(lastModified) }
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.key(key)
        try FieldLimit.atMost(CompanionLimits.pathFieldSize, path.count, "path")
        try FieldLimit.atMost(CompanionLimits.maxNameSize, name.bytes.count, "name")
    }
}
