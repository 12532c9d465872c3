public import RigBase

/// A contact listing begins; the number counts all contacts, not those that will be listed (§4.1).
public struct ContactsStartReply: RadioPayload {
    public static let codes = [RadioCode.contactsStart]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(.u32("total")) }
    public static let samples = [Self(total: 350)]

    public var total: UInt32

    public init(total: UInt32) { self.total = total }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) { total = try reader.u32() }
    public func encode(into writer: inout ByteWriter) { writer.u32(total) }
    public var frame: RadioFrame { .contactsStart(self) }
}

/// One contact, of a listing or asked for by key (§4.2).
public struct ContactReply: RadioPayload {
    public static let codes = [RadioCode.contact]
    public static func layout(of code: RadioCode) -> FrameLayout { ContactRecord.layout }
    public static let samples = [Self(.sample)]

    public var contact: ContactRecord

    public init(_ contact: ContactRecord) { self.contact = contact }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        contact = try ContactRecord(decoding: &reader)
    }
    public func encode(into writer: inout ByteWriter) { contact.encode(into: &writer) }
    public var frame: RadioFrame { .contact(self) }
}

/// A contact listing ends (§4.1).
public struct ContactsEndReply: RadioPayload {
    public static let codes = [RadioCode.contactsEnd]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(FieldLayout.u32("last-modified", unit: "s").optional)
    }
    public static let samples = [Self(lastModified: Sample.time), Self(lastModified: nil)]

    /// The newest modification time among the contacts listed, 0 when none was; nil in a frame without it.
    public var lastModified: UInt32?

    public init(lastModified: UInt32?) { self.lastModified = lastModified }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        lastModified = reader.remaining >= 4 ? try reader.u32() : nil
    }
    public func encode(into writer: inout ByteWriter) {
        if let lastModified { writer.u32(lastModified) }
    }
    public var frame: RadioFrame { .contactsEnd(self) }
}

/// A raw advert packet (§3.12).
public struct ExportedContactReply: RadioPayload {
    public static let codes = [RadioCode.exportedContact]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(.rest("packet")) }
    public static let samples = [Self(packet: [0x11, 0x00] + Sample.key)]

    public var packet: [UInt8]

    public init(packet: [UInt8]) { self.packet = packet }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) { packet = reader.rest() }
    public func encode(into writer: inout ByteWriter) { writer.append(packet) }
    /// The form in which contacts are handed on as text.
    public var uri: String { "meshcore://" + Hex.encode(packet) }
    public var frame: RadioFrame { .exportedContact(self) }
}

/// By which path a node's last advert came, and when (§4.1).
public struct AdvertPathReply: RadioPayload {
    public static let codes = [RadioCode.advertPath]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(.u32("received", unit: "s"), .pathLength(), .init("path", .path("path-length"), .bytes))
    }
    public static let samples = [
        Self(received: Sample.time, pathLength: PathLengthByte(hashSize: 1, hopCount: 2), path: [0, 0xEF])
    ]

    /// In the radio's clock.
    public var received: UInt32
    public var pathLength: PathLengthByte
    public var path: [UInt8]

    public init(received: UInt32, pathLength: PathLengthByte, path: [UInt8]) {
        self.received = received
        self.pathLength = pathLength
        self.path = path
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        received = try reader.u32()
        pathLength = PathLengthByte(rawValue: try reader.u8())
        guard reader.remaining >= pathLength.byteCount else { throw .truncatedPath }
        path = try reader.take(pathLength.byteCount)
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u32(received)
        writer.u8(pathLength.rawValue)
        writer.field(path, size: pathLength.byteCount)
    }
    public var frame: RadioFrame { .advertPath(self) }
}
