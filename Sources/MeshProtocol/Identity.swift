public import RigBase
internal import RigCrypto

/// A node's key pair in MeshCore's form: the expanded 64-byte private key, without the seed (mesh-protocol §2.1).
public struct Identity: Sendable, Hashable {
    public let publicKey: PublicKey
    /// 64 bytes: clamped scalar, then nonce prefix.
    public let privateKey: Secret

    /// From a 32-byte seed, as a node draws it at first start.
    public init(seed: [UInt8]) {
        precondition(seed.count == 32, "a seed has 32 bytes")
        let expanded = Ed25519.expand(seed: seed)
        guard let key = Ed25519.publicKey(of: expanded) else { preconditionFailure("a clamped scalar is never zero") }
        publicKey = PublicKey(key)
        privateKey = Secret(expanded)
    }

    /// From an expanded key, the scalar used exactly as stored; nil for a wrong size or a zero scalar.
    public init?(privateKey bytes: [UInt8]) {
        guard bytes.count == 64, let key = Ed25519.publicKey(of: bytes) else { return nil }
        publicKey = PublicKey(key)
        privateKey = Secret(bytes)
    }

    /// The identity that belongs to a node name, the same in every run. Its first byte is neither 00 nor FF, as for
    /// keys that nodes make themselves.
    public static func named(_ name: String) -> Identity {
        var attempt: UInt8 = 0
        while true {
            let identity = Identity(
                seed: Digest.sha256(Array("node identity/".utf8) + Array(name.utf8) + [0, attempt]))
            if !isReserved(identity.publicKey) { return identity }
            attempt &+= 1
        }
    }

    /// The deterministic 64-byte Ed25519 signature.
    public func sign(_ message: [UInt8]) -> [UInt8] {
        privateKey.reveal { Ed25519.sign(message, expanded: $0, publicKey: publicKey.bytes) }
    }

    /// The secret shared with another node; callers keep it, it takes about as long as a signature. Any key has one.
    public func sharedSecret(with other: PublicKey) -> SharedSecret {
        privateKey.reveal {
            SharedSecret(KeyAgreement.secret(scalar: Array($0[..<32]), publicKey: other.bytes))
        }
    }

    /// Whether a node would import this key: the public half does not begin with 00 or FF, and key agreement with
    /// another pair gives the same non-zero secret on both sides, which an unclamped scalar does not.
    public static func isAcceptable(privateKey bytes: [UInt8]) -> Bool {
        guard let candidate = Identity(privateKey: bytes), !isReserved(candidate.publicKey) else { return false }
        let partner = Identity(seed: [UInt8](repeating: 0x5A, count: 32))
        let mine = candidate.sharedSecret(with: partner.publicKey)
        return mine == partner.sharedSecret(with: candidate.publicKey) && !mine.isZero
    }

    private static func isReserved(_ key: PublicKey) -> Bool { key.nodeHash == 0x00 || key.nodeHash == 0xFF }
}
