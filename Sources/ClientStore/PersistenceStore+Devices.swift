public import RigBase

extension PersistenceStore {
    /// The partition of a radio: by the connection's handle, else by its public key, else `newID`, which is then kept by
    /// `saveDevice`.
    public func radioID(handle: [UInt8], publicKey: [UInt8], newID: UUID128) throws(StoreError) -> UUID128 {
        let found = try database.rows(
            """
            SELECT radio FROM device WHERE public_key = ?2 OR handle = ?1
            ORDER BY public_key = ?2 DESC LIMIT 1
            """, [SQLValue(handle), SQLValue(publicKey)]
        ) { $0.id(0) }
        return found.first ?? newID
    }

    /// Stores a radio; its sync mark is only ever changed by `setLastContactSync`. A row that held the same handle or key
    /// under another partition gives way.
    public func saveDevice(_ device: StoredDevice) throws(StoreError) {
        try database.transaction { () throws(StoreError) in
            try database.run(
                "DELETE FROM device WHERE radio <> ? AND (handle = ? OR public_key = ?)",
                [SQLValue(device.radioID), SQLValue(device.handle), SQLValue(device.publicKey)])
            try database.run(
                """
                INSERT INTO device (radio, handle, public_key, name, firmware, model, protocol, max_contacts, max_channels,
                    auto_add, last_connected, last_contact_sync)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (radio) DO UPDATE SET handle = excluded.handle, public_key = excluded.public_key,
                    name = excluded.name, firmware = excluded.firmware, model = excluded.model,
                    protocol = excluded.protocol, max_contacts = excluded.max_contacts,
                    max_channels = excluded.max_channels, auto_add = excluded.auto_add,
                    last_connected = excluded.last_connected
                """,
                [
                    SQLValue(device.radioID), SQLValue(device.handle), SQLValue(device.publicKey),
                    SQLValue(device.name), SQLValue(device.firmware), SQLValue(device.model),
                    SQLValue(device.protocolVersion), SQLValue(device.maxContacts), SQLValue(device.maxChannels),
                    SQLValue(device.autoAdd), SQLValue(device.lastConnected), SQLValue(device.lastContactSync),
                ])
        }
    }

    public func device(_ radioID: UUID128) throws(StoreError) -> StoredDevice? {
        try database.rows(
            """
            SELECT radio, handle, public_key, name, firmware, model, protocol, max_contacts, max_channels, auto_add,
                last_connected, last_contact_sync
            FROM device WHERE radio = ?
            """, [SQLValue(radioID)]
        ) {
            StoredDevice(
                radioID: $0.id(0), handle: $0.blob(1), publicKey: $0.blob(2), name: $0.text(3), firmware: $0.text(4),
                model: $0.text(5), protocolVersion: $0.int(6), maxContacts: $0.int(7), maxChannels: $0.int(8),
                autoAdd: $0.int(9), lastConnected: $0.int(10), lastContactSync: $0.int(11))
        }.first
    }

    /// Keeps the mark up to which this radio's contacts are known.
    public func setLastContactSync(_ mark: UInt32, radio: UUID128) throws(StoreError) {
        try database.run(
            "UPDATE device SET last_contact_sync = ? WHERE radio = ?", [SQLValue(mark), SQLValue(radio)])
    }
}
