public import ClientStore
internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import RigRuntime
internal import RunRecord

/// Who a direct message goes to.
public enum Recipient: Sendable, Hashable {
    /// By the whole public key.
    case key([UInt8])
    /// By the contact's name as the radio has it.
    case name(String)
}

/// What one contact sync did.
public struct ContactSyncResult: Sendable, Hashable {
    public var received: Int
    /// Highest last-modified that was listed; 0 when nothing was.
    public var mark: UInt32
    /// The radio was asked only for what changed since the stored mark.
    public var isIncremental: Bool
    /// Contacts a full listing no longer named.
    public var removed: Int
}

/// Keeps the store's contacts in step with the radio's (client-stack §5.1).
public actor ContactService {
    let context: ServiceContext

    init(context: ServiceContext) { self.context = context }

    /// Reads the contacts that changed since the stored mark, or all of them; a full listing removes what it does not name.
    ///
    /// The mark is carried as it is, although the radio lists only what is strictly newer: a change in the second of the
    /// mark that the listing had passed already is brought by its push instead, which `AdvertisementService` keeps until
    /// the sync is over.
    @discardableResult
    public func sync(full: Bool = false) async throws(ServiceError) -> ContactSyncResult {
        let stored = try await storing { () throws(StoreError) in
            try await context.store.device(context.radioID)?.lastContactSync ?? 0
        }
        var since: UInt32? = full || stored == 0 ? nil : stored
        if context.runtime.defects.contains(.sinceIgnored) { since = nil }
        context.post(.syncPhase, ["phase": "contacts", "state": "started", "count": 0])
        let listed = try await asking { () throws(RadioFailure) in
            try await context.session.listContacts(since: since)
        }
        let mark = listed.map(\.modified).max() ?? 0
        let isFull = since == nil
        let changes = try await storing { () throws(StoreError) in
            let changes = try await context.store.saveContacts(
                listed, radio: context.radioID, pruning: isFull, newID: makeID)
            if mark > 0 { try await context.store.setLastContactSync(mark, radio: context.radioID) }
            return changes
        }
        for contact in changes.saved { postStored(contact) }
        for contact in changes.removed { postRemoved(contact.key, contact.name) }
        return ContactSyncResult(
            received: listed.count, mark: mark, isIncremental: !isFull, removed: changes.removed.count)
    }

    /// Reads one contact from the radio into the store; nil when the radio has none with that key.
    @discardableResult
    public func refresh(key: [UInt8]) async throws(ServiceError) -> StoredContact? {
        let fields = try await asking { () throws(RadioFailure) in try await context.session.contact(key: key) }
        guard let fields else { return nil }
        return try await save(fields)
    }

    /// Adds a contact to the radio, or writes its fields there, and then stores it.
    @discardableResult
    public func addOrUpdate(_ fields: ContactFields) async throws(ServiceError) -> StoredContact {
        try await asking { () throws(RadioFailure) in try await context.session.write(fields) }
        return try await save(fields)
    }

    /// Removes a contact from the radio and then, with its messages, from the store.
    public func remove(key: [UInt8]) async throws(ServiceError) {
        try await asking { () throws(RadioFailure) in try await context.session.deleteContact(key) }
        try await removeLocally(key: key)
    }

    /// Makes the radio forget its path to a contact, so that the next message floods.
    public func resetPath(key: [UInt8]) async throws(ServiceError) {
        try await asking { () throws(RadioFailure) in try await context.session.forgetPath(to: key) }
        let stored = try await storing { () throws(StoreError) in
            try await context.store.contact(key: key, radio: context.radioID)
        }
        guard var fields = stored?.fields else { return }
        (fields.pathLength, fields.path) = (0xFF, [])
        fields.modified = context.runtime.wallSeconds()
        _ = try await save(fields)
    }

    public func list() async throws(ServiceError) -> [StoredContact] {
        try await storing { () throws(StoreError) in try await context.store.contacts(radio: context.radioID) }
    }

    /// Throws `recipientUnknown`.
    public func find(_ recipient: Recipient) async throws(ServiceError) -> StoredContact {
        let found = try await storing { () throws(StoreError) in
            switch recipient {
            case .key(let key): try await context.store.contact(key: key, radio: context.radioID)
            case .name(let name): try await context.store.contact(named: name, radio: context.radioID)
            }
        }
        if let found { return found }
        switch recipient {
        case .key(let key): throw .recipientUnknown(Hex.encode(key))
        case .name(let name): throw .recipientUnknown(name)
        }
    }

    // MARK: For other services

    func save(_ fields: ContactFields) async throws(ServiceError) -> StoredContact {
        let changes = try await storing { () throws(StoreError) in
            try await context.store.saveContacts([fields], radio: context.radioID, newID: makeID)
        }
        postStored(changes.saved[0])
        return changes.saved[0]
    }

    func removeLocally(key: [UInt8]) async throws(ServiceError) {
        let name = try await storing { () throws(StoreError) in
            let name = try await context.store.contact(key: key, radio: context.radioID)?.name
            try await context.store.deleteContact(key: key, radio: context.radioID)
            return name
        }
        if let name { postRemoved(key, name) }
    }

    /// Gives the path up before the flood attempt and tells whether it is gone. A refusal is only noted: the message goes
    /// out all the same.
    func resetPathBeforeFlood(_ contact: StoredContact, events: Broadcaster<MessageEvent>) async -> Bool {
        do {
            try await asking { () throws(RadioFailure) in try await context.session.forgetPath(to: contact.key) }
            try await refresh(key: contact.key)
            events.yield(.routingChanged(contact: contact.id, isFlood: true))
            return true
        } catch {
            context.warn("the path to \(contact.name) could not be reset: \(error)")
            return false
        }
    }

    /// Looks at the radio's path after a send, and tells when it differs from the one before.
    func refreshPath(of contact: StoredContact, before: UInt8, events: Broadcaster<MessageEvent>) async {
        guard let now = try? await refresh(key: contact.key), now.fields.pathLength != before else { return }
        events.yield(.routingChanged(contact: contact.id, isFlood: now.fields.pathLength == 0xFF))
    }

    private nonisolated var makeID: @Sendable () -> UUID128 {
        { [runtime = context.runtime] in runtime.makeID("contact") }
    }

    private func postStored(_ contact: StoredContact) {
        context.post(.contactStored, ["key": .bytes(contact.key), "name": .text(contact.name)])
    }

    private func postRemoved(_ key: [UInt8], _ name: String) {
        context.post(.contactRemoved, ["key": .bytes(key), "name": .text(name)])
    }
}
