/// Why the store could not do what was asked; each case says what its user can do about it.
public enum StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The folder that should hold the file does not exist.
    case folderMissing(path: String)
    /// The file, or its folder, may not be written.
    case readOnly(path: String)
    /// The file is no SQLite database, is damaged, or belongs to another program.
    case notAStore(path: String)
    /// A newer version of the program wrote the file; these are its migrations this version does not know.
    case newerSchema(path: String, unknownMigrations: [String])
    /// No room is left on the disk; nothing of the change was kept.
    case full(path: String)
    /// Another program holds the file.
    case busy(path: String)
    /// Anything else SQLite reports.
    case failed(path: String, code: SQLiteCode, message: String)

    public var description: String {
        switch self {
        case .folderMissing(let path): "the folder of \(path) does not exist"
        case .readOnly(let path): "\(path) cannot be written"
        case .notAStore(let path): "\(path) is not a store of this program, or it is damaged"
        case .newerSchema(let path, let unknown):
            "\(path) was written by a newer version (\(unknown.joined(separator: ", ")))"
        case .full(let path): "no room is left for \(path)"
        case .busy(let path): "\(path) is in use by another program"
        case .failed(let path, let code, let message): "\(path): \(message) (\(code))"
        }
    }
}
