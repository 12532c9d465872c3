import RigBase
import ScenarioModel
import Testing

@Suite struct ScenarioDocumentTests {
    static let example = """
        title: A silent path is given up after four attempts, the fifth floods
        requirement: Four direct attempts, one path reset, one flood attempt
        refs: [invariant 32, client-stack 3.2, bug B07]
        tags: [retry]
        tier: fast

        world:
          radio: eu-868-narrow
          nodes:
            alice: { role: companion, contacts: [bob] }
            hill:  { role: repeater }
            bob:   { role: companion, contacts: [alice] }
          links:
            alice-hill: { snr: 9 }
            hill-bob:   { snr: 6 }

        client: alice

        steps:
          - connect
          - sync: full
            expect: { contacts: 1, within: 5s }
          - send: { to: bob, text: "so that the path is learnt" }
            expect: { status: delivered, within: 20s }
          - cut: hill-bob
          - send: { to: bob, text: "are you there?" }
            as: lost
            expect:
              - status: [pending, sent, retrying, failed]
                within: 3min
              - frames: { command: send-text, attempts: [0, 1, 2, 3, 4] }
              - frames: { command: reset-path, count: 1, after-attempt: 3, before-attempt: 4 }

        never:
          - { message: lost, status: delivered }
        """

    /// The smallest file that is a scenario, with more put in.
    static func minimal(nodes: String = "alice: {}", links: String = "", more: String = "", steps: String = "[connect]")
        -> String
    {
        "title: t\nrequirement: r\nworld:\n  nodes:\n    \(nodes)\n\(links)\nclient: alice\nsteps: \(steps)\n\(more)\n"
    }

    private func read(_ text: String, settings: [(name: String, value: String)] = []) throws -> [ScenarioDocument] {
        let node = try YAMLFile.parse(Array(text.utf8), file: "s.yaml")
        return try ScenarioDocument.cases(of: node, id: "a/b", settings: settings, strict: true)
    }

    private func complaints(_ text: String) throws -> [String] {
        do {
            _ = try read(text)
            return []
        } catch let error as ScenarioErrors { return error.errors.map(\.description) }
    }

    @Test func `reads the example of the guide as written`() throws {
        let document = try #require(try read(Self.example).first)
        #expect(document.id == "a/b")
        #expect(document.tier == .fast)
        #expect(document.level == .must)
        #expect(document.refs == ["invariant 32", "client-stack 3.2", "bug B07"])
        #expect(document.world.nodes.map(\.name) == ["alice", "hill", "bob"])
        #expect(document.world.nodes[1].role == .repeater)
        #expect(document.world.nodes[0].contacts.map(\.who) == [.node("bob")])
        #expect(document.world.links.map(\.snrQuarterDB) == [36, 24])
        #expect(document.world.links[0].directions.map(\.to) == ["hill", "alice"])
        #expect(document.client?.role.name == "alice")
        #expect(document.steps.map(\.verb) == ["connect", "sync", "send", "cut", "send"])
        #expect(document.steps[0].argument == nil)
        #expect(document.steps[1].argument?.text == "full")
        #expect(document.steps[1].expect.first?["within"]?.text == "5s")
        #expect(document.steps[3].summary == "cut: hill-bob")
        #expect(document.steps[4].name?.name == "lost")
        #expect(document.steps[4].expect.count == 3)
        #expect(document.steps[4].spot.line == 26)
        #expect(document.never.count == 1)
        #expect(document.epoch == 1_750_000_000)
    }

    @Test func `reads links by hyphenated names, numbers and options`() throws {
        let text = Self.minimal(
            nodes: "alice: {}\n    hill-top: repeater\n    bob: {}",
            links:
                "  links:\n    alice-hill-top: 6.5\n    hill-top-bob: { snr: -3, loss: 10%, one-way: true, rssi: -80 }")
        let links = try #require(try read(text).first).world.links
        #expect(links.map(\.from) == ["alice", "hill-top"])
        #expect(links.map(\.to) == ["hill-top", "bob"])
        #expect(links[0].snrQuarterDB == 26)
        #expect(links[1].directions.count == 1)
        #expect(links[1].loss == Ratio(partsPerMillion: 100_000))
        #expect(links[1].rssi == -80)
    }

    @Test func `reads what a node can have`() throws {
        let node = """
            alice: { contacts: [bob, { generate: 350 }, { node: hill, path: [bob] }, { node: bob2, path: direct }],
                  channels: [public, "#test", { name: x, secret: 00112233445566778899aabbccddeeff }],
                  queued-messages: { from: bob, text: hi, count: 3 }, clock-offset: -5min, battery: 3700,
                  position: [52.5, 13.4], name: "Alice 🦊", profile: v1.11, settings: { manual-add: true } }
                bob: {}
                bob2: {}
                hill: { role: repeater, off: true }
            """
        let alice = try #require(try read(Self.minimal(nodes: node)).first?.world.node(named: "alice"))
        #expect(alice.contacts.map(\.who) == [.node("bob"), .generated(350), .node("hill"), .node("bob2")])
        #expect(alice.contacts.map(\.path) == [.flood, .flood, .via(["bob"]), .via([])])
        #expect(alice.channels.map(\.name) == ["public", "#test", "x"])
        #expect(alice.channels[2].secret?.count == 16)
        #expect(alice.queued.first?.count == 3)
        #expect(alice.clockOffset == .seconds(-300))
        #expect(alice.displayName == "Alice 🦊")
        #expect(alice.settings.map(\.key) == ["manual-add"])
    }

    @Test func `reports everything that is wrong at once, in the order of the file`() throws {
        let text = """
            title: t
            requirement: r
            tiers: fast
            world:
              radio: { frequency: 869.618, bandwidth: 62.5, spreading-factor: 13, coding-rate: 8 }
              nodes:
                alice: { contcts: [bob] }
                bob: { role: companoin, contacts: [alcie] }
              links:
                alice-bop: 9
            client: alise
            steps:
              - connect
              - send: { to: bob }
                exepct: { status: delivered }
                at: 5
            """
        let found = try complaints(text)
        #expect(
            found.map { $0.split(separator: "\n")[0] } == [
                "s.yaml:3:1: unknown key \"tiers\"; did you mean \"tier\"?",
                "s.yaml:5:67: spreading-factor takes a whole number 5…12, found \"13\"",
                "s.yaml:7:14: unknown key \"contcts\"; did you mean \"contacts\"?",
                "s.yaml:8:18: role cannot be \"companoin\"; did you mean \"companion\"?",
                "s.yaml:8:40: unknown node \"alcie\"; did you mean \"alice\"?",
                "s.yaml:10:5: unknown node \"bop\"; did you mean \"bob\"?",
                "s.yaml:11:9: unknown node \"alise\"; did you mean \"alice\"?",
                "s.yaml:15:5: unknown key \"exepct\"; did you mean \"expect\"?",
                "s.yaml:16:9: at: 5 of what? A duration carries a unit",
            ])
    }

    @Test(arguments: [
        ("- at: 5s", "this step does not say what to do"),
        ("- [connect]", "a step is a word or a mapping, found a list"),
        ("- 'connect'\n  - \"\"", "a step is a word or a mapping"),
        ("- {connect: , disconnect: }", "unknown key \"disconnect\""),
        ("- {wait: 1s, at: 1s, after: 1s}", "a step has \"at\" or \"after\", not both"),
        ("- {send: x, as: a}\n  - {send: y, as: a}", "result name \"a\" is used twice"),
        ("connect", "steps are a list"),
        ("[]", "a scenario without steps tests nothing"),
    ])
    func `explains a step that is none`(steps: String, message: String) throws {
        let found = try complaints(Self.minimal(steps: steps.hasPrefix("-") ? "\n  " + steps : steps))
        #expect(found.contains { $0.contains(message) })
    }

    @Test func `reads faults`() throws {
        let more = """
            faults:
              - drop: { frame: sent }
                name: lost-sent
                dirction: to-radio
            """
        #expect(
            try complaints(Self.minimal(more: more)).first?.contains(
                "unknown key \"dirction\"; did you mean \"direction\"?") == true)
        let good =
            "faults:\n  - drop: { frame: sent }\n    name: lost\n    on: frames\n    of: alice\n    probability: 1/4\n    count: 2\n"
        let fault = try #require(try read(Self.minimal(more: good)).first?.faults.first)
        #expect(fault.action == "drop")
        #expect(fault.probability == Ratio(1, in: 4))
        #expect(fault.count == 2)
        #expect(fault.target?.name == "alice")
        #expect(fault.seam == .frames)
    }

    @Test func `puts parameters in and makes a case of each row`() throws {
        let more = """
            parameters: { snr: 9, text: "a b" }
            matrix:
              near: { snr: 12 }
              far: { snr: -3, text: "no ${x" }
            """
        let text = Self.minimal(
            nodes: "alice: {}\n    bob: {}", links: "  links: { alice-bob: { snr: \"${snr}\" } }", more: more,
            steps: "[{ send: { text: \"<${text}> $${x}\" } }]")
        let documents = try read(text)
        #expect(documents.map(\.id) == ["a/b[near]", "a/b[far]"])
        #expect(documents.map { $0.world.links[0].snrQuarterDB } == [48, -12])
        #expect(documents[0].steps[0].argument?["text"]?.text == "<a b> ${x}")
        let set = try read(text, settings: [("snr", "1")])
        #expect(set.map { $0.world.links[0].snrQuarterDB } == [4, 4])
    }

    @Test func `refuses a parameter that is not there`() throws {
        let bad = Self.minimal(more: "parameters: { count: 1 }", steps: "[{ wait: \"${cuont}\" }]")
        #expect(try complaints(bad).first?.contains("unknown parameter \"cuont\"; did you mean \"count\"?") == true)
        #expect(throws: ScenarioErrors.self) { try read(Self.minimal(), settings: [("x", "1")]) }
    }

    @Test(arguments: [
        ("alice: {}\n    Bob: {}", "", "\"Bob\" cannot name a node"),
        ("alice: { contacts: [alice] }", "", "alice cannot be its own contact"),
        ("alice: { contacts: { generate: 5000 } }", "", "generate takes a whole number 1…4000"),
        ("alice: { channels: [mine] }", "", "channel \"mine\" needs a secret"),
        ("alice: { key: 00 }", "", "key has 1 bytes; it takes 32 to 64"),
        (
            "alice: {}\n    bob: {}", "  links: { alice-bob: 9, bob-alice: 8 }",
            "the link from bob to alice is given twice"
        ),
        ("alice: {}", "  links: { alice-alice: 9 }", "a link joins two nodes"),
        ("alice: {}", "  links: { x-y: 9 }", "unknown link \"x-y\""),
        ("alice: {}\n    bob: {}", "  links: { alice-bob: 40 }", "an SNR lies between"),
        (
            "a: {}\n    b: {}\n    a-b: {}\n    b-a: {}\n    alice: {}", "  links: { a-b-a: 1 }",
            "can be split in 2 ways"
        ),
    ])
    func `explains a world that cannot be`(nodes: String, links: String, message: String) throws {
        let found = try complaints(Self.minimal(nodes: nodes, links: links))
        #expect(found.contains { $0.contains(message) })
    }

    @Test func `reads the other sections`() throws {
        let more = """
            link: ble-esp32
            defect: [no-reconnect, { switch: since-ignored, catches: only news }]
            settle: { within: 1min, expect: { contacts: 1 } }
            budget: { virtual-time: 5min, events: 1000 }
            requires: simulator
            seed: 7
            """
        let document = try #require(try read(Self.minimal(more: more)).first)
        #expect(document.link?.pacing.name == "ble-esp32")
        #expect(document.defects.map(\.name.name) == ["no-reconnect", "since-ignored"])
        #expect(document.defects[1].catches == "only news")
        #expect(document.settle?.expect.count == 1)
        #expect(document.budget.virtualTime == .seconds(300))
        #expect(document.seed == 7)
    }

    @Test func `reads a world file, and the world of a scenario`() throws {
        let text =
            "title: t\nworld:\n  nodes:\n    bob: { echo: true, position: { latitude: 47.3, longitude: -8.5 } }\n"
        let world = try WorldDocument.file(try YAMLFile.parse(Array(text.utf8), file: "w")).world
        #expect(world.nodes[0].isEcho)
        #expect(world.nodes[0].position?.longitudeE6 == -8_500_000)
        let scenario = try YAMLFile.parse(Array(Self.example.utf8), file: "s")
        #expect(try WorldDocument.file(scenario).world.nodes.count == 3)
        #expect(throws: ScenarioErrors.self) { try WorldDocument.file(.plain("x", at: scenario.spot)) }
    }

    @Test func `reads every scenario of the catalogue`() throws {
        let folder = try ScenarioFolder(Self.catalogue)
        #expect(!folder.entries.isEmpty)
        for entry in folder.entries { #expect(try !folder.load(entry, strict: true).isEmpty) }
    }

    static var catalogue: String {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return here.dropLast(3).joined(separator: "/") + "/Scenarios"
    }

    @Test func `survives every cut of a scenario`() {
        let bytes = Array(Self.example.utf8)
        for end in 0..<bytes.count {
            guard let node = try? YAMLFile.parse(Array(bytes[..<end]), file: "s") else { continue }
            let document = try? ScenarioDocument.cases(of: node, id: "x").first
            #expect(document == nil || !document!.steps.isEmpty)
        }
    }
}
