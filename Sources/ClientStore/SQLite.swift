internal import CSQLite
internal import Glibc

/// A result of SQLite with its extended part (`sqlite3_extended_errcode`). An open set: unknown codes keep their value.
public struct SQLiteCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let ok = SQLiteCode(rawValue: SQLITE_OK)
    public static let row = SQLiteCode(rawValue: SQLITE_ROW)
    public static let done = SQLiteCode(rawValue: SQLITE_DONE)
    public static let busy = SQLiteCode(rawValue: SQLITE_BUSY)
    public static let readOnly = SQLiteCode(rawValue: SQLITE_READONLY)
    public static let corrupt = SQLiteCode(rawValue: SQLITE_CORRUPT)
    public static let full = SQLiteCode(rawValue: SQLITE_FULL)
    public static let cannotOpen = SQLiteCode(rawValue: SQLITE_CANTOPEN)
    public static let constraint = SQLiteCode(rawValue: SQLITE_CONSTRAINT)
    public static let notADatabase = SQLiteCode(rawValue: SQLITE_NOTADB)

    /// The code without its extended part: the lowest byte.
    public var primary: SQLiteCode { SQLiteCode(rawValue: rawValue & 0xFF) }

    public var description: String { "SQLite code \(rawValue)" }
}

/// One value that is bound to a statement.
enum SQLValue: Sendable, Hashable {
    case null
    case int(Int64)
    case text(String)
    case blob([UInt8])

    init(_ value: (some BinaryInteger)?) { self = value.map { .int(Int64($0)) } ?? .null }
    init(_ value: Bool) { self = .int(value ? 1 : 0) }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
}

/// One open database (`sqlite3_open_v2`), closed when it goes (`sqlite3_close_v2`). Every pointer of SQLite stays in this
/// file.
struct Database: ~Copyable {
    /// What errors name: the path, or "memory".
    let path: String
    private let handle: OpaquePointer
    private let idle = IdleStatements()

    /// Opens or creates the file; nil opens a database in memory.
    init(file: String?) throws(StoreError) {
        let path = file ?? "memory"
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = SQLiteCode(rawValue: sqlite3_open_v2(file ?? ":memory:", &opened, flags, nil))
        var refusal: StoreError? = code == .ok ? nil : Self.error(code, opened, path)
        // A file that may not be written is opened for reading without complaint.
        if code == .ok, sqlite3_db_readonly(opened, "main") == 1 { refusal = .readOnly(path: path) }
        guard refusal == nil, let opened else {
            sqlite3_close_v2(opened)
            throw refusal ?? .failed(path: path, code: code, message: "out of memory")
        }
        self.path = path
        handle = opened
    }

    deinit {
        idle.finalizeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs statements that have no parameters and no rows (`sqlite3_exec`).
    func execute(_ sql: String) throws(StoreError) {
        let code = SQLiteCode(rawValue: sqlite3_exec(handle, sql, nil, nil, nil))
        guard code == .ok else { throw Self.error(code, handle, path) }
    }

    /// Runs one statement and says how many rows it changed (`sqlite3_changes`).
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int {
        let statement = try prepare(sql, values)
        while try step(statement) {}
        return Int(sqlite3_changes(handle))
    }

    /// The rows of one query, each read by `read`.
    func rows<Row>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) -> Row
    ) throws(StoreError) -> [Row] {
        let statement = try prepare(sql, values)
        var rows: [Row] = []
        while try step(statement) { rows.append(read(statement)) }
        return rows
    }

    /// Does all of `body` or nothing of it.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite has rolled back by itself after some errors, a full disk among them.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func prepare(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Statement {
        var pointer = idle.take(sql)
        if pointer == nil {
            let code = SQLiteCode(rawValue: sqlite3_prepare_v2(handle, sql, -1, &pointer, nil))
            guard code == .ok, pointer != nil else { throw Self.error(code, handle, path) }
        }
        guard let pointer else { preconditionFailure("empty statement") }
        let statement = Statement(pointer: pointer, sql: sql, idle: idle)
        statement.bind(values)
        return statement
    }

    private func step(_ statement: borrowing Statement) throws(StoreError) -> Bool {
        switch statement.step() {
        case .row: return true
        case .done: return false
        case let code: throw Self.error(code, handle, path)
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return String(path[...slash])
    }

    private static func error(_ code: SQLiteCode, _ handle: OpaquePointer?, _ path: String) -> StoreError {
        switch code.primary {
        case .cannotOpen:
            // `access`: what SQLite tells of the cause is that of its second try, for reading, and misleads.
            access(folder(of: path), F_OK) == 0 ? .readOnly(path: path) : .folderMissing(path: path)
        case .readOnly: .readOnly(path: path)
        case .notADatabase, .corrupt: .notAStore(path: path)
        case .full: .full(path: path)
        case .busy: .busy(path: path)
        default: .failed(path: path, code: code, message: sqlite3_errmsg(handle).map { String(cString: $0) } ?? "")
        }
    }
}

/// One prepared statement (`sqlite3_prepare_v2`); goes back to the idle ones when it goes out of scope.
struct Statement: ~Copyable {
    private let pointer: OpaquePointer
    private let sql: String
    private let idle: IdleStatements

    fileprivate init(pointer: OpaquePointer, sql: String, idle: IdleStatements) {
        self.pointer = pointer
        self.sql = sql
        self.idle = idle
    }

    deinit { idle.put(pointer, sql) }

    /// Binds all parameters in order (`sqlite3_bind_…`); their number must match.
    fileprivate func bind(_ values: [SQLValue]) {
        precondition(Int(sqlite3_bind_parameter_count(pointer)) == values.count, "wrong number of values: \(sql)")
        // SQLITE_TRANSIENT: the bytes are copied before the call returns.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (position, value) in zip(Int32(1)..., values) {
            switch value {
            case .null: sqlite3_bind_null(pointer, position)
            case .int(let number): sqlite3_bind_int64(pointer, position, number)
            case .text(let text): sqlite3_bind_text(pointer, position, text, Int32(text.utf8.count), copied)
            case .blob(let bytes):
                // A null pointer would bind NULL, so that an empty value is bound as a blob of no bytes.
                if bytes.isEmpty {
                    sqlite3_bind_zeroblob(pointer, position, 0)
                } else {
                    sqlite3_bind_blob(pointer, position, bytes, Int32(bytes.count), copied)
                }
            }
        }
    }

    /// `sqlite3_step`: a row, done, or what went wrong.
    fileprivate func step() -> SQLiteCode { SQLiteCode(rawValue: sqlite3_step(pointer)) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

    /// The column as a number of that type (`sqlite3_column_int64`); clamped to what the type holds.
    func int<Value: FixedWidthInteger>(_ column: Int32, as type: Value.Type = Value.self) -> Value {
        Value(clamping: sqlite3_column_int64(pointer, column))
    }

    func optionalInt<Value: FixedWidthInteger>(_ column: Int32, as type: Value.Type = Value.self) -> Value? {
        isNull(column) ? nil : int(column)
    }

    func bool(_ column: Int32) -> Bool { sqlite3_column_int64(pointer, column) != 0 }

    func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The bytes of the column, also of a text (`sqlite3_column_blob`).
    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(pointer, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    }

    func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}

/// Prepared statements nobody uses at the moment, so that each text is parsed once for a database.
private final class IdleStatements {
    private var pointers: [String: OpaquePointer] = [:]

    func take(_ sql: String) -> OpaquePointer? { pointers.removeValue(forKey: sql) }

    func put(_ pointer: OpaquePointer, _ sql: String) {
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        if let other = pointers.updateValue(pointer, forKey: sql) { sqlite3_finalize(other) }
    }

    func finalizeAll() {
        for pointer in pointers.values { sqlite3_finalize(pointer) }
        pointers = [:]
    }
}
