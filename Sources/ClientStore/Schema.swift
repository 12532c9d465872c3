/// The tables of the store as a list of named steps; a step that was ever released is never changed, only followed.
enum Schema {
    struct Migration: Sendable {
        var name: String
        var sql: String
    }

    /// Written into the file's header (`PRAGMA application_id`): "MRIG".
    static let applicationID: Int64 = 0x4D52_4947

    static let migrations: [Migration] = [
        Migration(name: "first tables", sql: firstTables)
    ]

    /// Brings an open database to the newest schema. A file of another program, or of a newer version of this one, is
    /// refused untouched.
    static func migrate(_ database: borrowing Database) throws(StoreError) {
        try database.execute("PRAGMA foreign_keys = ON")
        let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
        let found = try database.rows("PRAGMA application_id") { $0.int(0, as: Int64.self) }
        var applied: [String] = []
        if !tables.isEmpty {
            guard found == [applicationID], tables.contains("migration") else { throw .notAStore(path: database.path) }
            applied = try database.rows("SELECT name FROM migration ORDER BY position") { $0.text(0) }
        }
        let known = migrations.map(\.name)
        let unknown = applied.filter { !known.contains($0) }
        guard unknown.isEmpty else { throw .newerSchema(path: database.path, unknownMigrations: unknown) }
        let missing = migrations.filter { !applied.contains($0.name) }
        guard !missing.isEmpty else { return }
        try database.transaction { () throws(StoreError) in
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute(
                "CREATE TABLE IF NOT EXISTS migration (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
            for migration in missing {
                try database.execute(migration.sql)
                try database.run("INSERT INTO migration (name) VALUES (?)", [.text(migration.name)])
            }
        }
    }

    /// Identifiers are 16-byte blobs, times Unix seconds unless the name says otherwise, positions degrees × 10⁶.
    private static let firstTables = """
        CREATE TABLE device (
            radio BLOB PRIMARY KEY, handle BLOB NOT NULL UNIQUE, public_key BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
            firmware TEXT NOT NULL, model TEXT NOT NULL, protocol INTEGER NOT NULL, max_contacts INTEGER NOT NULL,
            max_channels INTEGER NOT NULL, auto_add INTEGER NOT NULL, last_connected INTEGER NOT NULL,
            last_contact_sync INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE TABLE contact (
            position INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, radio BLOB NOT NULL,
            public_key BLOB NOT NULL, name TEXT NOT NULL, type INTEGER NOT NULL, flags INTEGER NOT NULL,
            path_length INTEGER NOT NULL, path BLOB NOT NULL, last_advert INTEGER NOT NULL, latitude INTEGER NOT NULL,
            longitude INTEGER NOT NULL, modified INTEGER NOT NULL, nickname TEXT, blocked INTEGER NOT NULL DEFAULT 0,
            muted INTEGER NOT NULL DEFAULT 0, favourite INTEGER NOT NULL, last_message INTEGER,
            unread INTEGER NOT NULL DEFAULT 0, mentions INTEGER NOT NULL DEFAULT 0, UNIQUE (radio, public_key)
        );
        CREATE TABLE discovered_node (
            radio BLOB NOT NULL, public_key BLOB NOT NULL, name TEXT NOT NULL, type INTEGER NOT NULL,
            last_heard INTEGER NOT NULL, PRIMARY KEY (radio, public_key)
        ) WITHOUT ROWID;
        CREATE TABLE channel (
            radio BLOB NOT NULL, slot INTEGER NOT NULL, name TEXT NOT NULL, secret BLOB NOT NULL,
            muted INTEGER NOT NULL DEFAULT 0, last_message INTEGER, unread INTEGER NOT NULL DEFAULT 0,
            mentions INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (radio, slot)
        ) WITHOUT ROWID;
        CREATE TABLE blocked_sender (
            radio BLOB NOT NULL, name TEXT NOT NULL, PRIMARY KEY (radio, name)
        ) WITHOUT ROWID;
        CREATE TABLE message (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, radio BLOB NOT NULL,
            contact BLOB REFERENCES contact (id) ON DELETE CASCADE, channel INTEGER, direction INTEGER NOT NULL,
            text TEXT NOT NULL, text_type INTEGER NOT NULL, timestamp INTEGER NOT NULL, original_timestamp INTEGER,
            created INTEGER NOT NULL, sort_date INTEGER NOT NULL, status INTEGER NOT NULL, sender_name TEXT,
            sender_prefix BLOB, ack_code INTEGER, trip_time_ms INTEGER, path_length INTEGER, snr_quarter_db INTEGER,
            is_read INTEGER NOT NULL, mention INTEGER NOT NULL, send_count INTEGER NOT NULL,
            retry_attempt INTEGER NOT NULL, retry_max INTEGER NOT NULL, dedup_key TEXT, UNIQUE (radio, dedup_key)
        );
        CREATE INDEX message_by_contact ON message (contact, sort_date);
        CREATE INDEX message_by_channel ON message (radio, channel, sort_date);
        CREATE TABLE awaited_message (
            message BLOB PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE, radio BLOB NOT NULL,
            contact BLOB NOT NULL, sent_at_ms INTEGER NOT NULL, timeout_ms INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE awaited_code (
            message BLOB NOT NULL REFERENCES awaited_message (message) ON DELETE CASCADE, code INTEGER NOT NULL,
            UNIQUE (message, code)
        );
        CREATE TABLE pending_send (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, radio BLOB NOT NULL,
            message BLOB NOT NULL, created INTEGER NOT NULL, drains INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX pending_send_by_message ON pending_send (message);
        CREATE TRIGGER message_deleted AFTER DELETE ON message BEGIN
            DELETE FROM pending_send WHERE message = OLD.id;
        END;
        """
}
