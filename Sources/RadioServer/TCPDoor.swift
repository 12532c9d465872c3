internal import Glibc
internal import MeshTransport

/// A listening TCP socket and the one client behind it.
final class TCPDoor {
    struct Client {
        var descriptor: Int32
        var out = OutBuffer()
        /// Address and port, for messages.
        var name: String
        var wasToldSlow = false
    }

    /// Connections that may wait to be taken. With few, those of a burst are completed late and displace a newer one.
    private static let backlog: Int32 = 512

    let listener: Int32
    let port: UInt16
    private(set) var client: Client?

    init(address: String, port: UInt16) throws(ServeError) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, String(port), &hints, &list) == 0, let entry = list?.pointee else {
            throw .badAddress(address)
        }
        defer { freeaddrinfo(list) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(entry.ai_family, kind, 0)
        guard descriptor >= 0 else { throw .cannotListen(address, port: port, reason: errorText(errno)) }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0, listen(descriptor, Self.backlog) == 0 else {
            let reason = errno == EADDRINUSE ? "the port is in use" : errorText(errno)
            close(descriptor)
            throw .cannotListen(address, port: port, reason: reason)
        }
        listener = descriptor
        self.port = port == 0 ? Self.boundPort(of: descriptor) : port
    }

    deinit {
        dropClient()
        close(listener)
    }

    /// Takes the next waiting client in place of the present one; false when nobody waits.
    func accept() -> Bool {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return false }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        dropClient()
        client = Client(descriptor: descriptor, name: Self.peerName(of: descriptor))
        return true
    }

    func dropClient() {
        if let client { close(client.descriptor) }
        client = nil
    }

    /// Bytes that are there, at most `limit`; nil when the client has left.
    func read(atMost limit: Int) -> [UInt8]? {
        guard let client, limit > 0 else { return [] }
        return readAvailable(client.descriptor, limit)
    }

    /// Queues a frame for the client and sends what goes. Without a client it is lost. The first frame a client loses by not
    /// reading is reported by `true`.
    func write(_ frame: [UInt8]) -> Bool {
        guard let descriptor = client?.descriptor else { return false }
        let isTaken = client?.out.append(frame, to: descriptor, isSocket: true) ?? true
        let isFirst = !isTaken && client?.wasToldSlow == false
        if isFirst { client?.wasToldSlow = true }
        return isFirst
    }

    /// Sends what waits; false when the client has left.
    func flush() -> Bool {
        guard let descriptor = client?.descriptor else { return true }
        return client?.out.flush(to: descriptor, isSocket: true) ?? true
    }

    private static func boundPort(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            getsockname(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &size)
            // Bytes 2 and 3 hold the port in network order, for IPv4 and IPv6 alike.
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    private static func peerName(of descriptor: Int32) -> String {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: 64)
        var port = [CChar](repeating: 0, count: 8)
        let result = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            let pointer = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            guard getpeername(descriptor, pointer, &size) == 0 else { return -1 }
            return getnameinfo(
                pointer, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV)
        }
        guard result == 0 else { return "somebody" }
        func text(_ field: [CChar]) -> String {
            String(decoding: field.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return text(host) + ":" + text(port)
    }
}

/// What can be read now without blocking, at most `limit` bytes; nil at the end of the stream or on an error.
func readAvailable(_ descriptor: Int32, _ limit: Int) -> [UInt8]? {
    var count = 0
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, used in
        count = read(descriptor, buffer.baseAddress, limit)
        problem = errno
        used = max(0, count)
    }
    if count > 0 { return bytes }
    return count < 0 && (problem == EAGAIN || problem == EINTR) ? [] : nil
}
