import MeshProtocol
import RadioSimulator
import RigBase
import RunRecord
import Testing

@Suite struct CompanionTests {
    @Test func `a full offline queue gives up channel messages first and direct ones never`() throws {
        let bench = try Bench(["alice", "bob"]) { $0.board = .usb }
        for number in 0..<3 {
            bench.world.sendChannelText(as: "alice", channel: 0, "channel \(number)")
            bench.run(2_000)
        }
        for number in 0..<16 {
            bench.world.sendText(as: "alice", toNode: "bob", "direct \(number)")
            bench.run(5_000)
        }
        let queue = try #require(bench.world.inspect("bob").companion?.offlineQueue)
        #expect(queue.count == 16)
        #expect(queue.allSatisfy { $0[0] == 0x07 })
        let dropped = bench.events(.queueDropped, of: "bob")
        #expect(dropped.map { $0.text("dropped") } == ["oldest-channel", "oldest-channel", "oldest-channel"])
        bench.world.sendText(as: "alice", toNode: "bob", "one too many")
        bench.run(5_000)
        #expect(bench.events(.queueDropped, of: "bob").last?.text("dropped") == "newest")
        #expect(bench.frames(of: "alice").count { $0.first == 0x82 } == 17)
    }

    @Test func `a listing takes a pass for each entry and lets commands go first`() throws {
        let bench = try Bench(
            WorldSpec(nodes: [NodeSpec(name: "alice", contacts: [ContactSpec(.generated(count: 20, prefix: "Peer"))])]))
        bench.write([0x04], to: "alice")
        bench.run(2)
        bench.write([0x05], to: "alice")
        bench.run(20)
        let output = bench.world.takeHostOutput(of: "alice")
        #expect(output.map { $0.frame[0] }.count { $0 == 0x03 } == 20)
        #expect(output.first?.frame == [0x02, 20, 0, 0, 0])
        #expect(output.last?.frame[0] == 0x04)
        let time = try #require(output.firstIndex { $0.frame[0] == 0x09 })
        #expect(output[time - 1].frame[0] == 0x03 && output[time + 1].frame[0] == 0x03)
        // Start and three entries in the first millisecond, then four a millisecond, the answer in between.
        #expect(output[1].at.milliseconds == 1 && output[3].at.milliseconds == 1 && output[4].at.milliseconds == 2)
        #expect(bench.ask([0x04, 0xFF, 0xFF, 0xFF, 0xFF], "alice", within: 20).map { $0[0] } == [0x02, 0x04])
    }

    @Test func `350 contacts are listed and a full table refuses or evicts`() throws {
        let contacts = [ContactSpec(.generated(count: 350, prefix: "Peer"))]
        let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", contacts: contacts)]))
        #expect(bench.ask([0x04], "alice", within: 200).count == 352)
        let key = [UInt8](repeating: 9, count: 32)
        let added: [UInt8] = [0x09] + key + [1, 0, 0xFF] + [UInt8](repeating: 0, count: 112)
        #expect(bench.ask(added, "alice") == [[0x01, 0x03]])
        #expect(bench.ask([0x3A, 0x01], "alice") == [[0x00]])
        let evicted = bench.ask(added, "alice")
        #expect(evicted.map { $0[0] } == [0x8F, 0x00])
        #expect(bench.world.inspect("alice").companion?.contacts.contains { $0.key.bytes == key } == true)
    }

    @Test func `what was saved survives a reboot and the rest does not`() throws {
        let bench = try Bench(["alice", "bob"])
        _ = bench.ask([0x08] + Array("Alice B".utf8), "alice")
        bench.world.sendChannelText(as: "bob", channel: 0, "waiting")
        bench.run(2_000)
        #expect(bench.ask([0x0D] + bench.world.publicKey(of: "bob").bytes, "alice").last == [0x00])
        let before = try #require(bench.world.inspect("alice").companion)
        #expect(before.offlineQueue.count == 1)
        bench.write([0x13] + Array("reboot".utf8), to: "alice")
        bench.run(10)
        let after = try #require(bench.world.inspect("alice").companion)
        #expect(after.displayName == "Alice B")
        #expect(after.offlineQueue.isEmpty)
        #expect(after.contacts.map(\.name) == ["bob"])
        #expect(bench.world.takeRestarts().map { [$0.node, $0.crash] } == [["alice", nil]])
        #expect(bench.world.inspect("alice").clock == before.contacts[0].lastModified + 1)
    }

    @Test func `a power cut loses the contact changes of the last five seconds`() throws {
        let bench = try Bench(["alice", "bob"])
        let bob = bench.world.publicKey(of: "bob").bytes
        _ = bench.ask([0x0F] + bob, "alice")
        bench.run(4_900)
        bench.world.power("alice", on: false)
        bench.world.power("alice", on: true)
        bench.run(10)
        #expect(bench.world.inspect("alice").companion?.contacts.count == 1)
        _ = bench.ask([0x0F] + bob, "alice")
        bench.run(5_100)
        bench.world.power("alice", on: false)
        #expect(!bench.world.inspect("alice").isOn)
        bench.world.power("alice", on: true)
        bench.run(10)
        #expect(bench.world.inspect("alice").companion?.contacts.isEmpty == true)
    }

    @Test func `a factory reset leaves a stranger`() throws {
        let bench = try Bench(["alice", "bob"])
        let key = bench.world.publicKey(of: "alice")
        #expect(bench.ask([0x33] + Array("reset".utf8), "alice", within: 2_000).isEmpty)
        #expect(bench.world.publicKey(of: "alice") != key)
        #expect(bench.world.inspect("alice").companion?.contacts.isEmpty == true)
        #expect(bench.ask([0x05], "alice").count == 1)
    }

    @Test func `a Wi-Fi node serves the newest client and hands it up to four old frames`() throws {
        let bench = try Bench(["alice", "bob"]) { $0.hostInterface = .wifi }
        bench.write([0x05], to: "alice")
        bench.run(5)
        #expect(bench.frames(of: "alice").isEmpty)
        bench.world.hostConnected("alice")
        bench.write([0x05], to: "alice")
        bench.run(5)
        #expect(bench.frames(of: "alice").map { $0[0] } == [0x09])
        bench.world.hostWrite([0x3C, 5, 0, 0x16], to: "alice")
        bench.run(5)
        bench.world.hostConnected("alice")
        bench.write([0x05], to: "alice")
        bench.run(5)
        #expect(bench.frames(of: "alice").map { $0[0] } == [0x09])
    }

    @Test(arguments: [HostInterfaceKind.wifi, .ethernet])
    func `of clients that come in one instant the last is served`(kind: HostInterfaceKind) throws {
        let bench = try Bench(["alice", "bob"]) { $0.hostInterface = kind }
        for _ in 0..<5 {
            bench.world.hostConnected("alice")
            bench.write([0x05], to: "alice")
            bench.world.hostDisconnected("alice")
            bench.world.hostConnected("alice")
        }
        bench.write([0x05], to: "alice")
        bench.run(5)
        #expect(bench.frames(of: "alice").map { $0[0] } == [0x09])
    }

    @Test func `an autonomous companion fetches its messages`() throws {
        let bench = try Bench(["alice", "bob"]) { $0.isAutonomous = $0.name == "bob" }
        bench.world.sendText(as: "alice", toNode: "bob", "hello")
        bench.run(5_000)
        #expect(bench.world.inspect("bob").companion?.offlineQueue.isEmpty == true)
        #expect(bench.events(.peerMessage, of: "bob").count == 1)
        #expect(bench.frames(of: "bob").allSatisfy { $0[0] >= 0x80 })
    }

    @Test func `a channel text shorter than its header crashes the node, not the world`() throws {
        let bench = try Bench(["alice", "bob"])
        #expect(bench.ask([0x03, 0, 0, 1, 2, 3], "alice").isEmpty)
        let crash = try #require(bench.events(.firmwareCrash).first)
        #expect(crash.subject == "alice")
        let why = "a channel text command of 6 bytes, shorter than its header of 7, ran over its buffer"
        #expect(crash["why"] == .text(why))
        #expect(bench.world.takeRestarts().map { [$0.node, $0.crash] } == [["alice", why]])
        #expect(bench.ask([0x05], "alice").count == 1)
    }

    @Test func `random commands of every code never trap`() throws {
        var generator = Prng(seed: 5)
        let bench = try Bench(["alice", "bob"])
        var answered = 0
        for round in 0..<12_000 {
            var frame = generator.bytes(1 + generator.index(below: 180))
            frame[0] = round < 2_560 ? UInt8(round % 256) : UInt8(generator.index(below: 70))
            if generator.chance(Ratio(1, in: 3)), frame.count > 40 {
                frame.replaceSubrange(1..<33, with: bench.world.publicKey(of: "bob").bytes)
            }
            bench.write(frame, to: "alice")
            if generator.chance(Ratio(1, in: 50)) { bench.world.hostWrite(generator.bytes(7), to: "alice") }
            if generator.chance(Ratio(1, in: 20)) {
                bench.world.inject(packet: generator.bytes(generator.index(below: 200)), to: "alice", duration: 1)
            }
            bench.run(2)
            answered += bench.frames(of: "alice").count
        }
        #expect(answered > 6_000)
        #expect(bench.world.inspect("alice").isOn)
    }
}
