internal import Glibc
internal import Synchronization

/// A place to write text to: standard output, standard error or a report file.
///
/// The first error of writing is kept and nothing more is written; nobody is killed by a closed pipe. Safe to use from any
/// thread.
final class Output: Sendable {
    private let descriptor: Int32
    /// What the place is called in an error.
    private let name: String
    private let state = Mutex<String?>(nil)

    static let standard = Output(descriptor: 1, name: "standard output")
    static let errors = Output(descriptor: 2, name: "standard error")

    private init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// A file, made or emptied.
    init(creating path: String) throws(UsageError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        name = path
        if descriptor < 0 { throw UsageError("\(path): \(String(cString: strerror(errno)))") }
    }

    /// A file that is written on at its end, made when it is not there.
    init(appendingTo path: String) throws(UsageError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        name = path
        if descriptor < 0 { throw UsageError("\(path): \(String(cString: strerror(errno)))") }
    }

    /// Why not everything was written; nil when it was.
    var failure: String? { state.withLock { $0 } }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Characters in a line of the terminal; 80 when nobody knows.
    var columns: Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    func write(_ text: String) {
        state.withLock { failure in
            guard failure == nil else { return }
            var text = text
            failure = text.withUTF8 { Self.writeAll($0, descriptor) }.map { "\(name): \($0)" }
        }
    }

    func write(_ bytes: [UInt8]) {
        state.withLock { failure in
            guard failure == nil else { return }
            failure = bytes.withUnsafeBufferPointer { Self.writeAll($0, descriptor) }.map { "\(name): \($0)" }
        }
    }

    /// Ends a file; what the disk says only now counts as a failure too.
    func finish() {
        state.withLock { failure in
            if close(descriptor) != 0, failure == nil { failure = "\(name): \(String(cString: strerror(errno)))" }
        }
    }

    private static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, _ descriptor: Int32) -> String? {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if count > 0 {
                done += count
            } else if count < 0, errno == EAGAIN {
                // A terminal or pipe that someone made non-blocking.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if count < 0, errno != EINTR {
                return errno == EPIPE ? "was closed by its reader" : String(cString: strerror(errno))
            }
        }
        return nil
    }
}

/// The process itself: signals, standard descriptors, the wall clock, paths.
enum Host {
    /// Makes writing to a closed pipe or beyond a limit of file size an error instead of a death, and keeps a report file from becoming standard output
    /// when the program was started with that closed.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // Open for reading only, so that writing to it still fails.
            let opened = open("/dev/null", O_RDONLY)
            if opened >= 0, opened != descriptor { dup2(opened, descriptor) }
        }
    }

    /// What a variable of the environment says; nil when it is not set or empty.
    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    static var workingFolder: String? {
        guard let pointer = getcwd(nil, 0) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Where this program lies.
    static var executable: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Present time as `2026-11-30T18:00:00Z`.
    static var timestamp: String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let length = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static var monotonicNanoseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    static func wantsColour(_ output: Output) -> Bool {
        output.isTerminal && getenv("NO_COLOR") == nil && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    }
}
