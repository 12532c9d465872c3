import MeshProtocol
import RigBase
import Testing

@Suite struct CryptoVectorTests {
    private let vectors: Vectors

    init() throws { vectors = try Vectors() }

    @Test func `seeds give the recorded key pairs`() throws {
        for entry in try vectors.entries("identities") {
            let identity = Identity(seed: try entry.bytes("seed"))
            let key = try entry.bytes("private_key_64")
            #expect(identity.publicKey.bytes == (try entry.bytes("public_key")))
            #expect(identity.privateKey == Secret(key))
            #expect(Identity(privateKey: key)?.publicKey == identity.publicKey)
            #expect(identity.publicKey.prefix(3) == (try entry.bytes("node_hash_3")))
            #expect(Identity.isAcceptable(privateKey: key) == (try entry.flag("usable")))
        }
    }

    @Test func `an unclamped scalar and a wrong size are not imported`() throws {
        var key = try vectors.entries("identities")[0].bytes("private_key_64")
        key[0] |= 1
        #expect(Identity(privateKey: key) != nil)
        #expect(!Identity.isAcceptable(privateKey: key))
        #expect(!Identity.isAcceptable(privateKey: Array(key.dropLast())))
        #expect(!Identity.isAcceptable(privateKey: [UInt8](repeating: 0, count: 64)))
    }

    @Test func `pairs share the recorded secrets in both directions`() throws {
        for entry in try vectors.entries("shared_secrets") {
            let (left, right) = (
                try vectors.identity(entry.text("a")), try vectors.identity(entry.text("b"))
            )
            let secret = try entry.bytes("secret")
            #expect(left.sharedSecret(with: right.publicKey).bytes == secret)
            #expect(right.sharedSecret(with: left.publicKey).bytes == secret)
        }
    }

    @Test func `signatures are the recorded ones and verify`() throws {
        for entry in try vectors.entries("signatures") {
            let signer = try vectors.identity(entry.text("signer"))
            let (message, signature) = (try entry.bytes("message"), try entry.bytes("signature"))
            #expect(signer.sign(message) == signature)
            #expect(signer.publicKey.verify(signature, of: message))
            #expect(!signer.publicKey.verify(signature, of: message + [0]))
        }
    }

    @Test func `channel keys have the recorded hashes`() throws {
        for entry in try vectors.entries("channels") {
            let key = try entry.bytes("key")
            let channel = key.count == 16 ? ChannelSecret(key16: key) : ChannelSecret(secret32: key)
            #expect(channel.secret32 == (try entry.bytes("secret_32")))
            #expect([channel.hash] == (try entry.bytes("hash")))
        }
        #expect(ChannelSecret.publicChannel == (try vectors.channel("Public")))
        #expect(ChannelSecret.hashtag("#test") == (try vectors.channel("#test")))
        #expect(ChannelSecret.unwrittenSlot.hash == 0)
        #expect(ChannelSecret(key16: [UInt8](repeating: 0, count: 16)).hash == 0x37)
    }

    @Test func `regions give the recorded keys and transport codes`() throws {
        for entry in try vectors.entries("regions") {
            #expect(RegionKey(named: try entry.text("region")).bytes == (try entry.bytes("key")))
        }
        for entry in try vectors.entries("transport_codes") {
            let region = RegionKey(named: try entry.text("region"))
            let type: PayloadType
            let payload: [UInt8]
            if entry.has("payload") {
                type = PayloadType(rawValue: UInt8(try entry.number("payload_type")))
                payload = try entry.bytes("payload")
            } else {
                let packet = try Packet(parsing: vectors.packet(entry.text("packet")).bytes("raw"))
                (type, payload) = (packet.type, packet.payload)
            }
            #expect(region.code(type: type, payload: payload) == UInt16(try entry.number("code")))
            let scoped = Packet.flood(type, payload, codes: region.codes(for: .flood(type, payload)))
            #expect(region.matches(scoped))
            #expect(!RegionKey(named: "elsewhere").matches(scoped))
        }
    }

    @Test func `an advert with a flipped signature bit is not authentic`() throws {
        let forged = try Packet(parsing: vectors.object("advert_forged").bytes("raw"))
        let advert = try #require(Advert(parsing: forged.payload))
        #expect(!advert.isAuthentic)
        #expect(advert.key == (try vectors.identity("alice").publicKey))
    }

    @Test func `an identity belongs to its name`() {
        let alice = Identity.named("alice")
        #expect(alice == Identity.named("alice"))
        #expect(alice != Identity.named("bob"))
        #expect(Identity.isAcceptable(privateKey: alice.privateKey.reveal { $0 }))
        for index in 0..<300 {
            let hash = Identity.named("node \(index)").publicKey.nodeHash
            #expect(hash != 0 && hash != 0xFF)
        }
    }

    @Test func `sealing refuses a changed byte and keeps the padding`() {
        let secret = SharedSecret([UInt8](1...32))
        let sealed = secret.seal([1, 2, 3])
        #expect(sealed.count == 18)
        #expect(secret.open(sealed) == [1, 2, 3] + [UInt8](repeating: 0, count: 13))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(secret.open(changed) == nil)
        }
        #expect(secret.open([1, 2]) == nil)
    }
}
