internal import RigBase

/// What a client remembers, in SQLite: in memory for a run, or in a file.
///
/// Everything belongs to one radio (`radioID`), and no query reaches over to another. Callers exchange values and never see
/// a row. All methods throw `StoreError`, and a change that failed left nothing behind.
public actor PersistenceStore {
    public enum Location: Sendable, Hashable {
        case memory
        case file(String)
    }

    let database: Database

    /// Opens or creates a store and brings it to the newest schema.
    public init(_ location: Location) throws(StoreError) {
        let opened: Database
        switch location {
        case .memory: opened = try Database(file: nil)
        case .file(let path): opened = try Database(file: path)
        }
        try Schema.migrate(opened)
        database = opened
    }

    /// Limits the size of the database (`PRAGMA max_page_count`), which is what a full disk looks like.
    package func limitPages(_ count: Int) throws(StoreError) {
        _ = try database.rows("PRAGMA max_page_count = \(count)") { $0.int(0, as: Int.self) }
    }
}

extension UUID128 {
    /// Sixteen bytes, most significant first.
    var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }

    init(bytes: [UInt8]) {
        precondition(bytes.count == 16, "an identifier has 16 bytes")
        self.init(
            high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension SQLValue {
    init(_ id: UUID128) { self = .blob(id.bytes) }
}

extension Statement {
    func id(_ column: Int32) -> UUID128 { UUID128(bytes: blob(column)) }
}
