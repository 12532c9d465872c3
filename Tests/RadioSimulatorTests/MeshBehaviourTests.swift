import Foundation
import MeshProtocol
import RadioSimulator
import RigBase
import RunRecord
import Testing

@Suite struct MeshBehaviourTests {
    @Test func `a flooded text is acknowledged and both sides learn the path`() throws {
        let bench = try Bench.line()
        let start = bench.world.now.milliseconds
        bench.world.sendText(as: "alice", toNode: "bob", "hello")
        bench.run(20_000)
        let keys = ["r1", "r2"].map { bench.world.publicKey(of: $0).nodeHash }
        #expect(bench.world.inspect("alice").companion?.contacts.first?.path == keys)
        #expect(bench.world.inspect("bob").companion?.contacts.first?.path == keys.reversed())
        #expect(bench.sent.map(\.node) == ["alice", "r1", "r2", "bob", "r2", "r1", "alice", "r1", "r2"])
        let text = try #require(bench.events(.packetReceived, of: "bob").first)
        #expect(bench.sent[3].at == text.at.milliseconds + 200)
        let answer = try #require(
            bench.events(.packetReceived, of: "alice").first {
                $0.text("from") == "r1" && $0.at.milliseconds > bench.sent[3].at
            })
        #expect(bench.sent[6].at == answer.at.milliseconds + 500)
        let confirmed = bench.frames(of: "alice").filter { $0.first == 0x82 }
        #expect(confirmed.count == 1)
        let trip = confirmed[0][5...].reversed().reduce(0) { $0 << 8 | Int64($1) }
        #expect(trip == answer.at.milliseconds - start - 1)
        #expect(bench.world.inspect("alice").companion?.expectedAcks == [])
    }

    @Test func `with paths known text and acknowledgement go direct and cost six packets`() throws {
        let bench = try Bench.line { spec in
            if spec.name == "alice" { spec.contacts[0].route = .through(["r1", "r2"]) }
            if spec.name == "bob" { spec.contacts[0].route = .through(["r2", "r1"]) }
        }
        bench.world.sendText(as: "alice", toNode: "bob", "hello")
        bench.run(20_000)
        #expect(bench.sent.map(\.node) == ["alice", "r1", "r2", "bob", "r2", "r1"])
        #expect(bench.sent.allSatisfy { $0.bytes[0] & 3 == 2 })
        // Acknowledgements are passed on without a wait.
        let heard = bench.events(.packetReceived, of: "r2").filter { $0.text("from") == "bob" }
        #expect(bench.sent[4].at == heard[0].at.milliseconds)
        let lineages = bench.events(.packetSent).map(\.packet)
        #expect(lineages[0] == lineages[1] && lineages[1] == lineages[2])
        #expect(lineages[3] == lineages[5] && lineages[3] != lineages[0])
    }

    /// The exchange of the published transcripts, less what their pinned waits and random bytes decide.
    @Test(arguments: [
        "flood-message-path-exchange", "direct-message-ack", "direct-message-flooded-ack", "trace-there-and-back",
        "direct-message-multiack-sender-only", "direct-message-multiack-all",
    ])
    func `the published transcripts are followed`(id: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Firmware-fixtures/vectors/mesh-examples.json").standardized
        let contents = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let vectors = try #require(contents as? [String: Any])
        let transcripts = try #require(vectors["transcripts"] as? [[String: Any]])
        let events = try #require(transcripts.first { $0["id"] as? String == id }?["events"] as? [[String: Any]])
        let expected = try events.map { event in
            (try #require(event["node"] as? String), try #require(Hex.decode(event["raw"] as? String ?? "?")))
        }
        var identities: [String: Identity] = [:]
        for entry in try #require(vectors["identities"] as? [[String: Any]]) {
            let key = try #require(Hex.decode(entry["private_key_64"] as? String ?? "?"))
            identities[entry["name"] as? String ?? "?"] = Identity(privateKey: key)
        }
        let bench = try Bench.line { spec in
            spec.identity = identities[spec.name]
            spec.settings.multiAcks = id.hasSuffix("all") || (id.hasSuffix("only") && spec.name == "bob") ? 1 : 0
            guard id != "flood-message-path-exchange" else { return }
            if spec.name == "alice" { spec.contacts[0].route = .through(["r1", "r2"]) }
            if spec.name == "bob", id != "direct-message-flooded-ack" {
                spec.contacts[0].route = .through(["r2", "r1"])
            }
        }
        let first = try Packet(parsing: expected[0].1)
        if first.type == .trace {
            bench.world.command([0x24] + first.payload, as: "alice")
        } else {
            let alice = try #require(identities["alice"])
            let bob = try #require(identities["bob"])
            let secret = alice.sharedSecret(with: bob.publicKey)
            let plain = try #require(secret.open(Array(first.payload[2...])))
            let head: [UInt8] = [0x02, 0, plain[4] & 3] + plain[..<4] + bob.publicKey.prefix(6)
            bench.world.command(head + plain[5...].prefix { $0 != 0 }, as: "alice")
        }
        bench.run(30_000)
        let got = bench.sent.map { ($0.node, $0.bytes) }
        for name in ["alice", "r1", "r2", "bob"] {
            let mine = expected.filter { $0.0 == name }.map { comparable($0.1) }.sorted()
            #expect(got.filter { $0.0 == name }.map { comparable($0.1) }.sorted() == mine)
        }
    }

    /// A packet less the random bytes in it: the last one of an acknowledgement, and the sealed part of a PATH.
    private func comparable(_ raw: [UInt8]) -> String {
        guard let packet = try? Packet(parsing: raw) else { return "?" }
        switch packet.type {
        case .ack, .multipart: return Hex.encode(raw.dropLast())
        case .path: return Hex.encode(raw.prefix(raw.count - packet.payload.count + 2)) + "+\(packet.payload.count)"
        default: return Hex.encode(raw)
        }
    }

    @Test func `a flood that comes back or comes twice is processed once`() throws {
        let bench = try Bench(["alice", "bob", "carol"])
        let packet: [UInt8] = [0x0D, 0x00, 1, 2, 3, 4, 5]
        bench.world.inject(packet: packet, to: "bob")
        bench.run(200)
        bench.world.inject(packet: [0x0D, 0x01, 0x77] + packet[2...], to: "bob")
        bench.run(200)
        #expect(
            bench.events(.packetIgnored, of: "bob").map { $0.text("reason") } == ["not-for-this-node", "duplicate"])
        #expect(bench.frames(of: "bob").count { $0.first == 0x88 } == 2)
    }

    @Test func `a node that transmits hears nothing`() throws {
        let bench = try Bench(["alice", "bob"])
        bench.world.sendChannelText(as: "alice", channel: 0, "one")
        bench.world.sendChannelText(as: "bob", channel: 0, "two")
        bench.run(5_000)
        #expect(bench.sent.count == 2)
        #expect(bench.sent[0].at == bench.sent[1].at)
        #expect(bench.events(.packetMissed).map { $0.text("reason") } == ["half-duplex", "half-duplex"])
        // Each missed the other's packet because of its own.
        for missed in bench.events(.packetMissed) {
            let own = bench.events(.packetSent, of: missed.subject).first?.packet
            #expect(missed["with-packet"] == own.map { FieldValue($0) })
            #expect(missed.packet != own)
        }
        #expect(bench.events(.packetReceived).isEmpty)
    }

    @Test func `hidden nodes collide in contention and the stronger one by more than six decibels wins`() throws {
        for (snr, outcome) in [(Int8(20), 0), (Int8(48), 1)] {
            let names = ["alice", "bob", "carol"]
            let spec = WorldSpec(
                medium: .contention, nodes: names.map { NodeSpec(name: $0) },
                links: [
                    LinkSpec(from: "alice", to: "bob", snrQuarterDB: snr),
                    LinkSpec(from: "carol", to: "bob", snrQuarterDB: 20),
                ])
            let bench = try Bench(spec)
            bench.world.sendChannelText(as: "alice", channel: 0, "one")
            bench.world.sendChannelText(as: "carol", channel: 0, "two")
            bench.run(5_000)
            #expect(bench.events(.packetReceived, of: "bob").count == outcome)
            #expect(
                bench.events(.packetMissed, of: "bob").contains { $0.text("reason") == "collision" } == (outcome == 0))
        }
    }

    @Test func `a node waits while it hears another`() throws {
        let bench = try Bench(["alice", "bob"], medium: .contention)
        bench.world.sendChannelText(as: "alice", channel: 0, "one")
        bench.run(100)
        bench.world.sendChannelText(as: "bob", channel: 0, "two")
        bench.run(5_000)
        #expect(!bench.events(.channelBusy, of: "bob").isEmpty)
        #expect(bench.events(.packetReceived).map(\.subject) == ["bob", "alice"])
    }

    @Test func `a lossy link loses by its own stream, a cut one everything`() throws {
        let names = ["alice", "bob"]
        let bench = try Bench(
            WorldSpec(
                medium: .lossy, nodes: names.map { NodeSpec(name: $0) },
                links: LinkSpec.both("alice", "bob", loss: Ratio(1, in: 2))))
        for number in 0..<40 {
            bench.world.sendChannelText(as: "alice", channel: 0, "number \(number)")
            bench.run(2_000)
        }
        let received = bench.events(.packetReceived, of: "bob").count
        #expect((10...30).contains(received))
        #expect(bench.events(.packetMissed, of: "bob").count == 40 - received)
        bench.world.cutLinkBoth("alice", "bob")
        bench.world.sendChannelText(as: "alice", channel: 0, "nobody hears")
        bench.run(2_000)
        #expect(bench.events(.packetReceived, of: "bob").count == received)
    }

    @Test func `nodes tuned to something else hear nothing`() throws {
        let bench = try Bench(["alice", "bob"]) { spec in
            if spec.name == "bob" { spec.radio = RadioParameters.preset(named: "usa-canada") }
        }
        bench.world.sendChannelText(as: "alice", channel: 0, "one")
        bench.run(2_000)
        #expect(bench.events(.packetMissed, of: "bob").map { $0.text("reason") } == ["other-settings"])
    }

    @Test func `a quiet hour costs only its events`() throws {
        let bench = try Bench(["alice", "bob"])
        bench.run(10)
        #expect(bench.world.nextEvent == nil)
        let repeaters = try Bench(WorldSpec(nodes: [NodeSpec(name: "hill", role: .repeater)]))
        var steps = 0
        while let next = repeaters.world.nextEvent, next <= SimInstant(milliseconds: 3_600_000) {
            repeaters.world.step()
            steps += 1
        }
        // One advert every two minutes: its timer, its transmission, the end of it.
        #expect(repeaters.sent.count == 30)
        #expect(steps < 100)
    }

    @Test func `the same spec gives the same journal, another seed another one`() throws {
        func digest(_ seed: UInt64) throws -> String {
            let bench = try Bench(["alice", "bob", "carol"], medium: .contention, seed: seed)
            for name in ["alice", "bob", "carol"] {
                bench.world.sendText(as: name, toNode: name == "bob" ? "carol" : "bob", "hello from \(name)")
                bench.run(700)
            }
            bench.run(30_000)
            return bench.journal.digest
        }
        #expect(try digest(7) == digest(7))
        #expect(try digest(7) != digest(8))
    }

    @Test func `events are joined by their causes from the command to the confirmation`() throws {
        let bench = try Bench(["alice", "bob"])
        let cause = bench.journal.post(.note, "test", at: .zero)
        bench.world.sendText(as: "alice", toNode: "bob", "hello", cause: cause)
        bench.run(5_000)
        let message = try #require(bench.events(.messageQueued, of: "bob").first)
        #expect(
            bench.journal.chain(to: message.id).map(\.kind) == [
                .note, .packetQueued, .packetSent, .packetReceived, .messageQueued,
            ])
        let ack = try #require(bench.events(.packetSent, of: "bob").first)
        #expect(bench.journal.chain(to: ack.id).first?.id == cause)
        #expect(ack.packet != message.packet)
    }
}
