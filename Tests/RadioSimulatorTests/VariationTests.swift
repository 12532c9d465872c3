import MeshProtocol
import RadioSimulator
import RigBase
import RunRecord
import Testing

/// What a world may vary: clocks, links, releases and faults of the firmware.
@Suite struct VariationTests {
    @Test func `a clock drifts by parts per million and stands ahead by its offset`() throws {
        var node = NodeSpec(name: "alice", clockOffset: 100)
        node.clockDrift = 1_000
        let bench = try Bench(WorldSpec(nodes: [node]))
        bench.run(3_600_000)
        #expect(bench.world.clock(of: "alice") == 1_750_000_000 + 100 + 3_603)
    }

    @Test func `bursts take several frames in a row`() throws {
        var spec = WorldSpec(medium: .lossy, nodes: ["alice", "bob"].map { NodeSpec(name: $0) })
        spec.links = LinkSpec.both(
            "alice", "bob", bursts: BurstLoss(begin: Ratio(1, in: 10), end: Ratio(1, in: 5)))
        let bench = try Bench(spec)
        for number in 0..<100 {
            bench.world.sendChannelText(as: "alice", channel: 0, "number \(number)")
            bench.run(2_000)
        }
        let missed = Set(bench.events(.packetMissed, of: "bob").compactMap(\.packet))
        let outcomes = bench.events(.packetSent).compactMap(\.packet).map(missed.contains)
        let changes = zip(outcomes, outcomes.dropFirst()).count { $0 != $1 }
        #expect((10...70).contains(missed.count))
        #expect(changes < missed.count)
    }

    /// The page on bursts has the computation: 0.1 / (0.1 + 0.3) of the time bad, half of that lost.
    @Test func `bursts lose the share that follows from their numbers in the long run`() throws {
        var spec = WorldSpec(medium: .lossy, nodes: ["alice", "bob"].map { NodeSpec(name: $0) })
        let bursts = BurstLoss(begin: Ratio(1, in: 10), end: Ratio(3, in: 10), loss: Ratio(1, in: 2))
        spec.links = LinkSpec.both("alice", "bob", bursts: bursts)
        let bench = try Bench(spec)
        for number in 0..<2_000 {
            bench.world.sendChannelText(as: "alice", channel: 0, "number \(number)")
            bench.run(4_000)
        }
        let sent = bench.events(.packetSent, of: "alice").count
        let lost = bench.events(.packetMissed, of: "bob").count
        #expect(sent == 2_000)
        // 250 expected; a burst of mean length 10/3 makes the spread of the sum about 23.
        #expect((160...340).contains(lost))
    }

    @Test func `an older release answers what it does not know like an unknown command`() throws {
        let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", profile: .v1110)]))
        #expect(bench.ask([0x16, 3], "alice").first?.count == 80)
        #expect(bench.ask([0x3D, 0, 1], "alice") == [[0x01, 0x01]])
        #expect(bench.ask([0x38, 2], "alice").first?.count == 26)
        #expect(FirmwareProfile.named("1.17.1") == .v1171)
        #expect(FirmwareProfile.named("0.0") == nil)
    }

    @Test(arguments: Quirks.switches.map(\.name))
    func `every switch can be named`(name: String) {
        var quirks = Quirks()
        let before = quirks
        let isKnown = quirks.set(name, to: false)
        let off = quirks
        _ = quirks.set(name, to: true)
        let isOtherKnown = quirks.set(name + "x", to: true)
        #expect(isKnown && !isOtherKnown)
        #expect(off != quirks)
        #expect(before == off || before == quirks)
    }

    /// Runs the same exchange with a fault and returns the frames of both sides.
    private func exchange(_ fault: (inout Quirks) -> Void) throws -> (alice: [[UInt8]], bob: [[UInt8]]) {
        let bench = try Bench(["alice", "bob"]) { fault(&$0.profile.quirks) }
        bench.world.sendText(as: "alice", toNode: "bob", "hello")
        bench.run(5_000)
        bench.write([0x04], to: "bob")
        bench.run(10)
        for _ in 0..<3 {
            bench.write([0x0A], to: "bob")
            bench.run(5)
        }
        return (bench.frames(of: "alice"), bench.frames(of: "bob"))
    }

    @Test func `faults of the firmware show on the host link`() throws {
        func codes(_ frames: [[UInt8]]) -> [UInt8] { frames.map { $0[0] }.filter { $0 != 0x88 && $0 != 0x81 } }
        func alice(_ fault: (inout Quirks) -> Void) throws -> [UInt8] { codes(try exchange(fault).alice) }
        func bob(_ fault: (inout Quirks) -> Void) throws -> [UInt8] { codes(try exchange(fault).bob) }
        let sound = try bob { _ in }
        #expect(sound == [0x83, 0x02, 0x03, 0x04, 0x07, 0x0A, 0x0A])
        let unconfirmed = try alice { $0.losesSendConfirmed = true }
        let twice = try alice { $0.confirmsTwice = true }
        let silent = try alice { $0.neverAcknowledges = true }
        #expect(try alice { _ in } == [0x82])
        #expect(unconfirmed == [] && twice == [0x82, 0x82] && silent == [])
        let unannounced = try bob { $0.losesMessageWaiting = true }
        let doubled = try bob { $0.queuesTextsTwice = true }
        let kept = try bob { $0.keepsFetchedMessages = true }
        let endless = try bob { $0.losesContactsEnd = true }
        let cut = try bob { $0.listingStopsAfter = 1 }
        #expect(unannounced == Array(sound.dropFirst()))
        #expect(doubled == [0x83, 0x02, 0x03, 0x04, 0x07, 0x07, 0x0A])
        #expect(kept == [0x83, 0x02, 0x03, 0x04, 0x07, 0x07, 0x07])
        #expect(endless == [0x83, 0x02, 0x03, 0x07, 0x0A, 0x0A])
        #expect(cut == endless)
    }

    private func listing(over interface: HostInterfaceKind) throws -> [HostOutput] {
        let node = NodeSpec(
            name: "alice", contacts: [ContactSpec(.generated(count: 20, prefix: "P"))], hostInterface: interface)
        let bench = try Bench(WorldSpec(nodes: [node]))
        bench.world.hostConnected("alice")
        bench.run(2)
        bench.write([0x04], to: "alice")
        bench.run(5_000)
        return bench.world.takeHostOutput(of: "alice")
    }

    @Test func `Bluetooth of an ESP32 sends a frame every sixty milliseconds and loses none of a listing`() throws {
        let output = try listing(over: .bleESP32)
        #expect(output.count == 22)
        let gaps = zip(output, output.dropFirst()).map { $1.at.milliseconds - $0.at.milliseconds }
        #expect(gaps.allSatisfy { $0 == 60 })
        #expect(try listing(over: .bleNRF52).count == 22)
        #expect(try listing(over: .ethernet).map { $0.frame[0] }.last == 0x04)
    }

    @Test func `Bluetooth of an ESP32 drops the fifth command in its queue, that of an nRF52 merges quick ones`() throws
    {
        for (interface, answers) in [(HostInterfaceKind.bleESP32, 4), (.bleNRF52, 1)] {
            let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", hostInterface: interface)]))
            bench.write([0x05], to: "alice")
            bench.world.hostConnected("alice")
            bench.run(2)
            for _ in 0..<5 { bench.write([0x05], to: "alice") }
            bench.run(1_000)
            #expect(bench.frames(of: "alice").count == answers)
        }
    }

    @Test func `saving contacts can make the loop stand still`() throws {
        let bench = try Bench(
            WorldSpec(nodes: [NodeSpec(name: "alice", contacts: [ContactSpec(.generated(count: 100, prefix: "P"))])]))
        var quirks = bench.world.quirks(of: "alice")
        quirks.contactSaveMicros = 16_000
        bench.world.setQuirks("alice", quirks)
        let key = [UInt8](repeating: 7, count: 32)
        _ = bench.ask([0x09] + key + [1, 0, 0xFF] + [UInt8](repeating: 0, count: 112), "alice")
        bench.run(5_000)
        bench.write([0x05], to: "alice")
        bench.run(1_000)
        #expect(bench.frames(of: "alice").isEmpty)
        bench.run(1_000)
        #expect(bench.frames(of: "alice").map { $0[0] } == [0x09])
    }

    @Test func `why a repeater did not repeat is in the journal`() throws {
        let bench = try Bench.line { spec in
            if spec.name == "r2" { spec.settings.forwarding.floodMax = 1 }
        }
        bench.world.sendText(as: "alice", toNode: "bob", "too far")
        bench.run(10_000)
        #expect(bench.sent.map(\.node) == ["alice", "r1"])
        let reasons = bench.events(.packetIgnored).map { "\($0.subject) \($0.text("reason") ?? "?")" }
        #expect(reasons.sorted() == ["alice duplicate", "r2 hop-limit"])
    }

    @Test func `adverts travel as far as a repeater lets them and introduce their sender`() throws {
        let bench = try Bench.line { spec in spec.contacts = [] }
        bench.world.sendAdvert(as: "alice", flood: true)
        bench.run(10_000)
        let met = try #require(bench.world.inspect("bob").companion?.contacts.first)
        #expect(met.name == "alice" && met.key == bench.world.publicKey(of: "alice"))
        #expect(met.pathLength == nil)
        bench.world.sendAdvert(as: "r2", flood: false)
        bench.run(10_000)
        #expect(bench.world.inspect("bob").companion?.contacts.map(\.type) == [1, 2])
    }

    @Test func `specs that cannot be are refused with their reason`() {
        func problem(_ change: (inout WorldSpec) -> Void) -> WorldError? {
            var spec = WorldSpec(nodes: [NodeSpec(name: "alice"), NodeSpec(name: "hill", role: .repeater)])
            change(&spec)
            do throws(WorldError) {
                _ = try World(spec, journal: Journal())
                return nil
            } catch { return error }
        }
        let sound = problem { _ in }
        let twice = problem { $0.nodes.append(NodeSpec(name: "hill")) }
        let nowhere = problem { $0.links = [LinkSpec(from: "alice", to: "bob")] }
        let stranger = problem { $0.nodes[0].contacts = [ContactSpec(.node("bob"))] }
        let many = problem { $0.nodes[0].contacts = [ContactSpec(.generated(count: 351, prefix: "P"))] }
        let tableless = problem { $0.nodes[1].contacts = [ContactSpec(.node("alice"))] }
        #expect(sound == nil)
        #expect(twice == .duplicateNode("hill"))
        #expect(nowhere == .unknownNode("bob", usedBy: "a link"))
        #expect(stranger == .unknownNode("bob", usedBy: "a contact of 'alice'"))
        #expect(many == .tooMany("contacts", limit: 350, node: "alice"))
        #expect(tableless == .noContactTable("hill"))
    }
}
