internal import CCrypto

/// SHA-2 digests and HMAC, by libcrypto.
public enum Digest {
    /// The 32 bytes of SHA-256 (`SHA256`).
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        SHA256(bytes, bytes.count, &out)
        return out
    }

    /// The 64 bytes of SHA-512 (`SHA512`).
    public static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 64)
        SHA512(bytes, bytes.count, &out)
        return out
    }

    /// The 32 bytes of HMAC-SHA-256 (`HMAC`). Keys shorter than the 64-byte block are extended with zeros.
    public static func hmacSHA256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &out, &length)
        return out
    }
}

/// SHA-256 over bytes that come piece by piece (`EVP_DigestUpdate`).
public struct RunningSHA256: ~Copyable {
    private let context: OpaquePointer

    public init() {
        guard let made = EVP_MD_CTX_new(), EVP_DigestInit_ex(made, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256")
        }
        context = made
    }

    deinit { EVP_MD_CTX_free(context) }

    public func update(_ bytes: [UInt8]) { EVP_DigestUpdate(context, bytes, bytes.count) }

    /// The digest of all bytes so far; more may follow.
    public func digestSoFar() -> [UInt8] {
        var out = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        guard let copy = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_MD_CTX_free(copy) }
        EVP_MD_CTX_copy_ex(copy, context)
        EVP_DigestFinal_ex(copy, &out, &length)
        return out
    }
}
