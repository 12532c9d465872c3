internal import Glibc
internal import RadioSimulator

/// Keeps a file in step with what the world knows: written whole under another name, then renamed, at most twice a second.
struct StateWriter {
    private static let interval = Duration.milliseconds(500)

    private let path: String
    private var last = ""
    private(set) var due = ContinuousClock.now
    private var hasFailed = false

    init(path: String) { self.path = path }

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
        if !hasFailed { report("cannot write \(path)") }
        hasFailed = true
    }
}
