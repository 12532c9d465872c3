internal import CCrypto
internal import CSodium

/// The raw X25519 secret of two Ed25519 keys (mesh-protocol §2.3).
package enum KeyAgreement {
    /// The 32 secret bytes for a stored scalar (clamped here) and any 32 bytes given as the peer's public key.
    ///
    /// A key that is no point of the curve still has a secret, as on a node; a key of small order gives 32 zero bytes.
    package static func secret(scalar: [UInt8], publicKey: [UInt8]) -> [UInt8] {
        precondition(scalar.count == 32 && publicKey.count == 32, "a key of the wrong size")
        var secret = [UInt8](repeating: 0, count: 32)
        // libsodium refuses exactly the peers whose secret is zero and leaves its output undefined then.
        guard Sodium.isReady, crypto_scalarmult_curve25519(&secret, scalar, montgomery(publicKey)) == 0 else {
            return [UInt8](repeating: 0, count: 32)
        }
        return secret
    }

    /// The Montgomery coordinate u = (1 + y) / (1 − y) of an Ed25519 public key; 0 when y is 1.
    ///
    /// `crypto_sign_ed25519_pk_to_curve25519` refuses keys outside the main subgroup, which a node accepts, so the
    /// field arithmetic is done with libcrypto's big numbers.
    private static func montgomery(_ publicKey: [UInt8]) -> [UInt8] {
        var masked = publicKey
        masked[31] &= 0x7F
        var prime = [UInt8](repeating: 0xFF, count: 32)
        prime[0] = 0xED
        prime[31] = 0x7F
        let context = BN_CTX_new()
        let modulus = BN_lebin2bn(prime, 32, nil)
        let y = BN_lebin2bn(masked, 32, nil)
        let (one, above, below, quotient) = (BN_new(), BN_new(), BN_new(), BN_new())
        defer {
            for number in [modulus, y, one, above, below, quotient] { BN_free(number) }
            BN_CTX_free(context)
        }
        BN_set_word(one, 1)
        BN_mod_add(above, one, y, modulus, context)
        BN_mod_sub(below, one, y, modulus, context)
        var bytes = [UInt8](repeating: 0, count: 32)
        guard BN_is_zero(below) == 0, BN_mod_inverse(below, below, modulus, context) != nil else { return bytes }
        BN_mod_mul(quotient, above, below, modulus, context)
        BN_bn2lebinpad(quotient, &bytes, 32)
        return bytes
    }
}
