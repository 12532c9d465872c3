internal import RunRecord

/// The serial receive machine, byte by byte (companion-protocol §1.2). Writes go out at once; it is always connected.
struct SerialMachine: HostMachine {
    private enum State { case idle, gotStart, gotLow, body }

    private var state = State.idle
    private var length = 0
    private var count = 0
    private var body: [UInt8] = []
    private var inbox = HostInbox()
    /// Bytes of a frame that are kept; the rest of a longer one is consumed.
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var isConnected: Bool { true }

    mutating func poll(at now: Int64) -> (sent: HostFrame?, command: HostFrame?) {
        while let (byte, cause) = inbox.next(at: now) {
            if accept(byte) { return (nil, HostFrame(bytes: body, cause: cause, isCut: length > limit)) }
        }
        return (nil, nil)
    }

    /// Takes one byte; true when it completes a frame.
    private mutating func accept(_ byte: UInt8) -> Bool {
        switch state {
        case .idle:
            if byte == 0x3C { state = .gotStart }
        case .gotStart:
            length = Int(byte)
            state = .gotLow
        case .gotLow:
            length += Int(byte) << 8
            count = 0
            body = []
            state = length == 0 ? .idle : .body
        case .body:
            if count < limit { body.append(byte) }
            count += 1
            guard count >= length else { return false }
            state = .idle
            return true
        }
        return false
    }

    mutating func write(_ frame: HostFrame) -> HostFrame? { frame }

    func nextDue(at now: Int64) -> Int64 { inbox.nextReadable }

    mutating func arrived(_ bytes: [UInt8], over interface: HostInterfaceKind?, readable: Int64, cause: EventID?) {
        inbox.add(bytes, readable: readable, cause: cause)
    }

    func backlog(over interface: HostInterfaceKind?) -> Int { inbox.total }

    mutating func connect(at millisecond: Int64) {}
    mutating func disconnect(at millisecond: Int64) {}

    mutating func reset() {
        state = .idle
        inbox.removeAll()
    }
}
