import MeshProtocol
import RigBase
import RunRecord
import Testing

@testable import RadioSimulator

/// A sensor with two companions that hear and know it.
private struct SensorBench {
    let bench: Bench

    init(battery: UInt16 = 4_010) throws {
        var sensor = NodeSpec(name: "meadow", role: .sensor, battery: battery)
        sensor.readings = [SensorReading(.temperature, milli: -5_300), SensorReading(.humidity, milli: 47_500)]
        sensor.settings.forwarding.advertsOnBoot = false
        sensor.settings.forwarding.localAdvertMinutes = 0
        let nodes = [
            sensor, NodeSpec(name: "alice", contacts: [ContactSpec(.node("meadow"))]),
            NodeSpec(name: "bob", contacts: [ContactSpec(.node("meadow"))]),
        ]
        let links = ["alice", "bob"].flatMap { LinkSpec.both($0, "meadow") }
        bench = try Bench(WorldSpec(medium: .ideal, nodes: nodes, links: links))
        bench.run(2_000)
    }

    var key: [UInt8] { bench.world.publicKey(of: "meadow").bytes }

    func logIn(_ client: String, _ password: String) -> [UInt8]? {
        bench.ask([26] + key + Array(password.utf8), client, within: 8_000).first { $0.first == 0x85 }
    }

    /// Data of the answer to a binary request, nil for silence.
    func request(_ client: String, _ data: [UInt8]) -> [UInt8]? {
        bench.ask([50] + key + data, client, within: 8_000).first { $0.first == 0x8C }.map { Array($0[6...]) }
    }

    /// Attempt and route of the texts the sensor has sent, with their times.
    var texts: [(at: Int64, isDirect: Bool)] {
        bench.sent.filter { $0.node == "meadow" && $0.bytes[0] >> 2 == 2 }.map { ($0.at, $0.bytes[0] & 3 == 2) }
    }
}

@Suite struct SensorTests {
    @Test func `only the admin password makes a member, who gets both kinds of alerts`() throws {
        let bench = try SensorBench()
        #expect(bench.logIn("alice", "hello") == nil)
        #expect(bench.logIn("alice", "") == nil)
        let push = try #require(bench.logIn("alice", "password"))
        #expect(push[1] == 1)
        #expect(push[12] == 0xC3)
        #expect(push[13] == 1)
        #expect(bench.logIn("alice", "")?[12] == 0xC3)
    }

    @Test func `telemetry has the voltage and, if asked for, what is measured`() throws {
        let bench = try SensorBench()
        #expect(bench.request("alice", [3, 0, 0, 0, 0]) == nil)
        _ = bench.logIn("alice", "password")
        let all = try #require(bench.request("alice", [3, 0, 0, 0, 0]))
        #expect(all.starts(with: [1, 0x74, 0x01, 0x91, 2, 0x67, 0xFF, 0xCB, 3, 0x68, 0x5F]))
        let base = try #require(bench.request("alice", [3, 0xFE, 0, 0, 0]))
        #expect(base.starts(with: [1, 0x74, 0x01, 0x91]))
        #expect(base[4...].allSatisfy { $0 == 0 })
    }

    @Test func `an hour's series counts the slots that were never filled as zero`() throws {
        let bench = try SensorBench()
        _ = bench.logIn("alice", "password")
        let answer = try #require(bench.request("alice", [4] + [0x10, 0x0E, 0, 0] + [0, 0, 0, 0] + [0, 0]))
        // Twelve slots, one of them with 4.01 V: mean 0.33 V.
        #expect(Array(answer[4..<12]) == [1, 116, 0, 0, 0x01, 0x91, 0, 33])
        let young = try #require(bench.request("alice", [4] + [0x2C, 1, 0, 0] + [0, 0, 0, 0] + [0, 0]))
        #expect(Array(young[4..<12]) == [1, 116, 0x01, 0x91, 0x01, 0x91, 0x01, 0x91])
        let odd = try #require(bench.request("alice", [4] + [0x2C, 1, 0, 0] + [0, 0, 0, 0] + [1, 0]))
        #expect(odd[4...].allSatisfy { $0 == 0 })
    }

    @Test func `series keep one value in five minutes`() {
        var series = SensorSeries()
        for second in stride(from: UInt32(0), to: 1_200, by: 60) {
            series.add(UInt16(3_000 + second), at: 1_000 + second)
        }
        // Kept at 0, 300, 600 and 900 s.
        let all = series.summary(from: 1_201, to: 0, at: 2_200)
        #expect((all.minimum, all.maximum) == (300, 390))
        #expect(all.mean == 345)
        #expect(series.summary(from: 300, to: 200, at: 2_200).maximum == 0)
    }

    @Test func `a critical battery is told until it is acknowledged and again only after it has recovered`() throws {
        let bench = try SensorBench()
        _ = bench.logIn("alice", "password")
        bench.bench.world.setBattery("meadow", millivolts: 3_300)
        bench.bench.run(180_000)
        // Critical and low at once, each acknowledged: the login has taught the way back.
        #expect(bench.texts.map(\.isDirect) == [true, true])
        bench.bench.world.setBattery("meadow", millivolts: 4_000)
        bench.bench.run(120_000)
        #expect(bench.texts.count == 2)
        bench.bench.world.setBattery("meadow", millivolts: 3_500)
        bench.bench.run(120_000)
        #expect(bench.texts.count == 3)
    }

    @Test func `a member out of reach is told of the critical battery four times and of the low one once`() throws {
        let bench = try SensorBench()
        _ = bench.logIn("alice", "password")
        bench.bench.world.cutLinkBoth("meadow", "alice")
        bench.bench.world.setBattery("meadow", millivolts: 3_300)
        bench.bench.run(180_000)
        let times = bench.texts.map(\.at)
        #expect(times.count == 5)
        let waits = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(waits.prefix(3).allSatisfy { $0 == 8_001 })
        #expect((8_001...8_003).contains(waits.last ?? 0))
    }

    @Test func `the acknowledgement of an alert is that of the recorded one`() throws {
        let plain = try #require(Hex.decode("b0bd5569004261747465727920697320637269746963616c21"))
        let bytes = try #require(Hex.decode("1287657cae31901f92665b30740261f1c7c12bc0243779c5d3434b7093a94aa9"))
        let key = try #require(PublicKey(checking: bytes))
        #expect(TextMessage(opened: plain)?.ackHash(key: key).description == "630dfde4")
    }

    @Test func `commands are answered after a second and plain texts are not`() throws {
        let bench = try SensorBench()
        _ = bench.logIn("alice", "password")
        let before = bench.texts.count
        bench.bench.write([2, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F] + bench.key[..<6] + Array("hi".utf8), to: "alice")
        bench.bench.run(10_000)
        #expect(bench.texts.count == before)
        bench.bench.write([2, 1, 0, 0, 0, 0, 0] + bench.key[..<6] + Array("get role".utf8), to: "alice")
        bench.bench.run(10_000)
        #expect(bench.texts.count == before + 1)
        let heard = try #require(
            bench.bench.events(.packetReceived, of: "meadow").last { ($0.bytes?[0] ?? 0) >> 2 == 2 })
        #expect(bench.texts[before].at >= heard.at.milliseconds + 1_000)
    }
}
