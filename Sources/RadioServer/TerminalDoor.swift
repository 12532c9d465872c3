internal import Glibc
internal import MeshTransport

/// A pseudo-terminal with a stable path, at which a companion looks like a radio on a serial port.
///
/// Like a USB radio it does not keep what nobody reads: whoever opens the path starts with an empty line.
final class TerminalDoor {
    /// The stable path.
    let path: String
    private let terminal: PseudoTerminal
    /// Tells when somebody opens the terminal, with inotify(7); −1 where that is not to be had.
    let openings: Int32
    private var out = OutBuffer()

    init(path: String) throws(ServeError) {
        do {
            terminal = try PseudoTerminal.make()
        } catch {
            throw .cannotOpenTerminal(error.description)
        }
        for end in [terminal.master, terminal.slave] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        openings = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        if openings >= 0 { inotify_add_watch(openings, terminal.path, UInt32(IN_OPEN)) }
        self.path = path
        try TerminalDirectory.link(path, to: terminal.path)
    }

    deinit {
        TerminalDirectory.unlinkIfOurs(path, target: terminal.path)
        if openings >= 0 { close(openings) }
    }

    var descriptor: Int32 { terminal.master }
    var isWaitingToWrite: Bool { !out.isEmpty }

    /// Somebody has opened the terminal: forgets what was written before, and undoes a line mode somebody else left.
    func opened() {
        _ = readAvailable(openings, 4_096)
        out.removeAll()
        while let stale = readAvailable(terminal.slave, 4_096), !stale.isEmpty {}
    }

    func read(atMost limit: Int) -> [UInt8] {
        guard limit > 0 else { return [] }
        return readAvailable(terminal.master, limit) ?? []
    }

    func write(_ frame: [UInt8]) { out.append(frame) }
    func flush() { _ = out.flush(to: terminal.master, isSocket: false) }
}
