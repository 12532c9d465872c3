import MeshProtocol
import RigBase
import Testing

@Suite struct RoutingTests {
    private let key = Identity.named("hill").publicKey

    @Test func `the 64th one-byte entry wraps the path length as the firmware does`() throws {
        let full = Packet(
            route: .flood, type: .ack, pathLength: PathLength(hashSize: 1, hopCount: 63),
            path: [UInt8](repeating: 7, count: 63), payload: [1, 2, 3, 4])
        let wrapped = try #require(full.appendingHop(key))
        #expect(wrapped.encoded == [0x0D, 0x40, 1, 2, 3, 4])
    }

    @Test func `a full path of wider entries is not forwarded`() {
        for (size, count) in [(2, 32), (3, 21)] {
            let packet = Packet(
                route: .flood, type: .ack, pathLength: PathLength(hashSize: size, hopCount: count),
                path: [UInt8](repeating: 7, count: size * count), payload: [1, 2, 3, 4])
            #expect(packet.appendingHop(key) == nil)
        }
    }

    @Test func `an acknowledgement is issued anew as plain direct with the rest of the path`() throws {
        let codes = TransportCodes(a: 9, b: 9)
        let received = Packet(
            route: .transportDirect, type: .multipart, transportCodes: codes,
            pathLength: PathLength(hashSize: 1, hopCount: 2), path: [key.nodeHash, 0x42],
            payload: MultipartAck(remaining: 1, ack: [1, 2, 3, 4, 5, 6]).encoded)
        let stripped = try #require(received.strippingHop())
        #expect(stripped.ackReissueDelayMillis == 600)
        #expect(stripped.reissuedAck()?.encoded == [0x0E, 0x01, 0x42, 1, 2, 3, 4, 5, 6])
        #expect(stripped.reissuedAck(remaining: 2)?.encoded == [0x2A, 0x01, 0x42, 0x23, 1, 2, 3, 4, 5, 6])
        #expect(Packet.flood(.textMessage, [1, 2, 3, 4, 5]).reissuedAck() == nil)
    }

    @Test func `an acknowledgement of four zero bytes equals an unused table entry`() {
        #expect(AckHash(parsing: [0, 0, 0, 0, 9])?.value == 0)
        #expect(AckHash(parsing: [1, 0, 0]) == nil)
    }

    @Test func `an attempt above three keeps the acknowledgement of its low bits`() {
        let first = TextMessage(timestamp: 5, attempt: 1, text: [0x41])
        let fifth = TextMessage(timestamp: 5, attempt: 5, text: [0x41])
        #expect(first.plaintext != fifth.plaintext)
        #expect(first.ackHash(key: key) == fifth.ackHash(key: key))
        #expect(TextMessage.ackExtra(opened: fifth.plaintext) == 5)
        #expect(TextMessage.ackExtra(opened: first.plaintext) == nil)
    }

    @Test func `the longest text is two bytes shorter above attempt three`() {
        let text = [UInt8](repeating: 0x78, count: 159)
        #expect(TextMessage(timestamp: 1, attempt: 3, text: text + [0x78]).isSendable)
        #expect(!TextMessage(timestamp: 1, attempt: 4, text: text).isSendable)
    }

    @Test func `advert names end before broken UTF-8 and at the 32nd byte`() {
        func name(_ bytes: [UInt8]) -> [UInt8] {
            Array(AdvertContents(nodeType: .chat, name: bytes).encoded.dropFirst())
        }
        #expect(name([0x41, 0xFF, 0x42]) == [0x41])
        #expect(name([0x41, 0xC3]) == [0x41])
        #expect(name([0x41, 0xC3, 0x41]) == [0x41])
        let thirty = [UInt8](repeating: 0x61, count: 30)
        #expect(name(thirty + [0xC3, 0xA9]) == thirty)
        #expect(name(thirty + [0x62, 0x63]) == thirty + [0x62])
    }
}
