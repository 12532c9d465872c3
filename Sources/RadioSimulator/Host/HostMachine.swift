public import RigBase
public import RunRecord

/// One frame a node has written to its host link.
public struct HostOutput: Sendable, Hashable {
    public var at: SimInstant
    /// What crosses the link: the frame in its envelope `3E`, length, body.
    public var bytes: [UInt8]
    /// The frame alone.
    public var frame: [UInt8]
    /// The journal event that led to it: the client's frame, or the received packet.
    public var cause: EventID?
    /// The interface it leaves by.
    public var interface: HostInterfaceKind
}

/// A frame on the host link, with the journal event it came from.
struct HostFrame {
    var bytes: [UInt8]
    var cause: EventID?
    var interface = HostInterfaceKind.serial
    /// It was longer than the buffer; the rest is gone.
    var isCut = false
}

/// The device's end of a host link: what the firmware's interface code does with bytes.
protocol HostMachine {
    /// Whether pushes that need a client are made at all.
    var isConnected: Bool { get }
    /// One poll of a loop pass: a frame that leaves the link's queue, or at most one command.
    mutating func poll(at now: Int64) -> (sent: HostFrame?, command: HostFrame?)
    /// A frame from the firmware; what can go out at once comes back.
    mutating func write(_ frame: HostFrame) -> HostFrame?
    /// When a listing may write more: `now` itself when the link is not busy, `.max` when only sending will tell.
    func freeFrom(_ now: Int64) -> Int64
    /// First millisecond in which `poll` has something to do.
    func nextDue(at now: Int64) -> Int64
    /// `interface` tells which one when there are two.
    mutating func arrived(_ bytes: [UInt8], over interface: HostInterfaceKind?, readable: Int64, cause: EventID?)
    /// Bytes that have arrived and are not read.
    func backlog(over interface: HostInterfaceKind?) -> Int
    mutating func connect(at millisecond: Int64)
    mutating func disconnect(at millisecond: Int64)
    /// The node restarts: bytes not yet read are lost.
    mutating func reset()
}

extension HostMachine {
    func freeFrom(_ now: Int64) -> Int64 { now }
}

/// Bytes that have arrived from the host and are not read yet.
struct HostInbox {
    private struct Chunk {
        var bytes: [UInt8]
        var offset = 0
        /// First millisecond in which it can be read.
        var readable: Int64
        var cause: EventID?
    }

    private var chunks: [Chunk] = []

    mutating func add(_ bytes: [UInt8], readable: Int64, cause: EventID?) {
        guard !bytes.isEmpty else { return }
        chunks.append(Chunk(bytes: bytes, readable: readable, cause: cause))
    }

    mutating func removeAll() { chunks = [] }

    /// Bytes that are not read yet, whether they can be or not.
    var total: Int { chunks.reduce(0) { $0 + $1.bytes.count - $1.offset } }

    /// When the first byte can be read; `.max` when there is none.
    var nextReadable: Int64 { chunks.first?.readable ?? .max }

    func count(at now: Int64) -> Int {
        chunks.reduce(0) { $0 + ($1.readable <= now ? $1.bytes.count - $1.offset : 0) }
    }

    /// First millisecond in which at least `count` bytes can be read.
    func millisecond(with count: Int) -> Int64 {
        var sum = 0
        for chunk in chunks {
            sum += chunk.bytes.count - chunk.offset
            if sum >= count { return chunk.readable }
        }
        return .max
    }

    mutating func next(at now: Int64) -> (byte: UInt8, cause: EventID?)? {
        guard let first = chunks.first, first.readable <= now else { return nil }
        let byte = first.bytes[first.offset]
        chunks[0].offset += 1
        if chunks[0].offset == first.bytes.count { chunks.removeFirst() }
        return (byte, first.cause)
    }

    /// Reads so many bytes, which must be there; the cause is that of the last one.
    mutating func take(_ count: Int, at now: Int64) -> HostFrame {
        var frame = HostFrame(bytes: [])
        frame.bytes.reserveCapacity(count)
        for _ in 0..<count {
            guard let (byte, cause) = next(at: now) else { break }
            frame.bytes.append(byte)
            frame.cause = cause
        }
        return frame
    }
}
