public import RigBase

extension PersistenceStore {
    /// Keeps which codes a sent message waits for, so that neither a new link nor a restart forgets them.
    public func saveAwaited(_ awaited: AwaitedConfirmation, radio: UUID128) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.run(
                """
                INSERT INTO awaited_message (message, radio, contact, sent_at_ms, timeout_ms) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (message) DO UPDATE SET sent_at_ms = excluded.sent_at_ms, timeout_ms = excluded.timeout_ms
                """,
                [
                    SQLValue(awaited.message), SQLValue(radio), SQLValue(awaited.contact),
                    SQLValue(awaited.sentAtMillis), SQLValue(awaited.timeoutMillis),
                ])
            try database.run("DELETE FROM awaited_code WHERE message = ?", [SQLValue(awaited.message)])
            for code in awaited.codes {
                try database.run(
                    "INSERT INTO awaited_code (message, code) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    [SQLValue(awaited.message), SQLValue(code)])
            }
        }
    }

    public func deleteAwaited(_ message: UUID128) throws(StoreError) {
        try database.run("DELETE FROM awaited_message WHERE message = ?", [SQLValue(message)])
    }

    /// What this radio's messages still wait for, the one sent longest ago first.
    public func awaited(radio: UUID128) throws(StoreError) -> [AwaitedConfirmation] {
        var awaited = try database.rows(
            """
            SELECT message, contact, sent_at_ms, timeout_ms FROM awaited_message WHERE radio = ?
            ORDER BY sent_at_ms, message
            """, [SQLValue(radio)]
        ) {
            AwaitedConfirmation(
                message: $0.id(0), contact: $0.id(1), codes: [], sentAtMillis: $0.int(2), timeoutMillis: $0.int(3))
        }
        for index in awaited.indices {
            awaited[index].codes = try database.rows(
                "SELECT code FROM awaited_code WHERE message = ? ORDER BY rowid", [SQLValue(awaited[index].message)]
            ) { $0.int(0) }
        }
        return awaited
    }

    /// Appends a message to the queue of what is to be sent.
    public func enqueue(_ send: PendingSend) throws(StoreError) {
        try database.run(
            "INSERT INTO pending_send (id, radio, message, created, drains) VALUES (?, ?, ?, ?, ?)",
            [
                SQLValue(send.id), SQLValue(send.radioID), SQLValue(send.message), SQLValue(send.createdAt),
                SQLValue(send.drains),
            ])
    }

    /// The queue of one radio, head first.
    public func pendingSends(radio: UUID128) throws(StoreError) -> [PendingSend] {
        try database.rows(
            "SELECT id, radio, message, created, drains, sequence FROM pending_send WHERE radio = ? ORDER BY sequence",
            [SQLValue(radio)]
        ) {
            var send = PendingSend(
                id: $0.id(0), radioID: $0.id(1), message: $0.id(2), createdAt: $0.int(3), drains: $0.int(4))
            send.sequence = $0.int(5)
            return send
        }
    }

    public func deletePendingSend(_ id: UUID128) throws(StoreError) {
        try database.run("DELETE FROM pending_send WHERE id = ?", [SQLValue(id)])
    }
}
