public import CompanionProtocol
internal import RigBase

/// The contacts a session knows of, and whether the radio has newer ones (client-stack §1.4.5).
public struct ContactCache: Sendable {
    private var table = OrderedTable<[UInt8], ContactRecord>()
    private var advertised = OrderedTable<[UInt8], ContactRecord>()
    /// True until a listing has ended, and again after every push that tells of a change.
    public private(set) var isDirty = true
    /// The newest modification time seen in a listing, in the radio's clock; what the next one asks from.
    public private(set) var lastModified: UInt32?

    public init() {}

    public var contacts: [ContactRecord] { table.values }
    /// Nodes that advertised and that the radio did not store.
    public var pending: [ContactRecord] { advertised.values }
    public var isEmpty: Bool { table.isEmpty }

    public func contact(key: [UInt8]) -> ContactRecord? { table[key] }
    /// The contact a message frame names; the first one whose key begins so.
    public func contact(prefix: [UInt8]) -> ContactRecord? { table.values.first { $0.key.starts(with: prefix) } }

    mutating func note(_ frame: RadioFrame) {
        switch frame {
        case .advert, .pathUpdated, .contactsFull: isDirty = true
        case .newAdvert(let push):
            isDirty = true
            advertised[push.contact.key] = push.contact
        case .contactDeleted(let push):
            isDirty = true
            table[push.key] = nil
        case .contactsEnd: isDirty = false
        default: break
        }
    }

    /// A listing has ended; a full one replaces what was known.
    mutating func apply(_ listing: ContactListing, isFull: Bool) {
        if isFull { table.removeAll() }
        for contact in listing.contacts {
            table[contact.key] = contact
            advertised[contact.key] = nil
        }
        guard let mark = listing.lastModified, mark > 0 else { return }
        lastModified = isFull ? mark : max(mark, lastModified ?? 0)
    }

    mutating func remove(key: [UInt8]) { table[key] = nil }
}

/// The contacts of one listing.
public struct ContactListing: Sendable, Hashable {
    public var contacts: [ContactRecord]
    /// What the radio told at the end: 0 when nothing was listed, nil when it told nothing.
    public var lastModified: UInt32?

    public init(contacts: [ContactRecord], lastModified: UInt32?) {
        self.contacts = contacts
        self.lastModified = lastModified
    }
}
