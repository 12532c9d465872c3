internal import RigBase
internal import RigCrypto

/// The two 16-bit values of a scoped packet; only the first carries meaning (mesh-protocol §1.3).
public struct TransportCodes: Hashable, Sendable {
    public var a: UInt16
    public var b: UInt16

    public init(a: UInt16, b: UInt16 = 0) {
        self.a = a
        self.b = b
    }

    /// On a transport-direct advert: a contact share.
    public static let zero = TransportCodes(a: 0, b: 0)
}

/// The 16-byte key of a region, which limits how far scoped floods go (mesh-protocol §2.6).
public struct RegionKey: Hashable, Sendable {
    private let secret: Secret

    /// `bytes` has 16 elements.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count == 16, "a region key has 16 bytes")
        secret = Secret(bytes)
    }

    /// The key of a public region: from its name with one leading `#`, which may be left out.
    public init(named name: String) {
        let full = name.hasPrefix("#") ? name : "#" + name
        self.init(Array(Digest.sha256(Array(full.utf8))[..<16]))
    }

    public var bytes: [UInt8] { secret.reveal { $0 } }

    /// Code A of a packet in this region: over payload type and payload, never 0x0000 or 0xFFFF.
    public func code(type: PayloadType, payload: [UInt8]) -> UInt16 {
        let mac = secret.reveal { Digest.hmacSHA256(key: $0, [type.rawValue] + payload) }
        let code = UInt16(mac[0]) | UInt16(mac[1]) << 8
        return switch code {
        case 0x0000: 0x0001
        case 0xFFFF: 0xFFFE
        default: code
        }
    }

    /// Both codes as a sender in this region writes them.
    public func codes(for packet: Packet) -> TransportCodes {
        TransportCodes(a: code(type: packet.type, payload: packet.payload))
    }

    /// Whether a scoped packet belongs to this region.
    public func matches(_ packet: Packet) -> Bool {
        packet.transportCodes?.a == code(type: packet.type, payload: packet.payload)
    }
}
