import MeshProtocol
import RigBase
import Testing

@Suite struct PacketKeysTests {
    private let alice = Identity.named("alice")
    private let bob = Identity.named("bob")

    private func values(_ packet: Packet, _ keys: PacketKeys) -> [String: String] {
        Dictionary(
            PacketDescription.fields(of: packet.encoded, keys: keys).map { ($0.name, $0.value) },
            uniquingKeysWith: { $1 })
    }

    private func sealed(_ type: PayloadType, _ plain: [UInt8]) -> Packet {
        let secret = alice.sharedSecret(with: bob.publicKey)
        return .flood(type, PeerEnvelope(plain, from: alice.publicKey, to: bob.publicKey, secret: secret).encoded)
    }

    @Test func `one private key and the other public one open a text from either side`() {
        let packet = sealed(.textMessage, TextMessage(timestamp: 9, attempt: 2, text: Array("hi bob".utf8)).plaintext)
        var sender = PacketKeys()
        sender.add("alice", alice)
        sender.add("bob", bob.publicKey)
        var recipient = PacketKeys()
        recipient.add("bob", bob)
        recipient.add("alice", alice.publicKey)
        for keys in [sender, recipient] {
            let fields = values(packet, keys)
            #expect(fields["opened"] == "from alice to bob")
            #expect(fields["text"] == "hi bob")
            #expect(fields["attempt"] == "2")
        }
        var strangers = PacketKeys()
        strangers.add("alice", alice.publicKey)
        strangers.add("bob", bob.publicKey)
        #expect(values(packet, strangers)["opened"] == nil)
    }

    @Test func `a returned path shows its hops and the acknowledgement in it`() {
        let path = PathReturn(
            pathLength: PathLength(hashSize: 2, hopCount: 2), path: [1, 2, 3, 4], carrying: .ack, [9, 8, 7, 6])
        var keys = PacketKeys()
        keys.add("bob", bob)
        keys.add("alice", alice)
        let fields = values(sealed(.path, path.plaintext), keys)
        #expect(fields["returned-path"] == "[0102 0304]")
        #expect(fields["carries-ack"] == "09080706")
    }

    @Test func `a channel opens with its secret and not with another`() {
        let text = GroupText(timestamp: 5, senderName: Array("ann".utf8), text: Array("hello".utf8))
        let envelope = ChannelEnvelope(text.plaintext, channel: .hashtag("#test"))
        let packet = Packet.flood(.groupText, envelope.encoded)
        var keys = PacketKeys()
        keys.add(channel: "public", .publicChannel)
        #expect(values(packet, keys)["opened"] == nil)
        keys.add(channel: "#test", .hashtag("#test"))
        #expect(values(packet, keys)["opened"] == "on #test")
        #expect(values(packet, keys)["text"] == "ann: hello")
    }

    @Test func `passwords stay hidden`() {
        let secret = alice.sharedSecret(with: bob.publicKey)
        let login = AnonymousEnvelope(
            [1, 0, 0, 0] + Array("sesame".utf8), from: alice.publicKey, to: bob.publicKey, secret: secret)
        var keys = PacketKeys()
        keys.add("bob", bob)
        let packets = [
            Packet.flood(.anonymousRequest, login.encoded),
            sealed(
                .textMessage,
                TextMessage(timestamp: 1, type: .commandLine, text: Array("set guest.password sesame".utf8)).plaintext),
        ]
        keys.add("alice", alice.publicKey)
        for packet in packets {
            let text = PacketDescription.fields(of: packet.encoded, keys: keys).map(\.value).joined(separator: " ")
            #expect(text.contains("not shown"))
            #expect(!text.contains("sesame") && !text.contains(Hex.encode(Array("sesame".utf8))))
        }
    }
}
