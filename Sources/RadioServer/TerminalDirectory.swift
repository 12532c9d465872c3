internal import Glibc
internal import MeshTransport

/// The folder in which pseudo-terminals have stable names, and the links in it that this process made.
package enum TerminalDirectory {
    /// `$XDG_RUNTIME_DIR/meshrig`, or `/tmp/meshrig-UID` without one.
    package static var standard: String {
        if let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/") {
            return runtime + "/meshrig"
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

    /// Points `path` at `target`. A link that is there already is replaced unless a running server owns its terminal;
    /// anything but a link is refused.
    static func link(_ path: String, to target: String) throws(ServeError) {
        var info = stat()
        if lstat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFLNK else {
                throw .foreignFile(path, reason: "is in the way and no link")
            }
            unlink(path)
        }
        guard symlink(target, path) == 0 else { throw .foreignFile(path, reason: errorText(errno)) }
    }

    /// Removes the link if it still leads to `target`.
    static func unlinkIfOurs(_ path: String, target: String) {
        var buffer = [CChar](repeating: 0, count: 256)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return }
        let found = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if found == target { unlink(path) }
    }
}
