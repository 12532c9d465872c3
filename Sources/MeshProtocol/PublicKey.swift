internal import RigBase
internal import RigCrypto

/// A node's 32-byte Ed25519 public key, its address in the mesh (mesh-protocol §2.1, §2.2).
public struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    public static let size = 32

    public let bytes: [UInt8]

    /// `bytes` has 32 elements; they need not be a point of the curve.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.size, "a public key has 32 bytes")
        self.bytes = bytes
    }

    /// Nil unless there are exactly 32 bytes.
    public init?(checking bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = Array(bytes)
    }

    /// The node hash used in payloads: the first byte.
    public var nodeHash: UInt8 { bytes[0] }

    /// The first `count` bytes: a path entry, a contact prefix.
    public func prefix(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }

    /// Whether the key begins with these bytes; an empty prefix matches every key.
    public func matches(prefix: some Sequence<UInt8>) -> Bool { bytes.starts(with: prefix) }

    /// Whether `signature` over `message` was made with this key's private half.
    public func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        Ed25519.verify(signature, of: message, publicKey: bytes)
    }

    /// All bytes in hex.
    public var description: String { Hex.encode(bytes) }
}
