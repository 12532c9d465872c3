/// The receive machine of a radio on a serial or Ethernet link, byte for byte (companion-protocol §1.2).
///
/// There is no time limit, no checksum and no search for a start byte inside a body. A frame over 176 bytes is consumed
/// whole and its first 176 bytes are delivered.
public struct SerialFirmwareDecoder: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        /// Waiting for `<`; everything else is dropped.
        case idle
        /// The low byte of the length comes next.
        case gotStart
        /// The high byte of the length comes next.
        case gotLowLength(Int)
        /// Inside a body of `length` bytes, `count` of which have come.
        case body(length: Int, count: Int)
    }

    private var state = State.idle
    private var unread: [UInt8] = []
    private var position = 0
    private var stored: [UInt8] = []
    /// Longest frame; of a longer one this many bytes are delivered.
    private let limit: Int

    public init(limit: Int = CompanionLimits.maxFrameSize) { self.limit = limit }

    /// Bytes that have come and that no poll has looked at yet.
    public var unreadCount: Int { unread.count - position }

    /// True when the machine is in the middle of a frame, so that the next frame's bytes would complete it.
    public var isInsideFrame: Bool { state != .idle }

    /// Puts bytes where the next polls find them.
    public mutating func receive(_ bytes: some Sequence<UInt8>) {
        if position == unread.count {
            unread.removeAll(keepingCapacity: true)
            position = 0
        }
        unread.append(contentsOf: bytes)
    }

    /// One poll: consumes bytes until a frame is complete, at most one, and leaves the others for the next poll.
    public mutating func nextFrame() -> [UInt8]? {
        while position < unread.count {
            let byte = unread[position]
            position += 1
            if let frame = accept(byte) { return frame }
        }
        return nil
    }

    /// Takes one byte past the unread ones, for a host that keeps its own queue; gives the frame it completes.
    public mutating func accept(_ byte: UInt8) -> [UInt8]? {
        switch state {
        case .idle: if byte == LinkDirection.toRadio.startByte { state = .gotStart }
        case .gotStart: state = .gotLowLength(Int(byte))
        case .gotLowLength(let low):
            let length = low | Int(byte) << 8
            stored = []
            state = length == 0 ? .idle : .body(length: length, count: 0)
        case .body(let length, let count):
            if count < limit { stored.append(byte) }
            guard count + 1 >= length else {
                state = .body(length: length, count: count + 1)
                return nil
            }
            state = .idle
            defer { stored = [] }
            return stored
        }
        return nil
    }
}
