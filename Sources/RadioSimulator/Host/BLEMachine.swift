internal import RunRecord

/// The Bluetooth interface of a companion (companion-protocol §1.5). One write of the client is one frame here; the
/// envelope on our link only carries it. Frames wait in short queues and are lost silently when these are full.
struct BLEMachine: HostMachine {
    private let kind: HostInterfaceKind
    private let facts: HostInterfaceFacts
    private let limit: Int
    private(set) var isConnected = false
    private var changes: [(isUp: Bool, from: Int64)] = []
    private var outgoing: [HostFrame] = []
    private var incoming: [(frame: HostFrame, from: Int64)] = []
    private var carrier = EnvelopeReader()
    private var nextNotification: Int64 = 0

    /// `kind` is one of the two Bluetooth ones.
    init(_ kind: HostInterfaceKind, limit: Int) {
        self.kind = kind
        facts = kind.facts
        self.limit = limit
    }

    mutating func poll(at now: Int64) -> (sent: HostFrame?, command: HostFrame?) {
        while let change = changes.first, change.from <= now {
            changes.removeFirst()
            isConnected = change.isUp
            outgoing = []
            if !change.isUp { incoming = [] }
        }
        guard isConnected else { return (nil, nil) }
        var sent: HostFrame?
        if !outgoing.isEmpty, now >= nextNotification {
            var next = outgoing.removeFirst()
            next.bytes = Array(next.bytes.prefix(facts.longestFrame))
            sent = next
            nextNotification = now + facts.frameInterval
        }
        guard let first = incoming.first, first.from <= now else { return (sent, nil) }
        incoming.removeFirst()
        return (sent, first.frame)
    }

    mutating func write(_ frame: HostFrame) -> HostFrame? {
        guard isConnected, outgoing.count < facts.sendQueue ?? .max else { return nil }
        outgoing.append(HostFrame(bytes: frame.bytes, cause: frame.cause, interface: kind))
        return nil
    }

    func freeFrom(_ now: Int64) -> Int64 {
        if let limit = facts.busyFrom { return outgoing.count >= limit ? .max : now }
        return max(now, nextNotification)
    }

    func nextDue(at now: Int64) -> Int64 {
        let due = changes.first?.from ?? .max
        guard isConnected else { return due }
        let notification = outgoing.isEmpty ? .max : nextNotification
        return min(due, notification, incoming.first?.from ?? .max)
    }

    mutating func arrived(_ bytes: [UInt8], over interface: HostInterfaceKind?, readable: Int64, cause: EventID?) {
        for body in carrier.read(bytes) where isConnected || changes.contains(where: \.isUp) {
            accept(HostFrame(bytes: body, cause: cause, interface: kind), from: readable)
        }
    }

    /// One write of the client.
    private mutating func accept(_ write: HostFrame, from readable: Int64) {
        if facts.mergesWrites, let last = incoming.indices.last, incoming[last].from == readable {
            incoming[last].frame.bytes += write.bytes
            incoming[last].frame.cause = write.cause
            if incoming[last].frame.bytes.count > limit { incoming.removeLast() }
        } else if write.bytes.count <= limit, incoming.count < facts.receiveQueue ?? .max {
            incoming.append((write, readable))
        }
    }

    func backlog(over interface: HostInterfaceKind?) -> Int { incoming.reduce(0) { $0 + $1.frame.bytes.count } }

    mutating func connect(at millisecond: Int64) { changes.append((true, millisecond + 1)) }
    mutating func disconnect(at millisecond: Int64) { changes.append((false, millisecond + 1)) }

    mutating func reset() { self = BLEMachine(kind, limit: limit) }
}

/// Takes the frames out of our link's envelopes (`3C`, length, body), which stand for single writes.
struct EnvelopeReader {
    private var held: [UInt8] = []

    mutating func read(_ bytes: [UInt8]) -> [[UInt8]] {
        held += bytes
        var frames: [[UInt8]] = []
        while let start = held.firstIndex(of: 0x3C) {
            held.removeFirst(start)
            guard held.count >= 3 else { break }
            let length = Int(held[1]) | Int(held[2]) << 8
            guard held.count >= 3 + length else { break }
            if length > 0 { frames.append(Array(held[3..<3 + length])) }
            held.removeFirst(3 + length)
        }
        if held.first != 0x3C { held = [] }
        return frames
    }
}
