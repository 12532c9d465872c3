import MeshProtocol
import RadioSimulator
import RigBase
import RunRecord
import Testing

/// Rules of the reference that no recording decides, each tested where it can be seen.
@Suite struct FirmwareRuleTests {
    static let alice = Identity.named("alice")
    static let bob = Identity.named("bob")
    static var secret: SharedSecret { bob.sharedSecret(with: alice.publicKey) }

    /// A packet from bob to alice, sealed with the key they share.
    private func packet(
        _ type: PayloadType, _ plain: [UInt8], route: RouteType = .flood, pathLength: PathLength = .empty,
        path: [UInt8] = []
    ) -> [UInt8] {
        let envelope = PeerEnvelope(plain, from: Self.bob.publicKey, to: Self.alice.publicKey, secret: Self.secret)
        return Packet(route: route, type: type, pathLength: pathLength, path: path, payload: envelope.encoded).encoded
    }

    private func advert(_ identity: Identity, _ appData: [UInt8], route: RouteType = .flood) -> [UInt8] {
        let advert = Advert(identity: identity, timestamp: 1_750_000_000, appData: appData)
        return Packet(route: route, type: .advert, payload: advert.encoded).encoded
    }

    private func inject(_ bytes: [UInt8], _ bench: Bench, wait: Int64 = 110) -> [[UInt8]] {
        bench.world.inject(packet: bytes, to: "alice")
        bench.run(wait)
        return bench.frames(of: "alice").filter { $0[0] != 0x88 }
    }

    private func repeating(_ name: String = "alice") throws -> Bench {
        let bench = try Bench(["alice", "bob"])
        let parameters: [UInt8] = [0x77, 0x44, 0x0D, 0, 0x24, 0xF4, 0, 0, 8, 5, 1]
        #expect(bench.ask([0x0B] + parameters, name) == [[0x00]])
        return bench
    }

    @Test func `a new identity works out its shared secrets anew`() throws {
        let bench = try Bench(["alice", "bob"])
        let text: [UInt8] = [0x02, 0, 0, 1, 0, 0, 0] + Self.bob.publicKey.prefix(6) + Array("hi".utf8)
        _ = bench.ask(text, "alice", within: 6_000)
        let other = Identity.named("carol")
        let key = other.privateKey.reveal { $0 }
        #expect(bench.ask([0x18] + key, "alice") == [[0x00]])
        _ = bench.ask(text, "alice", within: 400)
        let sent = try #require(bench.sent.last { $0.node == "alice" })
        let envelope = try #require(PeerEnvelope(parsing: try Packet(parsing: sent.bytes).payload))
        #expect(envelope.source == other.publicKey.nodeHash)
        #expect(Self.bob.sharedSecret(with: other.publicKey).open(envelope.sealed) != nil)
    }

    @Test func `an answer with tag zero is delivered when nothing is pending, any other is not`() throws {
        let bench = try Bench(["alice", "bob"])
        let answer = inject(packet(.response, [0, 0, 0, 0, 1, 0x74, 1, 0x9A]), bench)
        #expect(answer.first.map { Array($0[..<8]) } == [0x8B, 0] + Self.bob.publicKey.prefix(6))
        #expect(inject(packet(.response, [1, 0, 0, 0, 1, 0x74, 1, 0x9A]), bench).isEmpty)
    }

    @Test func `a login answer with a keep-alive opens a connection that lasts until logout`() throws {
        let bench = try Bench(["alice", "bob"])
        let key = Self.bob.publicKey.bytes
        #expect(bench.ask([0x1C] + key, "alice") == [[0x01, 0x02]])
        #expect(bench.ask([0x1A] + key, "alice").first?.first == 0x06)
        bench.run(5_000)
        let answer = inject(packet(.response, [7, 0, 0, 0, 0, 2, 1, 3, 0, 0, 0, 0, 2]), bench)
        #expect(answer == [[0x85, 1] + Self.bob.publicKey.prefix(6) + [7, 0, 0, 0, 3, 2]])
        #expect(bench.ask([0x1C] + key, "alice") == [[0x00]])
        #expect(bench.ask([0x1D] + key, "alice") == [[0x00]])
        #expect(bench.ask([0x1C] + key, "alice") == [[0x01, 0x02]])
    }

    @Test func `a path return with a reserved path size is treated as somebody else's`() throws {
        let bench = try repeating()
        #expect(inject(packet(.path, [0xC1, 0, 0, 0, 0, 0x03, 1, 2, 3, 4]), bench, wait: 3_000).isEmpty)
        #expect(bench.events(.packetForwarded, of: "alice").count == 1)
        // A good one is consumed.
        #expect(inject(packet(.path, [0x00, 0x03, 1, 2, 3, 4]), bench, wait: 3_000).first?.first == 0x81)
        #expect(bench.events(.packetForwarded, of: "alice").count == 1)
    }

    @Test func `an imported card is never repeated, a heard one is`() throws {
        let bench = try repeating()
        let carol = Identity.named("carol")
        let card = advert(carol, [0x81] + Array("carol".utf8))
        #expect(bench.ask([0x12] + card, "alice", within: 3_000).map { $0[0] } == [0x00, 0x80])
        #expect(bench.events(.packetForwarded, of: "alice").isEmpty)
        let other = advert(Identity.named("dave"), [0x81] + Array("dave".utf8))
        #expect(inject(other, bench, wait: 3_000).map { $0[0] } == [0x80])
        #expect(bench.events(.packetForwarded, of: "alice").count == 1)
    }

    @Test func `a direct card is imported like a flooded one`() throws {
        let bench = try Bench(["alice", "bob"])
        let card = advert(Identity.named("carol"), [0x81] + Array("carol".utf8), route: .direct)
        #expect(bench.ask([0x12] + card, "alice", within: 10).map { $0[0] } == [0x00, 0x80])
    }

    @Test func `an acknowledgement to pass on that was for this node leaves as junk`() throws {
        let bench = try repeating()
        let text: [UInt8] = [0x02, 0, 0, 1, 0, 0, 0] + Self.bob.publicKey.prefix(6) + Array("hi".utf8)
        bench.world.cutLink(from: "bob", to: "alice")
        let sent = try #require(bench.ask(text, "alice").first)
        bench.run(1_000)
        let ack = Packet(
            route: .direct, type: .ack, pathLength: PathLength(hashSize: 1, hopCount: 2),
            path: [Self.alice.publicKey.nodeHash, 0x77], payload: Array(sent[2..<6]))
        #expect(inject(ack.encoded, bench, wait: 3_000).map { $0[0] } == [0x82])
        let junk = try #require(bench.sent.last { $0.node == "alice" })
        #expect(junk.bytes == [0xFF, 0, 0, 0, 0, 1, 0x77] + sent[2..<6])
    }

    @Test func `the 64th entry empties the path and makes the packet first in the queue`() throws {
        let bench = try repeating()
        let full = packet(
            .request, [1, 0, 0, 0, 9], pathLength: PathLength(hashSize: 1, hopCount: 63),
            path: [UInt8](repeating: 0x55, count: 63))
        // For somebody else: bob's packet to a stranger.
        var foreign = full
        foreign[65] = 0x66
        _ = inject(foreign, bench, wait: 3_000)
        let forwarded = try #require(bench.sent.last { $0.node == "alice" })
        #expect(forwarded.bytes[..<2] == [0x01, 0x40])
    }

    @Test func `a channel datagram that would not fit a frame is dropped in silence`() throws {
        let bench = try Bench(["alice", "bob"])
        func datagram(_ length: Int) -> [UInt8] {
            let plain = [1, 0xFF, UInt8(length)] + [UInt8](repeating: 7, count: length)
            let envelope = ChannelEnvelope(plain, channel: .publicChannel)
            return Packet(route: .flood, type: .groupData, payload: envelope.encoded).encoded
        }
        #expect(inject(datagram(167), bench) == [[0x83]])
        #expect(inject(datagram(168), bench).isEmpty)
        #expect(bench.ask([0x0A], "alice").first?.count == 176)
        #expect(bench.ask([0x0A], "alice") == [[0x0A]])
    }

    @Test func `a control packet one byte too long for a frame is not shown`() throws {
        let bench = try Bench(["alice", "bob"])
        func control(_ length: Int) -> [UInt8] {
            Packet(route: .direct, type: .control, payload: [0x80] + [UInt8](repeating: 1, count: length - 1)).encoded
        }
        #expect(inject(control(172), bench).first?.count == 176)
        #expect(inject(control(173), bench).isEmpty)
        // Its bytes are in the output buffer all the same.
        #expect(bench.ask([0x1F, 1], "alice").first?[10] == 1)
    }

    @Test func `a GPS switched on by an odd value is off after a restart, whatever is saved in between`() throws {
        let bench = try Bench(["alice"]) { $0.board.hasGPS = true }
        #expect(bench.ask([0x29] + Array("gps:2".utf8), "alice") == [[0x00]])
        #expect(bench.ask([0x08] + Array("A".utf8), "alice") == [[0x00]])
        #expect(bench.ask([0x28], "alice") == [[0x15] + Array("gps:1".utf8)])
        bench.world.reboot("alice")
        #expect(bench.ask([0x28], "alice", within: 10) == [[0x15] + Array("gps:0".utf8)])
    }

    @Test func `loading the settings narrows them and forgets what stood behind the scope's name`() throws {
        let bench = try Bench(["alice"])
        func scope(_ name: String) -> [UInt8] {
            [0x3F] + Array(name.utf8) + [UInt8](repeating: 0, count: 31 - name.utf8.count)
                + [UInt8](repeating: 9, count: 16)
        }
        _ = bench.ask(scope("#test"), "alice")
        _ = bench.ask(scope("a"), "alice")
        #expect(bench.ask([0x40], "alice").first?[1..<7] == [0x61, 0, 0x65, 0x73, 0x74, 0])
        #expect(bench.ask([0x0B, 0xF2, 0x44, 0x0D, 0, 0x58, 0x1B, 0, 0, 8, 5], "alice") == [[0x00]])
        bench.world.reboot("alice")
        #expect(bench.ask([0x40], "alice", within: 10).first?[1..<7] == [0x61, 0, 0, 0, 0, 0])
        let selfInfo = try #require(bench.ask([UInt8](repeating: 1, count: 8), "alice").first)
        #expect(selfInfo[52..<56] == [0x78, 0x1E, 0, 0])
    }

    @Test func `saved contacts without a time leave the clock alone`() throws {
        let contact = ContactSpec(.generated(count: 1, prefix: "Peer"), lastModified: 0)
        let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", contacts: [contact])]))
        bench.run(10_000)
        bench.world.reboot("alice")
        bench.run(10)
        #expect(bench.world.clock(of: "alice") == 1_750_000_010)
    }

    @Test func `a room's post is kept track of over a restart even when it is an old one`() throws {
        let bench = try Bench(["alice", "bob"])
        bench.world.cutLinkBoth("alice", "bob")
        let old: [UInt8] = [0, 0, 0, 0, 2 << 2, 1, 2, 3, 4] + Array("post".utf8)
        #expect(inject(packet(.textMessage, old), bench).contains([0x83]))
        bench.run(6_000)
        bench.world.power("alice", on: false)
        bench.world.power("alice", on: true)
        bench.run(10)
        let contact = try #require(bench.world.inspect("alice").companion?.contacts.first)
        #expect(contact.lastModified >= 1_750_000_000)
    }

    @Test func `a transmission of more than eight seconds is flagged while it lasts`() throws {
        let bench = try Bench(["alice"])
        #expect(bench.ask([0x0B, 0xF2, 0x44, 0x0D, 0, 0x58, 0x1B, 0, 0, 12, 8], "alice") == [[0x00]])
        _ = bench.ask([0x07], "alice")
        bench.run(7_900)
        #expect(bench.ask([0x38, 0], "alice").first?[8] == 0)
        bench.run(200)
        #expect(bench.ask([0x38, 0], "alice").first?[8] == 4)
        #expect(bench.events(.packetSent).count == 1)
    }
}
