import MeshProtocol
import RigBase
import Testing

@Suite struct ArbitraryBytesTests {
    /// Runs every parser over `bytes`; what parses as a packet must encode to the same bytes.
    private func readEverything(_ bytes: [UInt8]) {
        if let packet = try? Packet(parsingStored: bytes) {
            #expect(packet.encoded == bytes)
            exercise(packet)
        }
        if let packet = try? Packet(parsing: bytes) { exercise(packet) }
        let advert = Advert(parsing: bytes)
        _ = advert?.contents
        if let advert { #expect(advert.encoded == bytes) }
        if let contents = AdvertContents(parsing: bytes) { #expect(contents.encoded.count <= 32) }
        _ = TextMessage(opened: bytes).map { ($0.plaintext, $0.ackHash(key: Self.key)) }
        _ = TextMessage.ackExtra(opened: bytes)
        if let path = PathReturn(opened: bytes) { #expect(path.plaintext == bytes) }
        if let request = Request(opened: bytes) { #expect(request.plaintext == bytes) }
        if let response = Response(opened: bytes) { #expect(response.plaintext == bytes) }
        _ = GroupText(opened: bytes)?.plaintext
        _ = GroupData(opened: bytes)?.plaintext
        _ = AckHash(parsing: bytes)
        if let envelope = PeerEnvelope(parsing: bytes) { #expect(envelope.encoded == bytes) }
        if let envelope = AnonymousEnvelope(parsing: bytes) { #expect(envelope.encoded == bytes) }
        if let envelope = ChannelEnvelope(parsing: bytes) { #expect(envelope.encoded == bytes) }
        if let multipart = MultipartAck(parsing: bytes) { #expect(multipart.encoded == bytes) }
        if let trace = Trace(parsing: bytes) {
            #expect(trace.encoded == bytes)
            for hops in [0, 1, 63] { _ = trace.progress(afterHops: hops) }
        }
        _ = DiscoverRequest(parsing: bytes)?.encoded
        if let response = DiscoverResponse(parsing: bytes) { #expect(response.encoded == bytes) }
        _ = SharedSecret([UInt8](0..<32)).open(bytes)
        _ = ChannelSecret.unwrittenSlot.open(bytes)
        _ = Identity.isAcceptable(privateKey: bytes)
        _ = PublicKey(checking: bytes)
    }

    private static let key = Identity.named("any").publicKey

    private func exercise(_ packet: Packet) {
        _ = (packet.hash, packet.multipartAckHash, packet.hasMinimumPayload, packet.isNextHop(Self.key))
        _ = (packet.pathEntries(matching: Self.key), packet.ackBytes, packet.ackReissueDelayMillis)
        if let forwarded = packet.appendingHop(Self.key) { _ = forwarded.encoded }
        if let forwarded = packet.strippingHop() {
            #expect(forwarded.frameLength == packet.frameLength - packet.pathLength.hashSize)
            _ = (forwarded.reissuedAck()?.encoded, forwarded.reissuedAck(remaining: 1)?.encoded)
        }
        _ = packet.appendingTraceSNR(-1)?.encoded
    }

    @Test func `random bytes never trap and what parses encodes again`() {
        var generator = Prng(seed: 0x5EED)
        for _ in 0..<4_000 { readEverything(generator.bytes(generator.index(below: 270))) }
        for length in 0...40 { for _ in 0..<20 { readEverything(generator.bytes(length)) } }
    }

    @Test func `truncated and changed vectors never trap`() throws {
        var generator = Prng(seed: 2)
        for entry in try Vectors().entries("packets") {
            let raw = try entry.bytes("raw")
            for length in 0...raw.count { readEverything(Array(raw[..<length])) }
            for _ in 0..<30 {
                var changed = raw
                changed[generator.index(below: raw.count)] = generator.byte()
                readEverything(changed)
            }
            readEverything(try entry.bytes("payload"))
        }
    }

    @Test func `extreme radio settings give times without a trap`() {
        for factor in UInt8(5)...12 {
            for bandwidth: UInt32 in [7_000, 7_800, 500_000] {
                let radio = RadioParameters(
                    frequencyKHz: 150_000, bandwidthHz: bandwidth, spreadingFactor: factor, codingRate: 8)
                #expect(radio.airtimeMicros(length: 255) > radio.airtimeMicros(length: 0))
                #expect(radio.payloadWindowMillis > 0)
            }
        }
        #expect(ReceiveDelay.millis(base: .infinity, score: 0, airtimeMillis: 1) == 0)
        #expect(ReceiveDelay.millis(base: 3e38, score: -3e38, airtimeMillis: 1) == 1_000_000_000)
    }
}
