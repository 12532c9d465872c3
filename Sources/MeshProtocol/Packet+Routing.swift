extension Packet {
    /// A flood as its originator sends it: empty path of the chosen entry size, scoped when codes are given.
    public static func flood(
        _ type: PayloadType, _ payload: [UInt8], hashSize: Int = 1, codes: TransportCodes? = nil
    ) -> Packet {
        Packet(
            route: codes == nil ? .flood : .transportFlood, type: type, transportCodes: codes,
            pathLength: PathLength(hashSize: hashSize, hopCount: 0), payload: payload)
    }

    /// A packet along a known path; the path is cut or refused by no rule here, so its length byte must fit.
    public static func direct(
        _ type: PayloadType, _ payload: [UInt8], pathLength: PathLength, path: [UInt8]
    ) -> Packet {
        Packet(route: .direct, type: type, pathLength: pathLength, path: path, payload: payload)
    }

    /// A packet for direct neighbours only; with codes (0, 0) it is a contact share (mesh-protocol §4.8).
    public static func zeroHop(_ type: PayloadType, _ payload: [UInt8], codes: TransportCodes? = nil) -> Packet {
        Packet(route: codes == nil ? .direct : .transportDirect, type: type, transportCodes: codes, payload: payload)
    }

    /// The first path entry of a direct packet: who has to forward it next.
    public var nextHop: [UInt8]? {
        route.isDirect && pathLength.hopCount > 0 ? Array(path.prefix(pathLength.hashSize)) : nil
    }

    /// Whether `key` begins with the first path entry of a direct packet.
    public func isNextHop(_ key: PublicKey) -> Bool { nextHop.map { key.matches(prefix: $0) } ?? false }

    /// How many path entries equal the first bytes of `key` at this packet's entry size; for loop detection.
    public func pathEntries(matching key: PublicKey) -> Int {
        let entry = key.prefix(pathLength.hashSize)
        return stride(from: 0, to: path.count, by: pathLength.hashSize)
            .count { path[$0..<$0 + pathLength.hashSize].elementsEqual(entry) }
    }

    /// The flood with `key` appended to its path, or nil when the path is full (mesh-protocol §4.6).
    ///
    /// With one-byte entries a 64th passes the length test but does not fit the count, and the packet leaves with an
    /// empty path of two-byte entries, as the firmware sends it.
    public func appendingHop(_ key: PublicKey) -> Packet? {
        let size = pathLength.hashSize
        guard (pathLength.hopCount + 1) * size <= PathLength.maximumBytes else { return nil }
        var forwarded = self
        forwarded.pathLength = PathLength(rawValue: pathLength.rawValue + 1)
        forwarded.path = forwarded.pathLength.byteCount == 0 ? [] : path + key.prefix(size)
        return forwarded
    }

    /// The direct packet without its first path entry; nil when there is none.
    public func strippingHop() -> Packet? {
        guard pathLength.hopCount > 0, path.count >= pathLength.hashSize else { return nil }
        var forwarded = self
        forwarded.pathLength = PathLength(hashSize: pathLength.hashSize, hopCount: pathLength.hopCount - 1)
        forwarded.path = Array(path.dropFirst(pathLength.hashSize))
        return forwarded
    }

    /// A TRACE with one more SNR×4 byte; nil when 63 hops are recorded.
    public func appendingTraceSNR(_ snrQuarterDB: Int8) -> Packet? {
        guard pathLength.rawValue < 63 else { return nil }
        var forwarded = self
        forwarded.pathLength = PathLength(rawValue: pathLength.rawValue + 1)
        forwarded.path = path + [UInt8(bitPattern: snrQuarterDB)]
        return forwarded
    }

    /// The ACK bytes this packet carries, bare or inside a MULTIPART; nil for anything else or fewer than four.
    public var ackBytes: [UInt8]? {
        switch type {
        case .ack: payload.count >= 4 ? payload : nil
        case .multipart: MultipartAck(parsing: payload)?.ack
        default: nil
        }
    }

    /// An ACK as a forwarder issues it anew along the rest of this packet's path, always plain direct: bare, or
    /// inside a MULTIPART when `remaining` more follow. Nil when this packet carries no ACK.
    public func reissuedAck(remaining: Int? = nil) -> Packet? {
        guard let ack = ackBytes else { return nil }
        let payload = remaining.map { MultipartAck(remaining: $0, ack: ack).encoded } ?? ack
        guard payload.count <= Self.maximumPayload else { return nil }
        return .direct(remaining == nil ? .ack : .multipart, payload, pathLength: pathLength, path: path)
    }

    /// Milliseconds a forwarder waits before it issues this packet's ACK anew: none for a bare one, and for a
    /// MULTIPART until those that still follow have passed.
    public var ackReissueDelayMillis: Int {
        guard type == .multipart, let multipart = MultipartAck(parsing: payload) else { return 0 }
        return (multipart.remaining + 1) * 300
    }
}
