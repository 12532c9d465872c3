internal import Glibc

/// Frames on their way to one client, of which only so many may wait: a client that does not read loses whole frames.
struct OutBuffer {
    /// Bytes that may wait in front of the operating system's own buffer: more than the longest listing, so that a server
    /// that was late and has caught up at once loses nothing.
    static let limit = 65_536

    private var bytes: [UInt8] = []
    private var sent = 0
    private(set) var droppedFrames = 0

    var isEmpty: Bool { bytes.isEmpty }

    /// Takes a frame with its envelope, after passing on what waits when that makes room; false when it is lost.
    mutating func append(_ frame: [UInt8], to descriptor: Int32, isSocket: Bool) -> Bool {
        if bytes.count - sent + frame.count > Self.limit { _ = flush(to: descriptor, isSocket: isSocket) }
        guard bytes.count - sent + frame.count <= Self.limit else {
            droppedFrames += 1
            return false
        }
        bytes += frame
        return true
    }

    /// Hands over what the descriptor takes without blocking; false when it is of no more use.
    mutating func flush(to descriptor: Int32, isSocket: Bool) -> Bool {
        while sent < bytes.count {
            let (count, problem) = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count =
                    isSocket
                    ? send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    : write(descriptor, rest.baseAddress, rest.count)
                return (count, errno)
            }
            if count < 0 {
                guard problem == EAGAIN || problem == EINTR else { return false }
                // What a slow client has got must not stay for as long as it never gets everything.
                bytes.removeFirst(sent)
                sent = 0
                return true
            }
            sent += count
        }
        bytes.removeAll(keepingCapacity: true)
        sent = 0
        return true
    }

    mutating func removeAll() {
        bytes = []
        sent = 0
    }
}
