internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// The contact table (companion-protocol §6.1 to §6.3, §6.9).
extension Companion {
    /// Contacts as the listing counts them; can fall below zero, as in the firmware.
    var contactCount: Int { contacts.count - Self.transientSlots }

    /// First entry whose key begins with these bytes, transient slots included.
    func contactIndex(prefix: [UInt8]) -> Int? {
        contacts.firstIndex { $0.key.bytes.starts(with: prefix) && (quirks.findsEmptySlots || !$0.isUnused) }
    }

    func contactIndex(key: PublicKey) -> Int? { contactIndex(prefix: key.bytes) }

    /// A place for a new contact, possibly by giving up the oldest one; nil when the table is full.
    func allocateContact(key: PublicKey) -> Int? {
        if contacts.count < board.maximumContacts + Self.transientSlots {
            contacts.append(Contact(key: key))
            return contacts.count - 1
        }
        guard preferences.autoAddMask & 1 != 0 else { return nil }
        let candidates = contacts.indices.dropFirst(Self.transientSlots).filter { !contacts[$0].isFavourite }
        guard let oldest = oldest(of: candidates) else { return nil }
        let lost = contacts[oldest].key
        flash.adverts[lost] = nil
        pushIfConnected(.contactDeleted) { $0.append(lost.bytes) }
        contacts[oldest] = Contact(key: key)
        return oldest
    }

    /// A transient slot: the one of type 0 that was modified longest ago; nil when all have become ordinary.
    func allocateTransient(key: PublicKey) -> Int? {
        let candidates = contacts.indices.prefix(Self.transientSlots).filter { contacts[$0].type == 0 }
        guard let oldest = oldest(of: candidates) else { return nil }
        contacts[oldest] = Contact(key: key)
        return oldest
    }

    /// The first of the entries modified longest ago; one with the highest possible time is never taken.
    private func oldest(of candidates: [Int]) -> Int? {
        var (oldest, time): (Int?, UInt32) = (nil, .max)
        for index in candidates where contacts[index].lastModified < time {
            (oldest, time) = (index, contacts[index].lastModified)
        }
        return oldest
    }

    /// Contacts have changed: they are saved five seconds after the last change.
    func contactsChanged() { contactsSaveAt = node.now + 5_000 }

    func saveContacts() {
        contactsSaveAt = nil
        guard !isStorageFull else { return }
        flash.contacts = contacts.filter { $0.type != 0 }
        let wait = max(quirks.contactSaveMicros, board.contactSaveMicros) * flash.contacts.count / 1_000
        if wait > 0 { node.stalledUntil = node.now + Int64(wait) }
    }

    // MARK: Listing

    func startListing(since: UInt32) {
        listing = ContactListing(index: Self.transientSlots, since: quirks.ignoresSince ? 0 : since)
        let listed = contacts.dropFirst(Self.transientSlots).count { isListed($0, since: listing?.since ?? 0) }
        let total = UInt32(truncatingIfNeeded: quirks.countsFilteredContacts ? contactCount : listed)
        writeSmall(.contactsStart) { $0.u32(total) }
    }

    /// Newer than the filter's time.
    private func isListed(_ contact: Contact, since: UInt32) -> Bool {
        contact.lastModified > since || (since == 0 && !quirks.hidesTimelessContacts)
    }

    /// One pass of a running listing: one entry, written or skipped, or the end.
    func continueListing() {
        guard var current = listing else { return }
        guard current.index < contacts.count else {
            listing = nil
            let newest = current.written == 0 && !quirks.endsEmptyListingsWithZero ? current.since : current.newest
            if !quirks.losesContactsEnd { reply(.contactsEnd) { $0.u32(newest) } }
            return
        }
        let contact = contacts[current.index]
        current.index += 1
        if isListed(contact, since: current.since) {
            current.newest = max(current.newest, contact.lastModified)
            reply(.contact) { contact.write(to: &$0) }
            current.written += 1
            if let last = profile.quirks.listingStopsAfter, current.written >= last {
                listing = nil
                return
            }
        }
        listing = current
    }

    // MARK: Adverts

    func received(_ advert: ReceivedAdvert, packet held: HeldPacket) {
        guard let content = AdvertContent(appData: advert.appData), !content.name.isEmpty else {
            return node.ignore(held, "advert-without-name")
        }
        var known = contactIndex(key: advert.key)
        if let index = known {
            guard advert.timestamp > contacts[index].lastAdvert else { return node.ignore(held, "advert-replayed") }
            if contacts[index].type == 0 {
                if index < Self.transientSlots || quirks.leavesZeroContacts {
                    contacts[index] = .zero
                } else {
                    contacts.remove(at: index)
                }
                known = nil
            }
        }
        guard let index = known ?? addContact(from: advert, content, held) else { return }
        var stored = held.packet
        stored.route = .flood
        stored.transportCodes = nil
        if !isStorageFull { flash.adverts[advert.key] = stored.encoded }
        contacts[index].setName(content.name)
        contacts[index].type = content.type
        if let position = content.position {
            contacts[index].latitude = position.latitude
            contacts[index].longitude = position.longitude
        }
        contacts[index].lastAdvert = advert.timestamp
        contacts[index].lastModified = node.seconds()
        pushIfConnected(.advert) { $0.append(advert.key.bytes) }
        remember(advert, held)
        contactsChanged()
    }

    /// Makes an entry for an unknown node, or reports it as seen but not stored.
    private func addContact(from advert: ReceivedAdvert, _ content: AdvertContent, _ held: HeldPacket) -> Int? {
        var isFull = false
        if isAutoAdded(content.type), isNearEnough(held.packet) {
            if let index = allocateContact(key: advert.key) { return index }
            isFull = true
        }
        var seen = Contact(key: advert.key)
        seen.setName(content.name)
        seen.type = content.type
        seen.latitude = content.position?.latitude ?? 0
        seen.longitude = content.position?.longitude ?? 0
        seen.lastAdvert = advert.timestamp
        seen.lastModified = node.seconds()
        pushIfConnected(.newAdvert) { seen.write(to: &$0) }
        remember(advert, held)
        if isFull { pushIfConnected(.contactsFull) { _ in } }
        return nil
    }

    private func isAutoAdded(_ type: UInt8) -> Bool {
        if preferences.manualAddContacts & 1 == 0 { return true }
        return (1...4).contains(type) && preferences.autoAddMask & (1 << type) != 0
    }

    private func isNearEnough(_ packet: Packet) -> Bool {
        preferences.autoAddMaxHops == 0 || packet.pathLength.hopCount < Int(preferences.autoAddMaxHops)
    }

    private func remember(_ advert: ReceivedAdvert, _ held: HeldPacket) {
        guard held.packet.pathLength.isValid else { return }
        advertPaths.store(
            advert.key.prefix(7), time: node.seconds(), length: held.packet.pathLength, path: held.packet.path)
    }

    // MARK: Own advert

    /// Application data of this node's advert (mesh-protocol §2.7.10); the position is in it when the policy says so.
    func advertAppData() -> [UInt8] {
        let hasPosition = preferences.advertLocationPolicy != 0
        let name = Self.wholeCharacters(of: preferences.name, limit: hasPosition ? 23 : 31)
        var writer = ByteWriter()
        writer.u8(1 | (hasPosition ? 0x10 : 0) | (name.isEmpty ? 0 : 0x80))
        if hasPosition {
            writer.i32(preferences.position.latitude)
            writer.i32(preferences.position.longitude)
        }
        writer.append(name)
        return writer.bytes
    }

    /// A text cut to a length, at a byte as the firmware does, or in front of the character that does not fit.
    func cut(_ text: [UInt8], to limit: Int) -> [UInt8] {
        guard text.count > limit else { return text }
        var end = limit
        if !quirks.cutsCharacters { while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 } }
        return Array(text[..<end])
    }

    /// As many whole UTF-8 characters as fit; the first invalid byte ends the text.
    static func wholeCharacters(of text: [UInt8], limit: Int) -> [UInt8] {
        var end = 0
        while end < text.count {
            let length: Int
            switch text[end] {
            case 0x01...0x7F: length = 1
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF: length = 3
            case 0xF0...0xF4: length = 4
            default: return Array(text[..<end])
            }
            guard end + length <= min(text.count, limit),
                text[(end + 1)..<(end + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
            else { return Array(text[..<end]) }
            end += length
        }
        return text
    }
}

/// An advert's application data (mesh-protocol §2.7.10).
struct AdvertContent {
    var type: UInt8
    var position: Position?
    /// Up to the first NUL; empty without one.
    var name: [UInt8] = []

    /// Nil when the flags promise more fields than there are bytes.
    init?(appData: [UInt8]) {
        var reader = ByteReader(appData)
        guard let flags = try? reader.u8() else { return nil }
        type = flags & 0x0F
        if flags & 0x10 != 0 {
            guard let latitude = try? reader.i32(), let longitude = try? reader.i32() else { return nil }
            position = Position(latitude: latitude, longitude: longitude)
        }
        for feature: UInt8 in [0x20, 0x40] where flags & feature != 0 {
            guard (try? reader.u16()) != nil else { return nil }
        }
        if flags & 0x80 != 0 { name = Array(reader.rest().prefix { $0 != 0 }) }
    }
}
