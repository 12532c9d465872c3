internal import RunRecord

/// The TCP server of a Wi-Fi build (companion-protocol §1.3): one client, the newest; four queued frames; headers of
/// three bytes without resynchronisation; nothing is read while something waits to be sent.
struct WifiMachine: HostMachine {
    private static let queueLimit = HostInterfaceKind.wifi.facts.sendQueue ?? .max

    private enum Change {
        case client
        case gone
    }

    private(set) var isConnected = false
    private var changes: [(change: Change, from: Int64)] = []
    private var queue: [HostFrame] = []
    private var inbox = HostInbox()
    /// Bytes of a client that has not been adopted yet.
    private var newcomer = HostInbox()
    private var header: (type: UInt8, length: Int)?
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func poll(at now: Int64) -> (sent: HostFrame?, command: HostFrame?) {
        while let next = changes.first, next.from <= now {
            changes.removeFirst()
            apply(next.change)
        }
        guard isConnected else { return (nil, nil) }
        if !queue.isEmpty { return (queue.removeFirst(), nil) }
        if header == nil {
            guard inbox.count(at: now) >= 3 else { return (nil, nil) }
            let bytes = inbox.take(3, at: now).bytes
            let length = Int(bytes[1]) | Int(bytes[2]) << 8
            if bytes[0] != 0, length != 0 { header = (bytes[0], length) }
        }
        guard let (type, length) = header, inbox.count(at: now) >= length else { return (nil, nil) }
        header = nil
        let frame = inbox.take(length, at: now)
        return (nil, length > limit || type != 0x3C ? nil : frame)
    }

    private mutating func apply(_ change: Change) {
        switch change {
        case .client:
            isConnected = true
            header = nil
            inbox = newcomer
            newcomer = HostInbox()
        case .gone: isConnected = false
        }
    }

    mutating func write(_ frame: HostFrame) -> HostFrame? {
        if isConnected, queue.count < Self.queueLimit {
            queue.append(HostFrame(bytes: frame.bytes, cause: frame.cause, interface: .wifi))
        }
        return nil
    }

    func nextDue(at now: Int64) -> Int64 {
        let due = changes.first?.from ?? .max
        guard isConnected else { return due }
        if !queue.isEmpty { return now }
        return min(due, inbox.millisecond(with: header?.length ?? 3))
    }

    func backlog(over interface: HostInterfaceKind?) -> Int { inbox.total + newcomer.total }

    mutating func arrived(_ bytes: [UInt8], over interface: HostInterfaceKind?, readable: Int64, cause: EventID?) {
        if changes.contains(where: { $0.change == .client }) {
            newcomer.add(bytes, readable: readable, cause: cause)
        } else {
            inbox.add(bytes, readable: readable, cause: cause)
        }
    }

    mutating func connect(at millisecond: Int64) {
        newcomer.removeAll()
        // A client that comes before the last one was adopted takes its place: adopting both would throw away the bytes.
        changes = [(.client, millisecond + 1)]
    }

    mutating func disconnect(at millisecond: Int64) { changes.append((.gone, millisecond + 1)) }

    mutating func reset() {
        isConnected = false
        changes = []
        queue = []
        inbox.removeAll()
        newcomer.removeAll()
        header = nil
    }
}
