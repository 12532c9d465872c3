/// The receive side of a radio on Wi-Fi: three bytes are always a header, and there is no way back into step
/// (companion-protocol §1.3).
public struct WifiFirmwareDecoder: Sendable, Hashable {
    private struct Header: Sendable, Hashable {
        var type: UInt8
        var length: Int
    }

    private var readable: [UInt8] = []
    private var header: Header?
    private let limit: Int

    public init(limit: Int = CompanionLimits.maxFrameSize) { self.limit = limit }

    /// Bytes that have come and were not read.
    public var unreadCount: Int { readable.count }

    public mutating func receive(_ bytes: some Sequence<UInt8>) { readable.append(contentsOf: bytes) }

    /// A newer client took the place of the old one: what the old one sent and a half-read header are forgotten.
    public mutating func clientChanged() {
        readable = []
        header = nil
    }

    /// One pass. The caller does it only when its outbound queue is empty, as the firmware does.
    ///
    /// A header with type 0 or length 0 is dropped. A body is read only when all of it is there; over 176 bytes, or with
    /// another type than `<`, it is thrown away whole.
    public mutating func nextFrame() -> [UInt8]? {
        if header == nil, readable.count >= FrameEncoder.envelopeSize {
            let read = Header(type: readable[0], length: Int(readable[1]) | Int(readable[2]) << 8)
            readable.removeFirst(FrameEncoder.envelopeSize)
            if read.type != 0, read.length != 0 { header = read }
        }
        guard let held = header, readable.count >= held.length else { return nil }
        let body = Array(readable[..<held.length])
        readable.removeFirst(held.length)
        header = nil
        guard held.length <= limit, held.type == LinkDirection.toRadio.startByte else {
            return nil
        }
        return body
    }
}
