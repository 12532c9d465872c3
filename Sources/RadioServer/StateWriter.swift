internal import Glibc
internal import MeshTransport
internal import RadioSimulator

/// Keeps a file in step with what the world knows: written whole under another name, then renamed, at most twice a second.
struct StateWriter {
    private static let interval = Duration.milliseconds(500)

    private let path: String
    private var last = ""
    private(set) var due = ContinuousClock.now
    private var hasFailed = false

    /// Refuses at once what could never be replaced by a file: a device, a folder, a place where none can be made.
    init(path: String) throws(ServeError) {
        var info = stat()
        if stat(path, &info) == 0 {
            guard info.st_mode & S_IFMT == S_IFREG else { throw .foreignFile(path, reason: "is no file") }
            guard let pointer = realpath(path, nil) else { throw .foreignFile(path, reason: errorText(errno)) }
            // The file itself is replaced, not a link to it.
            self.path = String(cString: pointer)
            free(pointer)
        } else {
            self.path = path
        }
        let unfinished = self.path + ".new"
        guard writeFile([], to: unfinished) else { throw .foreignFile(path, reason: errorText(errno)) }
        unlink(unfinished)
    }

    mutating func writeIfDue(_ world: World, _ doors: [ServedCompanion], _ report: (String) -> Void) {
        if ContinuousClock.now >= due { write(world, doors, report) }
    }

    mutating func write(_ world: World, _ doors: [ServedCompanion], _ report: (String) -> Void) {
        due = ContinuousClock.now.advanced(by: Self.interval)
        let text = WorldState.json(of: world, doors: doors)
        guard text != last else { return }
        last = text
        let unfinished = path + ".new"
        if writeFile(Array(text.utf8), to: unfinished), rename(unfinished, path) == 0 { return }
        if !hasFailed { report("cannot write \(path): \(errorText(errno))") }
        hasFailed = true
    }
}
