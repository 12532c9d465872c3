internal import CCrypto

/// AES-128 in ECB mode without padding, by libcrypto (`EVP_aes_128_ecb`).
package enum BlockCipher {
    package static let blockSize = 16

    /// Ciphertext of whole blocks under a 16-byte key.
    package static func encrypt(_ plain: [UInt8], key: [UInt8]) -> [UInt8] { run(plain, key: key, encrypting: true) }

    /// Plaintext of whole blocks under a 16-byte key.
    package static func decrypt(_ cipher: [UInt8], key: [UInt8]) -> [UInt8] { run(cipher, key: key, encrypting: false) }

    private static func run(_ input: [UInt8], key: [UInt8], encrypting: Bool) -> [UInt8] {
        precondition(key.count == 16, "an AES-128 key has 16 bytes")
        precondition(input.count.isMultiple(of: blockSize), "ECB works on whole blocks")
        guard !input.isEmpty else { return [] }
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_CipherInit_ex(context, EVP_aes_128_ecb(), nil, key, nil, encrypting ? 1 : 0) == 1 else {
            preconditionFailure("libcrypto has no AES-128")
        }
        EVP_CIPHER_CTX_set_padding(context, 0)
        var output = [UInt8](repeating: 0, count: input.count + blockSize)
        var written: Int32 = 0
        EVP_CipherUpdate(context, &output, &written, input, Int32(input.count))
        return Array(output.prefix(input.count))
    }
}
