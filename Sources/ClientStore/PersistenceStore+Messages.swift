public import RigBase

extension PersistenceStore {
    /// Stores a new message; false means that the same radio has one with this dedup key already, and nothing was stored.
    public func insertMessage(_ message: StoredMessage) throws(StoreError) -> Bool {
        var contact: UUID128?
        var channel: UInt8?
        switch message.conversation {
        case .contact(let id): contact = id
        case .channel(let index): channel = index
        case .unknownSender: break
        }
        return try database.run(
            """
            INSERT INTO message (id, radio, contact, channel, direction, text, text_type, timestamp, original_timestamp,
                created, sort_date, status, sender_name, sender_prefix, ack_code, trip_time_ms, path_length, snr_quarter_db,
                is_read, mention, send_count, retry_attempt, retry_max, dedup_key)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (radio, dedup_key) DO NOTHING
            """,
            [
                SQLValue(message.id), SQLValue(message.radioID), SQLValue(contact?.bytes), SQLValue(channel),
                SQLValue(message.direction.rawValue), SQLValue(message.text), SQLValue(message.textType),
                SQLValue(message.timestamp), SQLValue(message.originalTimestamp), SQLValue(message.createdAt),
                SQLValue(message.sortDate), SQLValue(message.status.rawValue), SQLValue(message.senderName),
                SQLValue(message.senderPrefix), SQLValue(message.ackCode), SQLValue(message.tripTimeMillis),
                SQLValue(message.pathLength), SQLValue(message.snrQuarterDB), SQLValue(message.isRead),
                SQLValue(message.containsMention), SQLValue(message.sendCount), SQLValue(message.retryAttempt),
                SQLValue(message.retryMax), SQLValue(message.dedupKey),
            ]) > 0
    }

    public func message(_ id: UUID128) throws(StoreError) -> StoredMessage? {
        try selectMessages("id = ?", [SQLValue(id)]).first
    }

    /// The newest `limit` messages of a conversation, oldest of them first (client-stack §7.1).
    ///
    /// Order: sort date, then sender's time, then storing; after that, runs of one sender whose neighbours lie at most five
    /// seconds apart are put into the order of the sender's clock.
    public func messages(
        in conversation: Conversation, radio: UUID128, limit: Int = 1_000
    ) throws(StoreError) -> [StoredMessage] {
        let order = " ORDER BY sort_date DESC, timestamp DESC, created DESC, sequence DESC LIMIT ?"
        let newestFirst: [StoredMessage]
        switch conversation {
        case .contact(let id):
            newestFirst = try selectMessages(
                "radio = ? AND contact = ?" + order, [SQLValue(radio), SQLValue(id), SQLValue(limit)])
        case .channel(let index):
            newestFirst = try selectMessages(
                "radio = ? AND channel = ?" + order, [SQLValue(radio), SQLValue(index), SQLValue(limit)])
        case .unknownSender:
            newestFirst = try selectMessages(
                "radio = ? AND contact IS NULL AND channel IS NULL" + order, [SQLValue(radio), SQLValue(limit)])
        }
        return Self.orderedBySender(newestFirst.reversed())
    }

    /// Every message of a radio in the order of storing.
    public func messages(radio: UUID128) throws(StoreError) -> [StoredMessage] {
        try selectMessages("radio = ? ORDER BY sequence", [SQLValue(radio)])
    }

    /// Sent direct messages with that confirmation code, newest first.
    public func outgoingMessages(ackCode: UInt32, radio: UUID128) throws(StoreError) -> [StoredMessage] {
        try selectMessages(
            "radio = ? AND ack_code = ? AND direction = 1 ORDER BY sequence DESC",
            [SQLValue(radio), SQLValue(ackCode)])
    }

    /// Removes a message and its queue rows, also when the message is gone already.
    public func deleteMessage(_ id: UUID128) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.run("DELETE FROM message WHERE id = ?", [SQLValue(id)])
            try database.run("DELETE FROM pending_send WHERE message = ?", [SQLValue(id)])
        }
    }

    // Writes of the status, each with its own guard (client-stack §3.1). All say whether they wrote.

    /// Writes whatever is there; for a row whose writer knows that it owns it.
    @discardableResult
    public func setStatus(_ id: UUID128, _ status: MessageStatus) throws(StoreError) -> Bool {
        try database.run(
            "UPDATE message SET status = ? WHERE id = ?", [SQLValue(status.rawValue), SQLValue(id)]) > 0
    }

    /// Refused when the row is delivered. May reopen a failed row.
    public func setStatusUnlessDelivered(_ id: UUID128, _ status: MessageStatus) throws(StoreError) -> Bool {
        try database.run(
            "UPDATE message SET status = ? WHERE id = ? AND status <> 3",
            [SQLValue(status.rawValue), SQLValue(id)]) > 0
    }

    /// Refused when the row is delivered or failed.
    public func setRetrying(_ id: UUID128, attempt: Int, of max: Int) throws(StoreError) -> Bool {
        try database.run(
            "UPDATE message SET status = 5, retry_attempt = ?, retry_max = ? WHERE id = ? AND status NOT IN (3, 4)",
            [SQLValue(attempt), SQLValue(max), SQLValue(id)]) > 0
    }

    /// Ends a retry without a confirmation: sent, unless the row is delivered or failed.
    public func clearRetryingToSent(_ id: UUID128) throws(StoreError) -> Bool {
        try database.run(
            "UPDATE message SET status = 2 WHERE id = ? AND status NOT IN (3, 4)", [SQLValue(id)]) > 0
    }

    /// Writes a confirmation code with a status. Refused when the row is delivered or failed and `status` is another one.
    public func writeAck(
        _ id: UUID128, code: UInt32, status: MessageStatus, tripTimeMillis: UInt32?
    ) throws(StoreError) -> Bool {
        try database.run(
            """
            UPDATE message SET ack_code = ?2, status = ?3, trip_time_ms = coalesce(?4, trip_time_ms)
            WHERE id = ?1 AND (status NOT IN (3, 4) OR status = ?3)
            """, [SQLValue(id), SQLValue(code), SQLValue(status.rawValue), SQLValue(tripTimeMillis)]) > 0
    }

    /// Puts a new sender's time into a row that is about to be sent again, and counts the sending.
    public func restamp(_ id: UUID128, timestamp: UInt32, sendCount: Int) throws(StoreError) {
        try database.run(
            "UPDATE message SET timestamp = ?, send_count = ? WHERE id = ?",
            [SQLValue(timestamp), SQLValue(sendCount), SQLValue(id)])
    }

    private static func orderedBySender(_ messages: [StoredMessage]) -> [StoredMessage] {
        struct Sender: Hashable {
            var direction: MessageDirection
            var name: String?
            var prefix: [UInt8]?
        }
        func sender(_ message: StoredMessage) -> Sender {
            Sender(direction: message.direction, name: message.senderName, prefix: message.senderPrefix)
        }
        var ordered: [StoredMessage] = []
        var run: [StoredMessage] = []
        func flushed() -> [StoredMessage] {
            run.sorted { ($0.timestamp, $0.sequence) < ($1.timestamp, $1.sequence) }
        }
        for message in messages {
            if let last = run.last, sender(last) != sender(message) || message.sortDate - last.sortDate > 5 {
                ordered += flushed()
                run = []
            }
            run.append(message)
        }
        return ordered + flushed()
    }

    private func selectMessages(_ condition: String, _ values: [SQLValue]) throws(StoreError) -> [StoredMessage] {
        try database.rows(
            """
            SELECT id, radio, contact, channel, direction, text, text_type, timestamp, original_timestamp, created,
                sort_date, status, sender_name, sender_prefix, ack_code, trip_time_ms, path_length, snr_quarter_db, is_read,
                mention, send_count, retry_attempt, retry_max, dedup_key, sequence
            FROM message WHERE \(condition)
            """, values
        ) { row in
            let conversation: Conversation =
                if let channel = row.optionalInt(3, as: UInt8.self) {
                    .channel(channel)
                } else {
                    row.isNull(2) ? .unknownSender : .contact(row.id(2))
                }
            var message = StoredMessage(
                id: row.id(0), radioID: row.id(1), conversation: conversation,
                direction: MessageDirection(rawValue: row.int(4)) ?? .incoming, text: row.text(5), textType: row.int(6),
                timestamp: row.int(7), originalTimestamp: row.optionalInt(8), createdAt: row.int(9),
                sortDate: row.int(10), status: MessageStatus(rawValue: row.int(11)) ?? .failed,
                senderName: row.optionalText(12), senderPrefix: row.optionalBlob(13), ackCode: row.optionalInt(14),
                tripTimeMillis: row.optionalInt(15), pathLength: row.optionalInt(16), snrQuarterDB: row.optionalInt(17),
                isRead: row.bool(18), containsMention: row.bool(19), sendCount: row.int(20), retryAttempt: row.int(21),
                retryMax: row.int(22), dedupKey: row.optionalText(23))
            message.sequence = row.int(24)
            return message
        }
    }
}
