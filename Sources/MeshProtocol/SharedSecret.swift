internal import RigBase
internal import RigCrypto

/// The 32 bytes two nodes share, which seal every payload between them (mesh-protocol §2.3, §2.4).
public struct SharedSecret: Hashable, Sendable {
    /// Bytes of the code in front of a ciphertext.
    public static let macSize = 2

    private let secret: Secret

    /// `bytes` has 32 elements.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count == 32, "a shared secret has 32 bytes")
        secret = Secret(bytes)
    }

    public var bytes: [UInt8] { secret.reveal { $0 } }
    /// Whether every byte is zero, as for a peer key of small order.
    public var isZero: Bool { secret.reveal { $0.allSatisfy { $0 == 0 } } }

    /// MAC and ciphertext of `plain`, zero-padded to whole blocks of 16.
    public func seal(_ plain: [UInt8]) -> [UInt8] {
        secret.reveal { key in
            let padding = (16 - plain.count % 16) % 16
            let cipher = BlockCipher.encrypt(plain + [UInt8](repeating: 0, count: padding), key: Array(key[..<16]))
            return Digest.hmacSHA256(key: key, cipher)[..<Self.macSize] + cipher
        }
    }

    /// The plaintext of a sealed blob with its trailing zeros, or nil when the MAC does not fit.
    ///
    /// A ciphertext that ends within a block is read as if zeros followed; no sender makes one.
    public func open(_ blob: [UInt8]) -> [UInt8]? {
        secret.reveal { key in
            guard blob.count > Self.macSize else { return nil }
            var cipher = Array(blob[Self.macSize...])
            guard Digest.hmacSHA256(key: key, cipher).starts(with: blob[..<Self.macSize]) else { return nil }
            cipher += [UInt8](repeating: 0, count: (16 - cipher.count % 16) % 16)
            return BlockCipher.decrypt(cipher, key: Array(key[..<16]))
        }
    }
}
