internal import Glibc
internal import MeshTransport

/// A pseudo-terminal with a stable path, at which a companion looks like a radio on a serial port.
///
/// Like a USB radio it says nothing while nobody has the port open, and keeps nothing for later. Whether somebody has, the
/// master's POLLHUP tells; inotify(7) tells when to look again.
final class TerminalDoor {
    /// The stable path.
    let path: String
    private var terminal: PseudoTerminal
    /// Readable when somebody has opened the terminal; −1 where inotify is not to be had, then `refresh` has to be called
    /// from time to time.
    let openings: Int32
    private(set) var isOpen = false
    private var out = OutBuffer()
    /// Keeps the path for this process.
    private let claim: Int32

    init(path: String) throws(ServeError) {
        let claim = try TerminalDirectory.claim(path)
        do {
            terminal = try PseudoTerminal.make()
        } catch {
            close(claim)
            throw .cannotOpenTerminal(error.description)
        }
        self.claim = claim
        terminal.releaseSlave()
        _ = fcntl(terminal.master, F_SETFL, fcntl(terminal.master, F_GETFL) | O_NONBLOCK)
        openings = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        if openings >= 0 { inotify_add_watch(openings, terminal.path, UInt32(IN_OPEN)) }
        self.path = path
        try TerminalDirectory.link(path, to: terminal.path)
    }

    deinit {
        TerminalDirectory.unlinkIfOurs(path, target: terminal.path)
        if openings >= 0 { close(openings) }
        close(claim)
    }

    /// What to poll while somebody has the terminal open.
    var descriptor: Int32 { terminal.master }
    var isWaitingToWrite: Bool { !out.isEmpty }

    /// Looks whether somebody has the terminal open now, or had and has left something to read.
    func refresh() {
        if openings >= 0 { _ = readAvailable(openings, 4_096) }
        var state = [pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)]
        poll(&state, 1, 0)
        let events = Int32(state[0].revents)
        if events & POLLHUP == 0 || events & POLLIN != 0 { isOpen = true }
    }

    /// What has arrived, at most `limit` bytes; notices when the last client has closed.
    func read(atMost limit: Int) -> [UInt8] {
        guard limit > 0 else { return [] }
        if let bytes = readAvailable(terminal.master, limit) { return bytes }
        if isOpen {
            isOpen = false
            out.removeAll()
            terminal.discardUnread()
        }
        return []
    }

    func write(_ frame: [UInt8]) {
        if isOpen { _ = out.append(frame, to: terminal.master, isSocket: false) }
    }

    func flush() {
        if isOpen { _ = out.flush(to: terminal.master, isSocket: false) }
    }
}
