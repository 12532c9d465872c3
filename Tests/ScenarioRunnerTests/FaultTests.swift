import MeshTransport
import RadioSimulator
import RigBase
import RigTestKit
import RunRecord
import ScenarioModel
import Testing

@testable import ScenarioRunner

@Suite struct `Examples of faults` {
    static let examples = Catalogue.documents.filter { $0.id.hasPrefix("examples/faults/") }

    /// A fault whose example passes as well without it would show nothing.
    @Test(arguments: examples) func `fail when their fault is not there`(scenario: ScenarioDocument) {
        var without = scenario
        for index in without.faults.indices { without.faults[index].startsByStep = true }
        let result = CaseRunner(without, RunSettings()).run()
        #expect(result.verdict == .failed)
        let isFailed = result.failures.contains { $0.verdict == .failed && !$0.name.hasPrefix("step: ") }
        #expect(isFailed, "\(result.failures)")
        #expect(result.faults.allSatisfy { $0.armed == 0 && $0.fired == 0 })
    }

    @Test(arguments: examples) func `count what their fault did`(scenario: ScenarioDocument) {
        let result = CaseRunner(scenario, RunSettings()).run()
        #expect(result.faults.count == scenario.faults.count)
        for count in result.faults {
            #expect(count.armed == 1 && count.fired >= 1 && count.observed >= count.fired, "\(count)")
        }
        let events = result.journal?.events() ?? []
        for count in result.faults {
            let told = events.count { $0.kind == .fault && $0["rule"] == .text(count.name) }
            // A silence tells of each frame it swallows.
            #expect(count.action == "mute" ? told >= count.fired : told == count.fired, "\(count)")
        }
    }

    @Test func `are there for every action at every seam`() {
        let shown = Set(
            Self.examples.flatMap(\.faults).map { "\(FaultCatalog.seam(of: $0)?.rawValue ?? "") \($0.action)" })
        let missing = FaultCatalog.all.map { "\($0.seam.rawValue) \($0.keyword)" }.filter { !shown.contains($0) }
        #expect(missing == [])
    }

    @Test(arguments: FaultCatalog.all.map { "\($0.seam.rawValue): \($0.example)" })
    func `in the reference can be read`(example: String) throws {
        let text = example.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
        let file =
            "title: t\nrequirement: r\nworld:\n  nodes: { alice: {}, bob: {}, hill: { role: repeater } }\n"
            + "faults:\n  \(text)\nsteps: [connect]\n"
        let node = try YAMLFile.parse(Array(file.utf8), file: "f.yaml")
        let document = try #require(try ScenarioDocument.cases(of: node, id: "f").first)
        try CaseRunner.check(document)
        let seam = try #require(document.faults.first.flatMap(FaultCatalog.seam))
        #expect(example.hasPrefix(seam.rawValue))
    }
}

@Suite struct `Faults` {
    static let pair = """
        title: t
        requirement: r
        world: { nodes: { alice: { contacts: [bob] }, bob: { contacts: [alice] }, hill: { role: repeater } }, links: { alice-bob: 9 } }

        """

    static func document(_ text: String) throws -> ScenarioDocument {
        let node = try YAMLFile.parse(Array((pair + text).utf8), file: "f.yaml")
        return try #require(try ScenarioDocument.cases(of: node, id: "f").first)
    }

    static func run(_ text: String, seed: UInt64 = 1) throws -> CaseResult {
        CaseRunner(try document(text), RunSettings(seed: seed, checksDeterminism: true)).run()
    }

    private static func facts(_ result: CaseResult, _ kind: EventKind) -> [RunEvent] {
        result.journal?.events().filter { $0.kind == kind } ?? []
    }

    @Test(arguments: [
        ("{ on: link, crash: true }", "crash is no fault \"on: link\""),
        ("{ on: node, crsh: true }", "did you mean \"crash\"?"),
        ("{ on: node, of: carol, crash: true }", "unknown node \"carol\""),
        ("{ on: node, of: hill, storage: full }", "storage takes a companion, and hill is none"),
        ("{ on: node, crash: true, duration: 3s }", "crash is over in a moment"),
        ("{ on: node, crash: false }", "a fault that is not wanted is left out"),
        ("{ on: node, crash: true, direction: to-radio }", "only bytes and frames have a direction"),
        ("{ on: node, at: 1s, when: { state: ready }, crash: true }", "\"at\" or \"when\", not both"),
        ("{ on: node, when: { packets: { count: 1 } }, crash: true }", "use at-least"),
        ("{ on: node, when: { state: redy }, crash: true }", "did you mean \"ready\"?"),
        ("{ on: node, when: { status: sent, message: m }, crash: true }", "unknown step name \"m\""),
        ("{ on: node, power-loss: gone }", "kept"),
        ("{ on: firmware, quirks: { confirms-twcie: true } }", "did you mean \"confirms-twice\"?"),
        ("{ on: link, of: alice-carol, drop: any }", "neither a node nor a link between two"),
        ("{ on: link, drop: { one-way: true } }", "one-way needs \"of\""),
        ("{ on: link, drop: { type: txt } }", "txt-msg"),
        ("{ on: link, partition: [[alice, bob]] }", "two or more lists of nodes"),
        ("{ on: link, partition: [[alice], [alice, bob]] }", "alice is in two groups"),
        ("{ on: link, burst: { begin: 3% } }", "needs \"end\""),
        ("{ on: bytes, when: { frame: sent }, refuse: true }", "waits for no frame"),
        ("{ on: bytes, of: alice-bob, drop: true }", "say \"on: link\""),
        ("{ on: bytes, insert: { text: a, random: 3 } }", "insert needs one of"),
        ("{ on: frames, reorder: {} }", "reorder needs either"),
    ])
    func `that are wrong are told with their place`(fault: String, message: String) throws {
        let result = try Self.run("faults:\n  - \(fault)\nsteps: [connect]\n")
        #expect(result.verdict == .bad)
        #expect(result.reason.contains(message), "\(result.reason)")
        #expect(result.reason.hasPrefix("f.yaml:"))
    }

    @Test func `wait for the time, the step or the event they are given`() throws {
        let result = try Self.run(
            """
            faults:
              - { name: timed, on: node, of: bob, at: 7s, reboot: true }
              - { name: stepped, on: node, of: bob, start: by-step, reboot: true }
              - { name: seen, on: node, of: bob, when: { packets: { from: alice, type: advert, at-least: 2 } }, reboot: true }
              - { name: never, on: node, of: bob, when: { packets: { from: alice, type: advert, at-least: 9 } }, reboot: true }
            steps:
              - connect
              - { advertise: bob, at: 1s }
              - { start-fault: stepped, at: 3s }
              - { wait: 17s }
            """)
        #expect(result.verdict == .passed, "\(result.failures)")
        #expect(Self.facts(result, .fault).map { $0.at.milliseconds } == [3_000, 7_000])
        #expect(result.faults.map(\.armed) == [1, 1, 1, 1])
        #expect(result.faults.map(\.fired) == [1, 1, 0, 0])
    }

    @Test func `act at each occasion, as often as they may`() throws {
        func fired(_ more: String, seed: UInt64 = 1) throws -> FaultCount {
            let result = try Self.run(
                """
                faults:
                  - { name: f, on: node, of: hill, when: { event: { kind: packet-sent, who: bob } }, clock-jump: 1s\(more) }
                steps:
                  - connect
                  - { advertise: bob, at: 1s }
                  - { advertise: bob, at: 3s }
                  - { advertise: bob, at: 5s }
                  - { advertise: bob, at: 7s }
                  - { wait: 5s }
                """, seed: seed)
            #expect(result.verdict == .passed, "\(result.reason)")
            return try #require(result.faults.first)
        }
        #expect(try fired("").fired == 1)
        #expect(try fired(", count: 3").fired == 3)
        #expect(try fired(", count: 9").fired == 4)
        let drawn = try (1...20).map { try fired(", count: 9, probability: 50%", seed: $0) }
        #expect(drawn.allSatisfy { $0.observed == 4 })
        let total = drawn.reduce(0) { $0 + $1.fired }
        #expect((25...55).contains(total), "\(total) of 80")
    }

    @Test func `on links draw for each packet`() throws {
        let counts = try (1...20).map { seed in
            try Self.run(
                """
                faults:
                  - { name: f, on: link, of: bob-alice, probability: 25%, drop: any }
                steps:
                  - connect
                \((1...8).map { "  - { advertise: bob, at: \($0 * 2)s }" }.joined(separator: "\n"))
                  - { wait: 5s }
                """, seed: seed
            ).faults[0]
        }
        #expect(counts.allSatisfy { $0.observed >= 8 })
        let share = Double(counts.reduce(0) { $0 + $1.fired }) / Double(counts.reduce(0) { $0 + $1.observed })
        #expect((0.15...0.35).contains(share))
    }

    @Test func `end after their time, by a step, and when the run settles, and leave nothing behind`() throws {
        let result = try Self.run(
            """
            faults:
              - { name: a, on: firmware, duration: 5s, quirks: { confirms-twice: true } }
              - { name: b, on: node, of: bob, power-loss: kept }
              - { name: c, on: link, drop: any }
              - { name: d, on: node, packet-pool: 0 }
              - { name: e, on: firmware, quirks: { loses-send-confirmed: true } }
              - { name: g, on: bytes, start: by-step, refuse: true }
            steps:
              - connect
              - { stop-fault: d, at: 8s }
              - start-fault: g
              - lose-link
              - { wait: 10s }
            settle: { within: 2min, expect: { state: ready } }
            """)
        #expect(result.verdict == .passed, "\(result.failures)")
        let ended = Self.facts(result, .faultEnded)
        #expect(ended.map { "\($0["rule"]?.plainText ?? "") \($0.at.milliseconds)" }.prefix(2) == ["a 5000", "d 8000"])
        #expect(Set(ended.dropFirst(2).compactMap { $0["rule"]?.plainText }) == ["b", "e"])
        #expect(Self.facts(result, .nodeBooted).count { $0.subject == "bob" } == 2)
    }

    @Test func `that are over do not touch a message sent afterwards`() throws {
        let result = try Self.run(
            """
            faults:
              - { name: a, on: link, drop: any, count: 50 }
              - { name: b, on: firmware, quirks: { loses-send-confirmed: true, sends-without-tag: true } }
              - { name: c, on: node, of: bob, power-loss: kept }
              - { name: d, on: frames, direction: from-radio, when: { frame: send-confirmed }, drop: true }
              - { name: e, on: node, packet-pool: 0 }
            steps:
              - connect
              - { stop-fault: a, at: 5s }
              - stop-fault: b
              - stop-fault: c
              - stop-fault: d
              - stop-fault: e
              - { send: { to: bob, text: "hi" }, after: 2s, expect: { status: delivered, within: 10s } }
            """)
        #expect(result.verdict == .passed, "\(result.failures)")
    }

    @Test func `of one node lie over each other and come off in any order`() throws {
        let result = try Self.run(
            """
            faults:
              - { name: a, on: firmware, quirks: { confirms-twice: true }, duration: 20s }
              - { name: b, on: firmware, quirks: { confirms-twice: false }, at: 5s, duration: 30s }
            steps:
              - connect
              - { send: { to: bob, text: "twice" }, at: 1s, expect: { frames: { reply: send-confirmed, count: 2 }, within: 3s } }
              - { send: { to: bob, text: "once" }, at: 6s, expect: { frames: { reply: send-confirmed, count: 1 }, within: 3s } }
              - { send: { to: bob, text: "still" }, at: 22s, expect: { frames: { reply: send-confirmed, count: 1 }, within: 3s } }
              - { send: { to: bob, text: "again" }, at: 40s, expect: { frames: { reply: send-confirmed, count: 1 }, within: 3s } }
            """)
        #expect(result.verdict == .passed, "\(result.failures)")
    }

    @Test func `beyond the host link block a case on a bench`() throws {
        let text = "title: b\nradios: { alice: tcp:127.0.0.1:1, bob: tcp:127.0.0.1:2, hill: tcp:127.0.0.1:3 }\n"
        let bench = try TestbedDocument(try YAMLFile.parse(Array(text.utf8), file: "b.yaml"), file: "b.yaml")
        for fault in ["on: link, drop: any", "on: node, crash: true", "on: firmware, quirks: { confirms-twice: true }"]
        {
            var settings = RunSettings()
            settings.testbed = bench
            let result = CaseRunner(
                try Self.document("faults:\n  - { name: f, \(fault) }\nsteps: [connect]\n"), settings
            ).run()
            #expect(result.verdict == .blocked)
            #expect(result.reason.contains("the fault \"f\" acts on the seam"), "\(result.reason)")
        }
    }
}
