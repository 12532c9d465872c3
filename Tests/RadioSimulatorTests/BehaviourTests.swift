import Glibc
import MeshProtocol
import RigBase
import RunRecord
import Testing

@testable import RadioSimulator

@Suite struct `Neighbours with a script` {
    private func world(
        seed: UInt64 = 1, _ mallory: [BehaviourSpec], _ change: (inout WorldSpec) -> Void = { _ in }
    ) throws -> World {
        var spec = WorldSpec(
            seed: seed,
            nodes: [
                NodeSpec(name: "alice", contacts: [ContactSpec(.node("bob"))]),
                NodeSpec(name: "bob", contacts: [ContactSpec(.node("alice"))]), NodeSpec(name: "mallory"),
            ],
            links: LinkSpec.both("alice", "bob") + LinkSpec.both("alice", "mallory") + LinkSpec.both("bob", "mallory"))
        spec.nodes[2].behaviours = mallory
        change(&spec)
        return try World(spec, journal: Journal())
    }

    private func sent(by node: String, in world: World) -> [RunEvent] {
        world.journal.events().filter { $0.kind == .packetSent && $0.subject == node }
    }

    @Test func `forged acknowledgements answer texts of others and confirm nothing`() throws {
        let world = try world([.forgedAck(delay: 50)]) { $0.nodes[1].isPowered = false }
        world.sendText(as: "alice", toNode: "bob", "hi")
        world.run(until: SimInstant(milliseconds: 5_000))
        let forged = sent(by: "mallory", in: world)
        #expect(forged.map { $0["type"] } == ["ack"])
        #expect(world.inspect("alice").companion?.expectedAcks.count == 1)
        let chain = world.journal.chain(to: forged[0].id).map(\.kind)
        #expect(chain.suffix(4) == [.packetReceived, .behaviour, .packetQueued, .packetSent])
    }

    @Test func `a forger leaves texts to itself alone`() throws {
        let world = try world([.forgedAck(delay: 50)]) { spec in
            spec.nodes[2].contacts = [ContactSpec(.node("alice"))]
            spec.nodes[0].contacts.append(ContactSpec(.node("mallory")))
        }
        world.sendText(as: "alice", toNode: "mallory", "hi")
        world.run(until: SimInstant(milliseconds: 5_000))
        #expect(!world.journal.events().contains { $0.kind == .behaviour })
    }

    @Test func `a replay is the same bytes, later, and at most so often`() throws {
        let world = try world([.replay(delay: 10_000, limit: 1)])
        world.sendChannelText(as: "alice", channel: 0, "hear me")
        world.run(until: SimInstant(milliseconds: 60_000))
        let (original, replayed) = (sent(by: "alice", in: world), sent(by: "mallory", in: world))
        #expect(replayed.count == 1)
        #expect(replayed.first?["bytes"] == original.first?["bytes"])
        #expect((replayed.first?.at ?? .zero) >= SimInstant(milliseconds: 10_000))
        #expect(world.inspect("bob").companion?.offlineQueue.count == 1)
    }

    @Test func `what is under way counts against the limit of a replay`() throws {
        let world = try world([.replay(delay: 10_000, limit: 2)])
        for text in ["one", "two", "three"] {
            world.sendChannelText(as: "alice", channel: 0, text)
            world.run(until: world.now.advanced(by: .seconds(2)))
        }
        world.run(until: SimInstant(milliseconds: 60_000))
        #expect(sent(by: "mallory", in: world).count == 2)
    }

    @Test func `an answer is given once for all attempts of a text, and so often at most`() throws {
        let world = try world([.autoReply(text: "here", delay: 3_000, limit: 2)]) { spec in
            spec.nodes[2].isAutonomous = true
            spec.nodes[2].contacts = [ContactSpec(.node("alice"))]
            spec.nodes[0].contacts.append(ContactSpec(.node("mallory")))
        }
        func say(_ text: String, attempt: UInt8 = 0) {
            world.sendText(
                as: "alice", toNode: "mallory", text, attempt: attempt, timestamp: 1_750_000_000 + UInt32(text.count))
            world.run(until: world.now.advanced(by: .seconds(8)))
        }
        say("a")
        say("a", attempt: 1)
        #expect(world.inspect("alice").companion?.offlineQueue.count == 1)
        say("bb")
        say("ccc")
        #expect(world.inspect("alice").companion?.offlineQueue.count == 2)
    }

    @Test func `a deed that the firmware would not take is none`() throws {
        // Mallory has no contacts.
        let world = try world([.chatter(.init(to: .node("alice"), text: "t", every: 1_000, isRandom: false, limit: 3))])
        world.run(until: SimInstant(milliseconds: 10_000))
        #expect(!world.journal.events().contains { $0.kind == .behaviour })
    }

    @Test func `a direct text is decrypted by its addressee alone, and once`() throws {
        let world = try world([]) { $0.nodes[2].contacts = [ContactSpec(.node("alice"))] }
        world.sendText(as: "alice", toNode: "bob", "hi")
        while world.inspect("bob").companion?.offlineQueue.isEmpty ?? false { world.step() }
        #expect(world.workCounts.sealedOpenings == 1)
    }

    @Test func `a flood of adverts has good signatures and keys of their own`() throws {
        let world = try world([.advertFlood(every: 2_000, limit: 5)])
        world.run(until: SimInstant(milliseconds: 60_000))
        let adverts = sent(by: "mallory", in: world).compactMap { event -> Advert? in
            guard case .bytes(let bytes)? = event["bytes"], let packet = try? Packet(parsing: bytes) else { return nil }
            return Advert(parsing: packet.payload)
        }
        #expect(adverts.count == 5)
        #expect(Set(adverts.map(\.key)).count == 5)
        #expect(world.inspect("alice").companion?.contacts.count == 6)
    }

    @Test func `chatter keeps its pace, and random chatter its mean`() throws {
        let even = try world([.chatter(.init(to: .channel(0), text: "t", every: 4_000, isRandom: false, limit: 3))])
        even.run(until: SimInstant(milliseconds: 60_000))
        #expect(
            even.journal.events().filter { $0.kind == .behaviour }.map(\.at.milliseconds) == [4_000, 8_000, 12_000])
        var random = Prng(seed: 5)
        let waits = (0..<20_000).map { _ in Double(World.exponential(1_000, &random)) }
        let mean = waits.reduce(0, +) / Double(waits.count)
        #expect(abs(mean - 1_000) < 25)
        // A waiting time without memory: e^-2 of them are longer than two means.
        #expect(abs(Double(waits.count { $0 > 2_000 }) / Double(waits.count) - exp(-2)) < 0.01)
    }

    @Test func `a seed repeats what neighbours do, and a silent one changes nothing`() throws {
        func digest(_ seed: UInt64, _ mallory: [BehaviourSpec]) throws -> String {
            let world = try world(seed: seed, mallory)
            world.sendText(as: "alice", toNode: "bob", "hi")
            world.run(until: SimInstant(milliseconds: 20_000))
            return world.journal.digest
        }
        let forger = [BehaviourSpec.forgedAck(delay: 50)]
        #expect(try digest(1, forger) == digest(1, forger))
        #expect(try digest(1, forger) != digest(2, forger))
        #expect(try digest(1, [.replay(delay: 60_000, limit: 9)]) == digest(1, []))
    }
}
