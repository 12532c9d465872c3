public import RigBase

/// An advert of a node that is in the contact table now, known before or just added (§5, 80).
public struct AdvertPush: KeyPush {
    public static let codes = [RadioCode.advert]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
    public var frame: RadioFrame { .advert(self) }
}

/// A path to a contact was learnt (§5, 81).
public struct PathUpdatedPush: KeyPush {
    public static let codes = [RadioCode.pathUpdated]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
    public var frame: RadioFrame { .pathUpdated(self) }
}

/// A contact was thrown out to make room (§5, 8F).
public struct ContactDeletedPush: KeyPush {
    public static let codes = [RadioCode.contactDeleted]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
    public var frame: RadioFrame { .contactDeleted(self) }
}

/// An unknown node advertised and there was no room for it (§5, 90).
public struct ContactsFullPush: BareRadioPayload {
    public static let codes = [RadioCode.contactsFull]
    public init() {}
    public var frame: RadioFrame { .contactsFull(self) }
}

/// An unknown node advertised and was *not* stored (§5, 8A).
public struct NewAdvertPush: RadioPayload {
    public static let codes = [RadioCode.newAdvert]
    public static func layout(of code: RadioCode) -> FrameLayout { ContactRecord.layout }
    public static let samples = [Self(.sample)]

    public var contact: ContactRecord

    public init(_ contact: ContactRecord) { self.contact = contact }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        contact = try ContactRecord(decoding: &reader)
    }
    public func encode(into writer: inout ByteWriter) { contact.encode(into: &writer) }
    public var frame: RadioFrame { .newAdvert(self) }
}
