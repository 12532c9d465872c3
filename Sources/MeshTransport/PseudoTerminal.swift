internal import Glibc

/// A pseudo-terminal with both ends open and raw; its path stays usable, and raw, as long as this value is kept.
///
/// Calls `open(2)` on `/dev/ptmx` and the ioctls TIOCSPTLCK, TIOCGPTN and TIOCGPTPEER.
package struct PseudoTerminal: ~Copyable {
    /// Numbers the C headers only offer as macros Swift cannot import.
    private enum Request {
        static let unlock: UInt = 0x4004_5431
        static let number: UInt = 0x8004_5430
        static let openPeer: UInt = 0x5441
    }

    /// The end that plays the radio. The caller must not close it.
    package let master: Int32
    /// The end a client opens by its path; while it is held open here, the master never reads EIO between two clients.
    package private(set) var slave: Int32
    /// `/dev/pts/N`.
    package let path: String

    private init(master: Int32, slave: Int32, path: String) {
        self.master = master
        self.slave = slave
        self.path = path
    }

    package static func make() throws(TransportError) -> PseudoTerminal {
        let flags = O_RDWR | O_NOCTTY | O_CLOEXEC
        let master = open("/dev/ptmx", flags)
        guard master >= 0 else { throw .connectFailed("/dev/ptmx: " + errorText(errno)) }
        var unlocked: Int32 = 0
        var number: UInt32 = 0
        var slave: Int32 = -1
        if ioctl(master, Request.unlock, &unlocked) == 0, ioctl(master, Request.number, &number) == 0 {
            slave = ioctl(master, Request.openPeer, flags)
        }
        guard slave >= 0 else {
            let problem = errno
            close(master)
            throw .connectFailed("/dev/ptmx: " + errorText(problem))
        }
        makeRaw(master)
        makeRaw(slave)
        return PseudoTerminal(master: master, slave: slave, path: "/dev/pts/\(number)")
    }

    deinit {
        if slave >= 0 { close(slave) }
        close(master)
    }

    /// Lets go of the slave end: from then on the master tells by POLLHUP that nobody has the path open.
    package mutating func releaseSlave() {
        if slave >= 0 { close(slave) }
        slave = -1
    }

    /// Throws away what was written to the slave end and nobody has read, and makes it raw again.
    package func discardUnread() {
        let descriptor = ioctl(master, Request.openPeer, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        Self.makeRaw(descriptor)
        close(descriptor)
    }

    /// Turns off everything a terminal does to bytes: echo, line editing, signals, CR and LF translation.
    package static func makeRaw(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        cfmakeraw(&settings)
        tcsetattr(descriptor, TCSANOW, &settings)
    }
}
