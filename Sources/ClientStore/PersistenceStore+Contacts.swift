public import RigBase

extension PersistenceStore {
    /// What a contact sync changed.
    public struct ContactChanges: Sendable, Hashable {
        /// The rows as they are now, in the order given.
        public var saved: [StoredContact] = []
        /// Contacts that were removed because a full listing no longer names them.
        public var removed: [StoredContact] = []
    }

    /// Stores what the radio listed in one transaction; with `pruning`, contacts it did not list go, with their messages.
    ///
    /// An update follows the radio in everything but the fields only this client knows, the favourite mark among them
    /// (client-stack §5.1). `newID` is called for each contact that was not known.
    public func saveContacts(
        _ contacts: [ContactFields], radio: UUID128, pruning: Bool = false, newID: @Sendable () -> UUID128
    ) throws(StoreError) -> ContactChanges {
        try database.transaction { () throws(StoreError) in
            var changes = ContactChanges()
            for fields in contacts {
                changes.saved.append(try upsert(fields, radio: radio, newID: newID))
            }
            if pruning {
                let listed = Set(contacts.map(\.key))
                for contact in try self.contacts(radio: radio) where !listed.contains(contact.key) {
                    changes.removed.append(contact)
                    try database.run("DELETE FROM contact WHERE id = ?", [SQLValue(contact.id)])
                }
            }
            return changes
        }
    }

    /// In the order in which they became known.
    public func contacts(radio: UUID128) throws(StoreError) -> [StoredContact] {
        try select("radio = ? ORDER BY position", [SQLValue(radio)])
    }

    public func contact(_ id: UUID128) throws(StoreError) -> StoredContact? {
        try select("id = ?", [SQLValue(id)]).first
    }

    public func contact(key: [UInt8], radio: UUID128) throws(StoreError) -> StoredContact? {
        try select("radio = ? AND public_key = ?", [SQLValue(radio), SQLValue(key)]).first
    }

    /// The first contact whose key begins with `prefix`.
    public func contact(prefix: [UInt8], radio: UUID128) throws(StoreError) -> StoredContact? {
        let last = prefix + [UInt8](repeating: 0xFF, count: max(0, 32 - prefix.count))
        return try select(
            "radio = ? AND public_key BETWEEN ? AND ? ORDER BY position LIMIT 1",
            [SQLValue(radio), SQLValue(prefix), SQLValue(last)]
        ).first
    }

    public func contact(named name: String, radio: UUID128) throws(StoreError) -> StoredContact? {
        try select("radio = ? AND name = ? ORDER BY position LIMIT 1", [SQLValue(radio), SQLValue(name)]).first
    }

    /// Removes a contact and all that belongs to it: messages, awaited confirmations, queue rows.
    @discardableResult
    public func deleteContact(key: [UInt8], radio: UUID128) throws(StoreError) -> Bool {
        try database.transaction { () throws(StoreError) in
            try database.run(
                "DELETE FROM contact WHERE radio = ? AND public_key = ?", [SQLValue(radio), SQLValue(key)]) > 0
        }
    }

    /// Sets what only this client knows. Blocking sets unread and mentions to zero.
    public func setPreferences(
        _ id: UUID128, nickname: String?, isBlocked: Bool, isMuted: Bool, isFavourite: Bool
    ) throws(StoreError) {
        try database.run(
            """
            UPDATE contact SET nickname = ?2, blocked = ?3, muted = ?4, favourite = ?5,
                unread = CASE ?3 WHEN 1 THEN 0 ELSE unread END, mentions = CASE ?3 WHEN 1 THEN 0 ELSE mentions END
            WHERE id = ?1
            """,
            [SQLValue(id), SQLValue(nickname), SQLValue(isBlocked), SQLValue(isMuted), SQLValue(isFavourite)])
    }

    /// Keeps when a contact was last heard of; nothing when it is not known.
    public func setLastAdvert(_ time: UInt32, key: [UInt8], radio: UUID128) throws(StoreError) {
        try database.run(
            "UPDATE contact SET last_advert = ? WHERE radio = ? AND public_key = ?",
            [SQLValue(time), SQLValue(radio), SQLValue(key)])
    }

    /// Keeps the time of the newest message of a contact.
    public func touchContact(_ id: UUID128, lastMessage: UInt32) throws(StoreError) {
        try database.run(
            "UPDATE contact SET last_message = max(?2, coalesce(last_message, 0)) WHERE id = ?1",
            [SQLValue(id), SQLValue(lastMessage)])
    }

    public func addUnread(contact id: UUID128, mention: Bool) throws(StoreError) {
        try database.run(
            "UPDATE contact SET unread = unread + 1, mentions = mentions + ? WHERE id = ?",
            [SQLValue(mention), SQLValue(id)])
    }

    public func clearUnread(contact id: UUID128) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.run("UPDATE contact SET unread = 0, mentions = 0 WHERE id = ?", [SQLValue(id)])
            try database.run("UPDATE message SET is_read = 1 WHERE contact = ?", [SQLValue(id)])
        }
    }

    /// Notes a node that is no contact, and says whether it is new. At most `limit` are kept for a radio; the one heard
    /// longest ago goes first.
    public func saveDiscovered(
        _ node: DiscoveredNode, radio: UUID128, limit: Int = 1_000
    ) throws(StoreError) -> Bool {
        try database.transaction { () throws(StoreError) in
            let known = try database.run(
                "UPDATE discovered_node SET name = ?, type = ?, last_heard = ? WHERE radio = ? AND public_key = ?",
                [
                    SQLValue(node.name), SQLValue(node.type), SQLValue(node.lastHeard), SQLValue(radio),
                    SQLValue(node.key),
                ])
            if known > 0 { return false }
            try database.run(
                "INSERT INTO discovered_node (radio, public_key, name, type, last_heard) VALUES (?, ?, ?, ?, ?)",
                [
                    SQLValue(radio), SQLValue(node.key), SQLValue(node.name), SQLValue(node.type),
                    SQLValue(node.lastHeard),
                ])
            try database.run(
                """
                DELETE FROM discovered_node WHERE radio = ?1 AND public_key IN (
                    SELECT public_key FROM discovered_node WHERE radio = ?1 AND public_key <> ?2
                    ORDER BY last_heard DESC, public_key LIMIT -1 OFFSET ?3)
                """, [SQLValue(radio), SQLValue(node.key), SQLValue(limit - 1)])
            return true
        }
    }

    /// Newest first.
    public func discoveredNodes(radio: UUID128) throws(StoreError) -> [DiscoveredNode] {
        try database.rows(
            """
            SELECT public_key, name, type, last_heard FROM discovered_node WHERE radio = ?
            ORDER BY last_heard DESC, public_key
            """, [SQLValue(radio)]
        ) { DiscoveredNode(key: $0.blob(0), name: $0.text(1), type: $0.int(2), lastHeard: $0.int(3)) }
    }

    private func upsert(
        _ fields: ContactFields, radio: UUID128, newID: () -> UUID128
    ) throws(StoreError) -> StoredContact {
        var values = [
            SQLValue(fields.name), SQLValue(fields.type), SQLValue(fields.flags), SQLValue(fields.pathLength),
            SQLValue(fields.path), SQLValue(fields.lastAdvert), SQLValue(fields.latitude), SQLValue(fields.longitude),
            SQLValue(fields.modified),
        ]
        if var known = try contact(key: fields.key, radio: radio) {
            try database.run(
                """
                UPDATE contact SET name = ?, type = ?, flags = ?, path_length = ?, path = ?, last_advert = ?,
                    latitude = ?, longitude = ?, modified = ?
                WHERE id = ?
                """, values + [SQLValue(known.id)])
            known.fields = fields
            return known
        }
        let contact = StoredContact(
            id: newID(), radioID: radio, fields: fields, nickname: nil, isBlocked: false, isMuted: false,
            isFavourite: fields.isFavourite, lastMessage: nil, unread: 0, mentions: 0)
        values += [
            SQLValue(contact.id), SQLValue(radio), SQLValue(fields.key), SQLValue(contact.isFavourite),
        ]
        try database.run(
            """
            INSERT INTO contact (name, type, flags, path_length, path, last_advert, latitude, longitude, modified, id,
                radio, public_key, favourite)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, values)
        return contact
    }

    private func select(_ condition: String, _ values: [SQLValue]) throws(StoreError) -> [StoredContact] {
        try database.rows(
            """
            SELECT id, radio, public_key, name, type, flags, path_length, path, last_advert, latitude, longitude, modified,
                nickname, blocked, muted, favourite, last_message, unread, mentions
            FROM contact WHERE \(condition)
            """, values
        ) {
            StoredContact(
                id: $0.id(0), radioID: $0.id(1),
                fields: ContactFields(
                    key: $0.blob(2), name: $0.text(3), type: $0.int(4), flags: $0.int(5), pathLength: $0.int(6),
                    path: $0.blob(7), lastAdvert: $0.int(8), latitude: $0.int(9), longitude: $0.int(10),
                    modified: $0.int(11)),
                nickname: $0.optionalText(12), isBlocked: $0.bool(13), isMuted: $0.bool(14), isFavourite: $0.bool(15),
                lastMessage: $0.optionalInt(16), unread: $0.int(17), mentions: $0.int(18))
        }
    }
}
