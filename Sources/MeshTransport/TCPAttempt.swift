internal import Glibc
internal import RigRuntime
internal import Synchronization

/// One try to reach a TCP peer: looks the host up and connects, on threads of its own, within a limit of real time.
final class TCPAttempt: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Int32, any Error>?
        var outcome: Result<Int32, any Error>?
        var isCancelled = false
    }

    private enum Lookup {
        case found([SocketAddress])
        case failed(String)
    }

    private let host: String
    private let port: UInt16
    private let deadline: ContinuousClock.Instant
    private let state = Mutex(State())
    private let lookup = Mutex<Lookup?>(nil)
    private let wake = WakePipe()

    init(host: String, port: UInt16, limit: Duration) {
        self.host = host
        self.port = port
        deadline = ContinuousClock.now.advanced(by: limit)
    }

    /// The connected socket, not blocking and with no delay for small writes. Throws `TransportError` or
    /// `CancellationError`, the latter also after `cancel()`.
    func connect() async throws -> Int32 {
        guard PlatformThread.start({ self.finish(self.run()) }) else {
            throw TransportError.connectFailed("no thread left")
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        wake.signal()
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func finish(_ outcome: Result<Int32, any Error>) {
        let continuation = state.withLock { state in
            state.outcome = outcome
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(with: outcome)
    }

    private func run() -> Result<Int32, any Error> {
        var reason = "no address"
        switch resolve() {
        case .failure(let error): return .failure(error)
        case .success(let addresses):
            for address in addresses {
                switch connect(to: address) {
                case .success(let socket): return .success(socket)
                case .failure(TransportError.connectFailed(let why)): reason = why
                case .failure(let error): return .failure(error)
                }
            }
        }
        return .failure(TransportError.connectFailed(reason))
    }

    /// Numeric addresses at once; names on a second thread, because the C library cannot be told to stop.
    private func resolve() -> Result<[SocketAddress], any Error> {
        if case .found(let addresses) = Self.addresses(host, port, AI_NUMERICHOST) { return .success(addresses) }
        let started = PlatformThread.start { [self] in
            let found = Self.addresses(host, port, 0)
            lookup.withLock { $0 = found }
            wake.signal()
        }
        guard started else { return .failure(TransportError.connectFailed("no thread left")) }
        while true {
            switch lookup.withLock({ $0 }) {
            case .found(let addresses): return .success(addresses)
            case .failed(let reason): return .failure(TransportError.connectFailed("\(host): \(reason)"))
            case nil: if let error = wait(for: nil) { return .failure(error) }
            }
        }
    }

    private static func addresses(_ host: String, _ port: UInt16, _ flags: Int32) -> Lookup {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &list)
        guard result == 0 else { return .failed(String(cString: gai_strerror(result))) }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next {
            found.append(SocketAddress(copying: entry.pointee))
            next = entry.pointee.ai_next
        }
        return .found(found)
    }

    private func connect(to address: SocketAddress) -> Result<Int32, any Error> {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { return .failure(TransportError.connectFailed(errorText(errno))) }
        var isKept = false
        defer { if !isKept { close(descriptor) } }
        if address.withPointer({ Glibc.connect(descriptor, $0, $1) }) != 0 {
            guard errno == EINPROGRESS else { return .failure(TransportError.connectFailed(errorText(errno))) }
            if let error = wait(for: descriptor) { return .failure(error) }
            var problem: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
            if problem != 0 { return .failure(TransportError.connectFailed(errorText(problem))) }
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        isKept = true
        return .success(descriptor)
    }

    /// Waits until the descriptor is writable, or without one for a signal; answers with why there is no use in going on.
    private func wait(for descriptor: Int32?) -> (any Error)? {
        while true {
            if isCancelled { return CancellationError() }
            let timeout = pollTimeout(until: deadline)
            if timeout == 0 { return TransportError.connectTimedOut }
            var descriptors = [
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor ?? -1, events: Int16(POLLOUT), revents: 0),
            ]
            poll(&descriptors, 2, timeout)
            if isCancelled { return CancellationError() }
            let wasSignalled = descriptors[0].revents != 0
            if wasSignalled { wake.clear() }
            if descriptor == nil ? wasSignalled : descriptors[1].revents != 0 { return nil }
        }
    }
}

/// A copy of a socket address of any family.
private struct SocketAddress: Sendable {
    let family: Int32
    private let bytes: [UInt8]

    init(copying entry: addrinfo) {
        family = entry.ai_family
        bytes = Array(UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)))
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        bytes.withUnsafeBytes { buffer in
            // The bytes came from a sockaddr and the C library aligns what it allocates; arrays are aligned as well.
            body(buffer.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(buffer.count))
        }
    }
}
