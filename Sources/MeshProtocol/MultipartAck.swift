/// A MULTIPART payload with an inner ACK, the only kind nodes handle: the "multi-ack" (mesh-protocol §2.7.4).
public struct MultipartAck: Hashable, Sendable {
    /// How many more packets of the set follow, 0 … 15.
    public var remaining: Int
    /// The inner ACK payload, at least the four bytes of the hash.
    public var ack: [UInt8]

    public init(remaining: Int, ack: [UInt8]) {
        precondition((0...15).contains(remaining) && ack.count >= 4, "no such multi-ack")
        self.remaining = remaining
        self.ack = ack
    }

    /// Nil for another inner type or fewer than four inner bytes.
    public init?(parsing payload: [UInt8]) {
        guard payload.count >= 5, payload[0] & 0x0F == PayloadType.ack.rawValue else { return nil }
        remaining = Int(payload[0] >> 4)
        ack = Array(payload[1...])
    }

    public var encoded: [UInt8] { [UInt8(remaining) << 4 | PayloadType.ack.rawValue] + ack }
}
