internal import CSodium

/// Ed25519 with an expanded 64-byte private key: a clamped scalar and a nonce prefix, as mesh nodes store it.
///
/// libsodium's own signing wants the seed, which a node no longer has, so a signature is composed from the library's
/// scalar and point operations (mesh-protocol §2.1).
package enum Ed25519 {
    /// The expanded key of a 32-byte seed: SHA-512 with the first half clamped.
    package static func expand(seed: [UInt8]) -> [UInt8] {
        var key = Digest.sha512(seed)
        key[0] &= 0xF8
        key[31] &= 0x3F
        key[31] |= 0x40
        return key
    }

    /// The public key `a·B` for an expanded key, with the scalar used as stored; nil when the scalar is zero
    /// (`crypto_scalarmult_ed25519_base_noclamp`).
    package static func publicKey(of expanded: [UInt8]) -> [UInt8]? {
        precondition(expanded.count == 64, "an expanded key has 64 bytes")
        return multiplyBase(by: Array(expanded[..<32]))
    }

    /// The deterministic 64-byte signature R ‖ s.
    package static func sign(_ message: [UInt8], expanded: [UInt8], publicKey: [UInt8]) -> [UInt8] {
        precondition(expanded.count == 64 && publicKey.count == 32, "a key of the wrong size")
        let nonce = reduce(Digest.sha512(expanded[32...] + message))
        // A nonce of zero cannot happen short of a broken hash; the neutral point is what arithmetic would give.
        let commitment = multiplyBase(by: nonce) ?? [1] + [UInt8](repeating: 0, count: 31)
        let challenge = reduce(Digest.sha512(commitment + publicKey + message))
        var product = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_mul(&product, challenge, Array(expanded[..<32]))
        var response = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_add(&response, product, nonce)
        return commitment + response
    }

    /// Whether `signature` is this key's signature of `message` (`crypto_sign_verify_detached`).
    package static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard Sodium.isReady, signature.count == 64, publicKey.count == 32 else { return false }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    private static func multiplyBase(by scalar: [UInt8]) -> [UInt8]? {
        guard Sodium.isReady else { return nil }
        var point = [UInt8](repeating: 0, count: 32)
        return crypto_scalarmult_ed25519_base_noclamp(&point, scalar) == 0 ? point : nil
    }

    /// A 64-byte number modulo the group order.
    private static func reduce(_ wide: [UInt8]) -> [UInt8] {
        var scalar = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_reduce(&scalar, wide)
        return scalar
    }
}
