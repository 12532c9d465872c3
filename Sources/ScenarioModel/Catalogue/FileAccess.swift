internal import Glibc

/// Why a file or folder could not be used; printed as `path: reason`.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}

/// Reads files and lists folders; the only place of this target that touches the machine (`open`, `readdir`, `realpath`).
package enum FileAccess {
    /// The bytes of a file of at most `limit` bytes.
    package static func read(_ path: String, limit: Int = YAMLFile.sizeLimit) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path, reason()) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError(path, reason()) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw FileError(path, "is a folder") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(path, reason()) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw FileError(path, "is larger than \(limit) bytes") }
        }
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    package static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    /// The path without symbolic links, or nil when it leads nowhere.
    package static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Paths of all files below `folder` relative to it, sorted by their bytes.
    ///
    /// Hidden entries are left out; a symbolic link counts when it leads to a file inside `folder`, else it is an error.
    package static func files(below folder: String) throws(FileError) -> [String] {
        guard let root = resolved(folder) else { throw FileError(folder, reason()) }
        guard isFolder(root) else { throw FileError(folder, "is not a folder") }
        var found: [String] = []
        var pending = [""]
        while let relative = pending.popLast() {
            for name in try entries(of: relative.isEmpty ? root : root + "/" + relative) where !name.hasPrefix(".") {
                let path = relative.isEmpty ? name : relative + "/" + name
                var status = stat()
                guard lstat(root + "/" + path, &status) == 0 else { throw FileError(path, reason()) }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: pending.append(path)
                case S_IFREG: found.append(path)
                case S_IFLNK:
                    guard let target = resolved(root + "/" + path) else {
                        throw FileError(folder + "/" + path, "is a symbolic link that leads nowhere")
                    }
                    guard target.hasPrefix(root + "/"), isFile(target) else {
                        throw FileError(folder + "/" + path, "is a symbolic link to something outside the folder")
                    }
                    found.append(path)
                default: continue
                }
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func entries(of folder: String) throws(FileError) -> [String] {
        guard let directory = opendir(folder) else { throw FileError(folder, reason()) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func reason() -> String {
        switch errno {
        case ENOENT: "does not exist"
        case EACCES: "may not be read"
        default: String(cString: strerror(errno))
        }
    }
}
