import MeshProtocol
import RigBase
import RunRecord
import Testing

@testable import RadioSimulator

@Suite struct `Consoles of servers` {
    private func bench(_ role: NodeSpec.Role = .repeater) throws -> (bench: Bench, type: (String) -> String) {
        let bench = try Bench(WorldSpec(medium: .ideal, nodes: [NodeSpec(name: "hill", role: role)], links: []))
        bench.run(2_000)
        return (
            bench,
            { line in
                bench.world.consoleWrite(line, to: "hill")
                bench.run(2)
                let printed = bench.world.takeConsoleOutput(of: "hill").map(\.text).joined()
                guard let reply = printed.firstRange(of: "  -> ") else { return "" }
                return String(printed[reply.upperBound...].dropLast())
            }
        )
    }

    @Test(arguments: [
        ("get radio.fem.rxgain", "Error: unsupported"), ("set radio.fem.txgain on", "Error: unsupported"),
        ("set radio.fem.txgain up", "Error: state must be on or off"), ("get adc.multiplier", "Error: unsupported"),
        ("set adc.multiplier 1.1", "Error: unsupported"), ("get radio", "> 869.6179809,62.5,8,5"),
        ("get flood.max.unscoped", "> 64"), ("get flood.max.advert", "> 8"), ("io", "Unknown command"),
    ])
    func `of repeaters answer for what the board has not`(line: String, reply: String) throws {
        #expect(try bench().type(line) == reply)
    }

    @Test(arguments: [
        ("get flood.max.unscoped", "> 0"), ("get flood.max.advert", "> 0"), ("get flood.max", "> 64"), ("io", "0"),
    ])
    func `of sensors show what they do not use as zero`(line: String, reply: String) throws {
        #expect(try bench(.sensor).type(line) == reply)
    }

    @Test func `of sensors work on the bits of a port`() throws {
        let (_, type) = try bench(.sensor)
        #expect(["io f0", "io s 0f", "io r 81", "io t 3", "io"].map(type) == ["f0", "ff", "7e", "7d", "7d"])
    }

    @Test(arguments: [
        ("1e1", "10.0"), ("-2.5e1", "-25.0"), ("12abc", "12.0"), ("1e", "1.0"), (".5", "0.5"), ("x", "0.0"),
    ])
    func `read numbers as C does`(text: String, shown: String) throws {
        let (_, type) = try bench()
        #expect(type("set lat \(text)") == "OK")
        #expect(type("get lat") == "> \(shown)")
    }

    @Test func `keep every byte of names and passwords`() throws {
        let (bench, type) = try bench()
        // A combining mark at the beginning belongs to no character before it.
        #expect(type("set name \u{301}abc") == "OK")
        #expect(bench.world.inspect("hill").server?.displayName == "\u{301}abc")
        #expect(type("get name") == "> \u{301}abc")
        #expect(type("set name " + String(repeating: "ä", count: 20)) == "OK")
        // Cut inside a character, as the firmware cuts.
        #expect(bench.world.node("hill").role is Server)
        let name = (bench.world.node("hill").role as? Server)?.preferences.name
        #expect(name == Array(String(repeating: "ä", count: 20).utf8.prefix(31)))
    }
}

@Suite struct `Sensors with a GPS` {
    @Test func `tell where they are when asked for it`() throws {
        var spec = NodeSpec(name: "thermo", role: .sensor)
        spec.fix = GPSFix(latitude: 37_774_900, longitude: -122_419_400, altitude: 1_234)
        let bench = try Bench(WorldSpec(medium: .ideal, nodes: [spec], links: []))
        let server = try #require(bench.world.node("thermo").role as? Server)
        // As in the reference: 37.7749°, -122.4194°, 12.34 m.
        #expect(Hex.encode(server.sensorTelemetry(asking: 3)) == "0174019a" + "018805c395ed51fe" + "0004d2")
        #expect(Hex.encode(server.sensorTelemetry(asking: 1)) == "0174019a")
    }
}

@Suite struct `Waits for air time` {
    @Test func `are told once for a packet`() throws {
        var nodes = [NodeSpec(name: "alice"), NodeSpec(name: "bob")]
        nodes[0].contacts = [ContactSpec(.node("bob"))]
        nodes[0].settings.airtimeFactorMilli = 99_000
        let bench = try Bench(WorldSpec(medium: .ideal, nodes: nodes, links: LinkSpec.both("alice", "bob")))
        bench.run(2_000)
        for number in 0..<60 {
            bench.world.sendText(as: "alice", toNode: "bob", String(repeating: "x", count: 120) + "\(number)")
            bench.run(5_000)
        }
        let waits = bench.world.journal.events().filter { $0.kind == .airtimeSpent }
        #expect(!waits.isEmpty)
        #expect(Set(waits.compactMap(\.packet)).count == waits.count)
    }
}
