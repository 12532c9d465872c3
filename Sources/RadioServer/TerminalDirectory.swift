internal import Glibc
internal import MeshTransport

/// The folder in which pseudo-terminals have stable names, and the links in it that this process made.
package enum TerminalDirectory {
    /// `$XDG_RUNTIME_DIR/meshrig`, or `/tmp/meshrig-UID` without one.
    package static var standard: String {
        standard(runtimeFolder: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
    }

    /// A shell of another user or in a container often keeps the variable of a folder that is not there or not its own.
    static func standard(runtimeFolder: String?) -> String {
        if let runtimeFolder, runtimeFolder.hasPrefix("/"), access(runtimeFolder, W_OK | X_OK) == 0 {
            return runtimeFolder + "/meshrig"
        }
        return "/tmp/meshrig-\(getuid())"
    }

    /// Makes the folder if it is not there; one that belongs to another user is refused, because links in it could lead
    /// a client astray.
    static func prepare(_ path: String) throws(ServeError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .foreignFile(path, reason: errorText(errno)) }
        var info = stat()
        guard lstat(path, &info) == 0 else { throw .foreignFile(path, reason: errorText(errno)) }
        guard info.st_mode & S_IFMT == S_IFDIR else { throw .foreignFile(path, reason: "is not a directory") }
        guard info.st_uid == getuid() else { throw .foreignFile(path, reason: "belongs to another user") }
    }

    /// A file name for a node: letters, digits, `-`, `_` and `.` stay, everything else becomes `_` (some clients split
    /// a path at a colon).
    static func fileName(for node: String) -> String {
        let name = String(
            node.unicodeScalars.map { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": Character(scalar)
                default: "_"
                }
            })
        return name.isEmpty || name.hasPrefix(".") ? "_" + name : name
    }

    /// Keeps the name `path` for this process, whatever becomes of the link: an open file beside it, locked with flock(2)
    /// until it is closed or its process ends. Refused when a running server has it.
    static func claim(_ path: String) throws(ServeError) -> Int32 {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let lock = (parts.dropLast() + [".\(parts.last ?? "").lock"]).joined(separator: "/")
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .foreignFile(lock, reason: errorText(errno)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .foreignFile(path, reason: "is in use by a server that is running")
        }
        return descriptor
    }

    /// Points `path`, which must be claimed, at `target`. A link to a terminal that an ended server has left is replaced;
    /// anything else is refused.
    static func link(_ path: String, to target: String) throws(ServeError) {
        var info = stat()
        if lstat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFLNK else {
                throw .foreignFile(path, reason: "is in the way and no link")
            }
            guard Self.target(of: path)?.hasPrefix("/dev/pts/") == true else {
                throw .foreignFile(path, reason: "is in the way and leads to no terminal")
            }
            unlink(path)
        }
        guard symlink(target, path) == 0 else { throw .foreignFile(path, reason: errorText(errno)) }
    }

    /// Removes the link if it still leads to `target`.
    static func unlinkIfOurs(_ path: String, target: String) {
        if Self.target(of: path) == target { unlink(path) }
    }

    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(link, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
