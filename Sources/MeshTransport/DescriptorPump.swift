internal import Glibc
internal import RigRuntime
internal import Synchronization

/// Moves bytes between one file descriptor and closures, on a thread that sleeps in `poll(2)`.
///
/// Works on sockets, ttys and pseudo-terminals alike. It owns the descriptor and closes it when it ends: by `close()`, by
/// the other end, or by an error; `onEnd` is called exactly once, after the last chunk. Limits pass in real time.
package final class DescriptorPump: Sendable {
    private struct Write {
        var bytes: [UInt8]
        var written = 0
        var deadline: ContinuousClock.Instant
        var continuation: CheckedContinuation<Result<Void, TransportError>, Never>
    }

    private struct State {
        var writes: [Write] = []
        var isClosing = false
        var hasEnded = false
    }

    private let descriptor: Int32
    private let writeLimit: Duration
    private let onChunk: @Sendable ([UInt8]) -> Void
    private let onEnd: @Sendable (LinkLoss) -> Void
    private let state = Mutex(State())
    private let wake = WakePipe()

    package init(
        owning descriptor: Int32, writeLimit: Duration, onChunk: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (LinkLoss) -> Void
    ) {
        self.descriptor = descriptor
        self.writeLimit = writeLimit
        self.onChunk = onChunk
        self.onEnd = onEnd
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Begins to pump on a thread of its own; false, with the descriptor closed, when there is none.
    package func start() -> Bool {
        let started = PlatformThread.start { self.run() }
        if !started { _ = Glibc.close(descriptor) }
        return started
    }

    /// Hands the bytes to the operating system, in the order of the calls. A write that is not taken within the limit
    /// fails; when part of it is gone already the link ends too, because the other end would take the next frame for its rest.
    package func write(_ bytes: [UInt8]) async throws(TransportError) {
        guard !bytes.isEmpty else { return }
        let result = await withCheckedContinuation { continuation in
            let write = Write(
                bytes: bytes, deadline: ContinuousClock.now.advanced(by: writeLimit), continuation: continuation)
            let isOpen = state.withLock { state in
                if state.isClosing || state.hasEnded { return false }
                state.writes.append(write)
                return true
            }
            if isOpen { wake.signal() } else { continuation.resume(returning: .failure(.notConnected)) }
        }
        try result.get()
    }

    /// Ends the pump with `.closedHere`; harmless when it has ended.
    package func close() {
        state.withLock { $0.isClosing = true }
        wake.signal()
    }

    private func run() {
        let loss = pump()
        let writes = state.withLock { state in
            state.hasEnded = true
            defer { state.writes = [] }
            return state.writes
        }
        _ = Glibc.close(descriptor)
        for write in writes { write.continuation.resume(returning: .failure(.writeFailed(loss.description))) }
        onEnd(loss)
    }

    private func pump() -> LinkLoss {
        while true {
            let (isClosing, deadline) = state.withLock { ($0.isClosing, $0.writes.first?.deadline) }
            if isClosing { return .closedHere }
            let wanted = Int16(POLLIN) | (deadline == nil ? 0 : Int16(POLLOUT))
            var descriptors = [
                pollfd(fd: descriptor, events: wanted, revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&descriptors, 2, pollTimeout(until: deadline))
            wake.clear()
            let ready = Int32(descriptors[0].revents)
            if ready & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0, let loss = readAll() { return loss }
            if ready & POLLOUT != 0, let loss = writeSome() { return loss }
            if let loss = expireWrites() { return loss }
        }
    }

    /// Reads what is there, at most 16 chunks so that writes get their turn.
    private func readAll() -> LinkLoss? {
        for _ in 0..<16 {
            var problem: Int32 = 0
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                problem = errno
                used = max(0, count)
            }
            if count == 0 { return .closedByPeer }
            if count < 0 {
                switch problem {
                case EAGAIN, EINTR: return nil
                // A tty whose other end is gone.
                case EIO: return .closedByPeer
                default: return .failed(errorText(problem))
                }
            }
            onChunk(chunk)
            if count < 4096 { return nil }
        }
        return nil
    }

    private func writeSome() -> LinkLoss? {
        while let (bytes, offset) = state.withLock({ state in state.writes.first.map { ($0.bytes, $0.written) } }) {
            let (count, problem) = Self.put(bytes, from: offset, to: descriptor)
            if count < 0 {
                if problem == EAGAIN || problem == EINTR { return nil }
                return problem == EPIPE ? .closedByPeer : .failed(errorText(problem))
            }
            let finished = state.withLock { state -> Write? in
                state.writes[0].written += count
                return state.writes[0].written == bytes.count ? state.writes.removeFirst() : nil
            }
            finished?.continuation.resume(returning: .success(()))
        }
        return nil
    }

    private func expireWrites() -> LinkLoss? {
        let now = ContinuousClock.now
        let late = state.withLock { state -> [Write] in
            let count = state.writes.firstIndex { $0.deadline > now } ?? state.writes.count
            defer { state.writes.removeFirst(count) }
            return Array(state.writes.prefix(count))
        }
        for write in late { write.continuation.resume(returning: .failure(.writeTimedOut)) }
        return late.contains { $0.written > 0 } ? .failed("a frame was cut off by a write that timed out") : nil
    }

    /// One write(2), or send(2) on a socket so that a closed peer raises no signal.
    private static func put(_ bytes: [UInt8], from offset: Int, to descriptor: Int32) -> (count: Int, problem: Int32) {
        bytes.withUnsafeBytes { buffer in
            let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
            var count = send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if count < 0, errno == ENOTSOCK { count = Glibc.write(descriptor, rest.baseAddress, rest.count) }
            return (count, errno)
        }
    }
}

extension DescriptorPump {
    /// Brings `front` up on an open descriptor and starts to pump for it; closes the descriptor when that fails.
    static func begin(
        _ descriptor: Int32, front: LinkFront, limits: LinkLimits
    ) throws(TransportError) -> DescriptorPump {
        guard let connection = front.up() else {
            _ = Glibc.close(descriptor)
            throw .connectFailed("given up")
        }
        let pump = DescriptorPump(
            owning: descriptor, writeLimit: limits.write, onChunk: { front.deliver($0, on: connection) },
            onEnd: { front.down($0, on: connection) })
        guard pump.start() else {
            front.down(.failed("no thread left"), on: connection)
            throw .connectFailed("no thread left")
        }
        return pump
    }
}
