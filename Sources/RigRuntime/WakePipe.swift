internal import Glibc
internal import RigBase

/// A self-pipe: lets one thread sleep in `poll` and any other end that sleep.
package final class WakePipe: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("no file descriptor left for a pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// What to poll for readability beside other descriptors.
    package var descriptor: Int32 { readEnd }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    package func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    package func wait(atMost limit: Duration) {
        var descriptor = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        // Rounded up, so that a wait shorter than a millisecond does not spin.
        let milliseconds = (max(.zero, limit).wholeNanoseconds + 999_999) / 1_000_000
        poll(&descriptor, 1, Int32(clamping: milliseconds))
    }

    package func clear() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &buffer, buffer.count) > 0 {}
    }
}
