public import CompanionProtocol
internal import RigRuntime
internal import MeshTransport
public import RigBase

/// Channel slots that were read, and those that gave no answer.
public struct ChannelListing: Sendable, Hashable {
    /// In the order asked for.
    public var received: [ChannelInfoReply]
    public var missing: [UInt8]

    public init(received: [ChannelInfoReply], missing: [UInt8]) {
        self.received = received
        self.missing = missing
    }
}

extension MeshCoreSession {
    // MARK: Contacts

    /// Lists the contacts changed after `since` in the radio's clock, or all.
    public func getContacts(since: UInt32? = nil) async throws(SessionError) -> ContactListing {
        let outcome = try await perform(
            .contacts(frame: GetContactsCommand(since: since).encoded, configuration.contacts))
        guard case .contacts(var contacts, let mark) = outcome else { throw .malformedReply("\(outcome)") }
        if runtime.defects.contains(.lastContactLost) { _ = contacts.popLast() }
        if runtime.defects.contains(.contactsCapped) { contacts = Array(contacts.prefix(256)) }
        let listing = ContactListing(contacts: contacts, lastModified: mark)
        contactCache.apply(listing, isFull: since == nil)
        return listing
    }

    /// The known contacts; read from the radio first when forced, when something changed or when none is known.
    public func ensureContacts(force: Bool = false) async throws(SessionError) -> [ContactRecord] {
        if force || contactCache.isDirty || contactCache.isEmpty {
            _ = try await getContacts(since: contactCache.isEmpty ? nil : contactCache.lastModified)
        }
        return contactCache.contacts
    }

    /// One contact; nil when the radio has none with that key.
    public func getContact(key: [UInt8]) async throws(SessionError) -> ContactRecord? {
        let frame = try await reply(GetContactByKeyCommand(key: key), .contact(key: key))
        if case .contact(let reply) = frame { return reply.contact }
        return nil
    }

    /// Adds a contact or changes all its fields; the radio stamps it anew unless the command has a time.
    public func writeContact(_ command: AddUpdateContactCommand) async throws(SessionError) { try await set(command) }

    public func removeContact(key: [UInt8]) async throws(SessionError) {
        try await set(RemoveContactCommand(key: key))
        contactCache.remove(key: key)
    }

    /// Forgets the path, so that the next message to the contact floods.
    public func resetPath(key: [UInt8]) async throws(SessionError) { try await set(ResetPathCommand(key: key)) }

    public func shareContact(key: [UInt8]) async throws(SessionError) { try await set(ShareContactCommand(key: key)) }

    /// The contact's advert, or a fresh one of the radio itself when `key` is nil.
    public func exportContact(key: [UInt8]? = nil) async throws(SessionError) -> ExportedContactReply {
        try await ask(ExportContactCommand(key: key), for: ExportedContactReply.self, .exportedContact(key: key))
    }

    /// Gives the radio an advert as if it had been heard; success does not mean that the contact was stored.
    public func importContact(packet: [UInt8]) async throws(SessionError) {
        try await set(ImportContactCommand(packet: packet))
    }

    /// By which path the node's last advert came; nil when the radio does not remember.
    public func getAdvertPath(key: [UInt8]) async throws(SessionError) -> AdvertPathReply? {
        do {
            return try await ask(GetAdvertPathCommand(key: key), for: AdvertPathReply.self)
        } catch .device(.notFound) {
            return nil
        }
    }

    // MARK: Channels

    public func getChannel(_ index: UInt8) async throws(SessionError) -> ChannelInfoReply {
        try await ask(GetChannelCommand(index: index), for: ChannelInfoReply.self, .channel(index))
    }

    /// Reads several slots, eight at a time where the link allows it.
    ///
    /// One by one otherwise: a slot that is refused or silent is missing, and after three silent ones in a row the rest
    /// is not asked for.
    public func getChannels(_ indices: [UInt8]) async throws(SessionError) -> ChannelListing {
        guard transport.allowsPipelining else { return try await getChannelsOneByOne(indices) }
        let outcome = try await perform(.channels(indices: indices, configuration.channels))
        guard case .channels(let received, let missing) = outcome else { throw .malformedReply("\(outcome)") }
        return ChannelListing(received: received, missing: missing)
    }

    private func getChannelsOneByOne(_ indices: [UInt8]) async throws(SessionError) -> ChannelListing {
        var listing = ChannelListing(received: [], missing: [])
        var silent = 0
        for index in indices {
            guard silent < configuration.channelTimeoutsInARow else {
                listing.missing.append(index)
                continue
            }
            do {
                listing.received.append(try await getChannel(index))
                silent = 0
            } catch {
                switch error {
                case .timeout: silent += 1
                case .device, .malformedReply: silent = 0
                default: throw error
                }
                listing.missing.append(index)
            }
        }
        return listing
    }

    /// Writes a slot: the name is cut to 31 bytes between two characters, the secret has 16 bytes.
    public func setChannel(_ index: UInt8, name: String, secret: Secret) async throws(SessionError) {
        let cut = WireText.cut(name, toBytes: CompanionLimits.maxNameSize)
        try await set(SetChannelCommand(index: index, name: cut, secret: secret))
    }
}
