import RigBase
import RigCrypto
import Testing

private func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

@Suite struct Ed25519Tests {
    /// RFC 8032 §7.1, test 2.
    private let seed = bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    private let publicKey = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")

    @Test func `an expanded key signs as the seed does in RFC 8032`() {
        let expanded = Ed25519.expand(seed: seed)
        #expect(Ed25519.publicKey(of: expanded) == publicKey)
        let signature = Ed25519.sign([0x72], expanded: expanded, publicKey: publicKey)
        #expect(
            Hex.encode(signature)
                == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(Ed25519.verify(signature, of: [0x72], publicKey: publicKey))
        #expect(!Ed25519.verify(signature, of: [0x73], publicKey: publicKey))
    }

    @Test func `a zero scalar has no public key`() {
        #expect(Ed25519.publicKey(of: [UInt8](repeating: 0, count: 64)) == nil)
    }

    @Test func `verification refuses wrong sizes instead of reading past them`() {
        #expect(!Ed25519.verify([1, 2, 3], of: [], publicKey: publicKey))
        #expect(!Ed25519.verify([UInt8](repeating: 1, count: 64), of: [], publicKey: [1]))
    }
}

@Suite struct KeyAgreementTests {
    @Test func `both sides of a pair agree`() throws {
        var generator = Prng(seed: 7)
        for _ in 0..<20 {
            let (left, right) = (Ed25519.expand(seed: generator.bytes(32)), Ed25519.expand(seed: generator.bytes(32)))
            let leftKey = try #require(Ed25519.publicKey(of: left))
            let rightKey = try #require(Ed25519.publicKey(of: right))
            #expect(
                KeyAgreement.secret(scalar: Array(left[..<32]), publicKey: rightKey)
                    == KeyAgreement.secret(scalar: Array(right[..<32]), publicKey: leftKey))
        }
    }

    @Test func `keys of small order give zero and any other bytes a secret`() {
        let scalar = Array(Ed25519.expand(seed: [UInt8](repeating: 3, count: 32))[..<32])
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(KeyAgreement.secret(scalar: scalar, publicKey: [1] + zero.dropFirst()) == zero)
        // y = 0 is a point of order four, u = 1.
        #expect(KeyAgreement.secret(scalar: scalar, publicKey: zero) == zero)
        // y = 2 is on no point of the curve; a node multiplies its u = −3 all the same.
        #expect(KeyAgreement.secret(scalar: scalar, publicKey: [2] + zero.dropFirst()) != zero)
        #expect(KeyAgreement.secret(scalar: scalar, publicKey: [UInt8](repeating: 0xFF, count: 32)) != zero)
    }
}

@Suite struct BlockCipherTests {
    @Test func `AES-128 gives the bytes of FIPS 197`() {
        let key = bytes("000102030405060708090a0b0c0d0e0f")
        let plain = bytes("00112233445566778899aabbccddeeff")
        let cipher = BlockCipher.encrypt(plain + plain, key: key)
        #expect(
            Hex.encode(cipher) == "69c4e0d86a7b0430d8cdb78070b4c55a69c4e0d86a7b0430d8cdb78070b4c55a")
        #expect(BlockCipher.decrypt(cipher, key: key) == plain + plain)
        #expect(BlockCipher.encrypt([], key: key).isEmpty)
    }
}
