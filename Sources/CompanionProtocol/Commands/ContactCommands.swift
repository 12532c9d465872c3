public import RigBase

/// Lists the contacts changed after `since`, or all of them (§3.6).
public struct GetContactsCommand: CompanionCommand {
    public static let code = CommandCode.getContacts
    public static let replies: [RadioCode] = [.contactsStart, .contact, .contactsEnd]
    public static let layout = FrameLayout(FieldLayout.u32("since", unit: "s").optional)
    public static let samples = [Self(), Self(since: Sample.time)]

    /// Contacts whose last modification is later, in the radio's clock; nil asks for all.
    public var since: UInt32?

    public init(since: UInt32? = nil) { self.since = since }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        since = reader.remaining >= 4 ? try reader.u32() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        if let since { writer.u32(since) }
    }
}

/// Reads one contact; ERR(2) when there is none (§3.7).
public struct GetContactByKeyCommand: KeyCommand {
    public static let code = CommandCode.getContactByKey
    public static let replies: [RadioCode] = [.contact]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}

/// Writes a contact into the radio's table (§3.8).
public struct AddUpdateContactCommand: CompanionCommand {
    public static let code = CommandCode.addUpdateContact
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

/// Deletes a contact (§3.9).
public struct RemoveContactCommand: KeyCommand {
    public static let code = CommandCode.removeContact
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}

/// Forgets the path to a contact, so that the next message floods (§3.10).
public struct ResetPathCommand: KeyCommand {
    public static let code = CommandCode.resetPath
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}

/// Sends a contact's last advert again, to direct neighbours (§3.11).
public struct ShareContactCommand: KeyCommand {
    public static let code = CommandCode.shareContact
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}

/// Asks for a contact's stored advert, or for a fresh one of the radio itself (§3.12).
public struct ExportContactCommand: CompanionCommand {
    public static let code = CommandCode.exportContact
    public static let replies: [RadioCode] = [.exportedContact]
    public static let layout = FrameLayout(FieldLayout.key().optional)
    public static let samples = [Self(), Self(key: Sample.key)]

    /// nil exports the radio's own advert.
    public var key: [UInt8]?

    public init(key: [UInt8]? = nil) { self.key = key }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        key = reader.remaining >= CompanionLimits.publicKeySize ? try reader.key() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        if let key { writer.field(key, size: CompanionLimits.publicKeySize) }
    }

    public func validate() throws(FieldLimitError) {
        if let key { try FieldLimit.key(key) }
    }
}

/// Gives the radio an advert as if it had been heard; OK comes before the advert is looked at (§3.13).
public struct ImportContactCommand: CompanionCommand {
    public static let code = CommandCode.importContact
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.rest("packet"))
    public static let samples = [Self(packet: [0x11, 0x00] + [UInt8](repeating: 7, count: 101))]
    /// Shortest packet a radio looks at.
    public static let minPacketSize = 98

    /// A raw advert packet.
    public var packet: [UInt8]

    public init(packet: [UInt8]) { self.packet = packet }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 1 + Self.minPacketSize)
        packet = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) { writer.append(packet) }

    public func validate() throws(FieldLimitError) {
        guard packet.count >= Self.minPacketSize else {
            throw .wrongSize(field: "packet", expected: Self.minPacketSize, got: packet.count)
        }
    }
}

/// Asks by which path a node's last advert came (§3.40).
public struct GetAdvertPathCommand: CompanionCommand {
    public static let code = CommandCode.getAdvertPath
    public static let replies: [RadioCode] = [.advertPath]
    public static let layout = FrameLayout(.reserved(1), .key())
    public static let samples = [Self(key: Sample.key)]

    /// Only the first 7 bytes are compared.
    public var key: [UInt8]

    public init(key: [UInt8]) { self.key = key }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.skip(1)
        key = try reader.key()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(key, size: CompanionLimits.publicKeySize)
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.key(key) }
}
