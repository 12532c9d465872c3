internal import RunRecord

/// The TCP server of an Ethernet build (companion-protocol §1.4): the queue and the newest-client rule of Wi-Fi, but the
/// receive machine of the serial interface, which a new client resets.
struct EthernetMachine: HostMachine {
    private static let queueLimit = HostInterfaceKind.ethernet.facts.sendQueue ?? .max

    private(set) var isConnected = false
    private var changes: [(isUp: Bool, from: Int64)] = []
    private var queue: [HostFrame] = []
    private var reader: SerialMachine
    /// Bytes of a client that has not been adopted yet.
    private var newcomer: SerialMachine
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
        reader = SerialMachine(limit: limit)
        newcomer = SerialMachine(limit: limit)
    }

    /// Clients are taken in after the mesh's part of a pass, which for us is the same as before the poll.
    mutating func poll(at now: Int64) -> (sent: HostFrame?, command: HostFrame?) {
        while let change = changes.first, change.from <= now {
            changes.removeFirst()
            isConnected = change.isUp
            guard change.isUp else { continue }
            reader = newcomer
            newcomer = SerialMachine(limit: limit)
        }
        guard isConnected else { return (nil, nil) }
        if !queue.isEmpty { return (queue.removeFirst(), nil) }
        return reader.poll(at: now)
    }

    mutating func write(_ frame: HostFrame) -> HostFrame? {
        if isConnected, queue.count < Self.queueLimit {
            queue.append(HostFrame(bytes: frame.bytes, cause: frame.cause, interface: .ethernet))
        }
        return nil
    }

    func nextDue(at now: Int64) -> Int64 {
        let due = changes.first?.from ?? .max
        guard isConnected else { return due }
        return queue.isEmpty ? min(due, reader.nextDue(at: now)) : now
    }

    mutating func arrived(_ bytes: [UInt8], over interface: HostInterfaceKind?, readable: Int64, cause: EventID?) {
        if changes.contains(where: \.isUp) {
            newcomer.arrived(bytes, over: interface, readable: readable, cause: cause)
        } else {
            reader.arrived(bytes, over: interface, readable: readable, cause: cause)
        }
    }

    func backlog(over interface: HostInterfaceKind?) -> Int {
        reader.backlog(over: interface) + newcomer.backlog(over: interface)
    }

    mutating func connect(at millisecond: Int64) {
        newcomer = SerialMachine(limit: limit)
        // A client that comes before the last one was adopted takes its place: adopting both would throw away the bytes.
        changes = [(true, millisecond + 1)]
    }

    mutating func disconnect(at millisecond: Int64) { changes.append((false, millisecond + 1)) }

    mutating func reset() { self = EthernetMachine(limit: limit) }
}
