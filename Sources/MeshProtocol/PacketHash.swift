internal import RigBase
internal import RigCrypto

/// The eight bytes by which nodes recognise a packet again (mesh-protocol §1.6).
public struct PacketHash: Hashable, Sendable, CustomStringConvertible {
    /// The bytes as one number, first byte highest. A zeroed table entry has the value 0.
    public let value: UInt64

    public init(value: UInt64) { self.value = value }

    /// The hash of a payload; a TRACE also hashes its path length byte.
    public init(of type: PayloadType, payload: some Sequence<UInt8>, tracePathLength: PathLength = .empty) {
        var input = [type.rawValue]
        if type == .trace { input += [tracePathLength.rawValue, 0] }
        input += payload
        value = Digest.sha256(input)[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    public var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) } }
    public var description: String { Hex.encode(bytes) }
}
