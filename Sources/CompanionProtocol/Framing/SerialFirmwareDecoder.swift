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
        case body(length: Int, count: Int, stored: [UInt8])
    }

    private var state = State.idle
    private var unread: [UInt8] = []
    private var position = 0

    public init() {}

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
            switch state {
            case .idle: if byte == LinkDirection.toRadio.startByte { state = .gotStart }
            case .gotStart: state = .gotLowLength(Int(byte))
            case .gotLowLength(let low):
                let length = low | Int(byte) << 8
                state = length == 0 ? .idle : .body(length: length, count: 0, stored: [])
            case .body(let length, let count, var stored):
                if count < CompanionLimits.maxFrameSize { stored.append(byte) }
                guard count + 1 >= length else {
                    state = .body(length: length, count: count + 1, stored: stored)
                    continue
                }
                state = .idle
                return stored
            }
        }
        return nil
    }
}
