public import RigBase

extension PersistenceStore {
    /// Stores the outcome of a channel sync in one transaction: configured slots are written, the `vacant` and everything
    /// from `maxChannels` on are removed, all others stay as they are.
    public func saveChannels(
        _ configured: [StoredChannel], vacant: [UInt8] = [], radio: UUID128, maxChannels: Int = 256
    ) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            for channel in configured {
                try database.run(
                    """
                    INSERT INTO channel (radio, slot, name, secret) VALUES (?, ?, ?, ?)
                    ON CONFLICT (radio, slot) DO UPDATE SET name = excluded.name, secret = excluded.secret
                    """,
                    [
                        SQLValue(radio), SQLValue(channel.index), SQLValue(channel.name),
                        .blob(channel.secret.reveal { $0 }),
                    ])
            }
            for index in vacant {
                try database.run(
                    "DELETE FROM channel WHERE radio = ? AND slot = ?", [SQLValue(radio), SQLValue(index)])
            }
            try database.run(
                "DELETE FROM channel WHERE radio = ? AND slot >= ?", [SQLValue(radio), SQLValue(maxChannels)])
        }
    }

    /// By index.
    public func channels(radio: UUID128) throws(StoreError) -> [StoredChannel] {
        try selectChannels("radio = ? ORDER BY slot", [SQLValue(radio)])
    }

    public func channel(_ index: UInt8, radio: UUID128) throws(StoreError) -> StoredChannel? {
        try selectChannels("radio = ? AND slot = ?", [SQLValue(radio), SQLValue(index)]).first
    }

    public func channel(named name: String, radio: UUID128) throws(StoreError) -> StoredChannel? {
        try selectChannels("radio = ? AND name = ? ORDER BY slot LIMIT 1", [SQLValue(radio), SQLValue(name)]).first
    }

    /// Removes a channel with its messages.
    public func deleteChannel(_ index: UInt8, radio: UUID128) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            let values = [SQLValue(radio), SQLValue(index)]
            try database.run("DELETE FROM channel WHERE radio = ? AND slot = ?", values)
            try database.run("DELETE FROM message WHERE radio = ? AND channel = ?", values)
        }
    }

    public func touchChannel(_ index: UInt8, radio: UUID128, lastMessage: UInt32) throws(StoreError) {
        try database.run(
            "UPDATE channel SET last_message = max(?3, coalesce(last_message, 0)) WHERE radio = ?1 AND slot = ?2",
            [SQLValue(radio), SQLValue(index), SQLValue(lastMessage)])
    }

    public func addUnread(channel index: UInt8, radio: UUID128, mention: Bool) throws(StoreError) {
        try database.run(
            "UPDATE channel SET unread = unread + 1, mentions = mentions + ? WHERE radio = ? AND slot = ?",
            [SQLValue(mention), SQLValue(radio), SQLValue(index)])
    }

    public func clearUnread(channel index: UInt8, radio: UUID128) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            let values = [SQLValue(radio), SQLValue(index)]
            try database.run("UPDATE channel SET unread = 0, mentions = 0 WHERE radio = ? AND slot = ?", values)
            try database.run("UPDATE message SET is_read = 1 WHERE radio = ? AND channel = ?", values)
        }
    }

    /// Blocks or unblocks a name in the channels of one radio.
    public func setSenderBlocked(_ name: String, _ isBlocked: Bool, radio: UUID128) throws(StoreError) {
        try database.run(
            isBlocked
                ? "INSERT INTO blocked_sender (radio, name) VALUES (?, ?) ON CONFLICT DO NOTHING"
                : "DELETE FROM blocked_sender WHERE radio = ? AND name = ?", [SQLValue(radio), SQLValue(name)])
    }

    /// Names whose channel messages are not wanted: of blocked contacts and of blocked senders, sorted.
    public func blockedNames(radio: UUID128) throws(StoreError) -> [String] {
        try database.rows(
            """
            SELECT name FROM contact WHERE radio = ?1 AND blocked = 1
            UNION SELECT name FROM blocked_sender WHERE radio = ?1 ORDER BY name
            """, [SQLValue(radio)]
        ) { $0.text(0) }
    }

    /// Removes what blocked senders wrote in channels, and says how many messages that were.
    @discardableResult
    public func deleteChannelMessages(from names: [String], radio: UUID128) throws(StoreError) -> Int {
        try database.transaction { () throws(StoreError) in
            var count = 0
            for name in names {
                count += try database.run(
                    "DELETE FROM message WHERE radio = ? AND channel IS NOT NULL AND direction = 0 AND sender_name = ?",
                    [SQLValue(radio), SQLValue(name)])
            }
            return count
        }
    }

    private func selectChannels(_ condition: String, _ values: [SQLValue]) throws(StoreError) -> [StoredChannel] {
        try database.rows(
            """
            SELECT radio, slot, name, secret, muted, last_message, unread, mentions FROM channel WHERE \(condition)
            """, values
        ) {
            StoredChannel(
                radioID: $0.id(0), index: $0.int(1), name: $0.text(2), secret: Secret($0.blob(3)), isMuted: $0.bool(4),
                lastMessage: $0.optionalInt(5), unread: $0.int(6), mentions: $0.int(7))
        }
    }
}
