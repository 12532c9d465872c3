import MeshProtocol
import RadioSimulator
import RigBase
import RigRuntime
import RigTestKit
import RunRecord
import ScenarioModel
import ScenarioRunner
import Testing

/// The catalogue as it is shipped.
enum Catalogue {
    static let root = Fixture.repositoryRoot() + "/Scenarios"

    static let documents: [ScenarioDocument] = {
        do {
            let folder = try ScenarioFolder(root)
            return try folder.entries.flatMap { try folder.load($0) }
        } catch {
            Issue.record("the catalogue cannot be read: \(error)")
            return []
        }
    }()

    static var defects: [DefectCase] {
        documents.flatMap { document in document.defects.map { DefectCase(document: document, defect: $0) } }
    }
}

struct DefectCase: Sendable, CustomTestStringConvertible {
    var document: ScenarioDocument
    var defect: DefectDocument
    var testDescription: String { "\(document.id) with \(defect.name.name)" }
}

extension ScenarioDocument: CustomTestStringConvertible {
    package var testDescription: String { id }
}

@Suite struct `The catalogue` {
    @Test func `holds at least sixteen fast scenarios`() {
        #expect(Catalogue.documents.count { $0.tier == .fast } >= 16)
    }

    @Test(arguments: Catalogue.documents)
    func `passes twice with one digest`(scenario: ScenarioDocument) {
        let result = CaseRunner(scenario, RunSettings(checksDeterminism: true)).run()
        #expect(result.verdict == .passed, "\(result.reason) \(result.failures)")
        #expect(!result.digest.isEmpty)
    }

    @Test(arguments: Catalogue.defects)
    func `notices a broken client by the expectation meant for it`(which: DefectCase) throws {
        let defect = try #require(Defect(rawValue: which.defect.name.name))
        let result = CaseRunner(which.document, RunSettings(defects: [defect])).run()
        #expect(result.verdict == .failed, "\(result.reason)")
        // What watches every run may notice it too.
        let failures = result.failures.map(\.name).filter { !$0.hasPrefix("invariant: ") }
        #expect(failures == [try #require(which.defect.catches)])
    }

    @Test func `has a scenario for every defect`() {
        let named = Set(Catalogue.defects.map(\.defect.name.name))
        #expect(Defect.allCases.filter { !named.contains($0.rawValue) } == [])
    }
}

@Suite struct `Determinism` {
    static func cases(_ times: Int) -> [(scenario: ScenarioDocument, settings: RunSettings)] {
        Catalogue.documents.flatMap { document in
            (0..<times).map { _ in (document, RunSettings(seed: 77)) }
        }
    }

    @Test func `one seed gives one digest in a hundred runs`() throws {
        let scenario = try #require(Catalogue.documents.first { $0.id.contains("message-in-flight") })
        let results = Runner.run((0..<100).map { _ in (scenario, RunSettings(seed: 5)) })
        #expect(Set(results.map(\.digest)).count == 1)
        #expect(results.count == 100)
    }

    @Test func `two jobs give what one gives, in the same order`() {
        let one = Runner.run(Self.cases(2), jobs: 1)
        let two = Runner.run(Self.cases(2), jobs: 2)
        #expect(one.map(\.id) == two.map(\.id))
        #expect(one.map(\.digest) == two.map(\.digest))
    }

    @Test func `another seed gives another journal`() throws {
        let scenario = try #require(Catalogue.documents.first { $0.id.contains("flood-with-ack") })
        let results = Runner.run([(scenario, RunSettings(seed: 1)), (scenario, RunSettings(seed: 2))])
        #expect(results[0].digest != results[1].digest)
    }
}

@Suite struct `Files that are wrong` {
    static let head = """
        title: t
        requirement: r
        world: { nodes: { alice: {}, bob: {} }, links: { alice-bob: 9 } }

        """

    func run(_ text: String) throws -> CaseResult {
        let node = try YAMLFile.parse(Array(text.utf8), file: "f.yaml")
        do {
            let documents = try ScenarioDocument.cases(of: node, id: "f")
            return CaseRunner(try #require(documents.first), RunSettings()).run()
        } catch let error as ScenarioErrors {
            return CaseResult(id: "f", title: "", seed: 0, verdict: .bad, reason: error.description)
        }
    }

    @Test(arguments: [
        ("steps: [conect]", "f.yaml:4:9: unknown step \"conect\"; did you mean \"connect\"?"),
        (
            "faults: [{ on: bytes, at: 1s, probability: 5%, lose-link: after }]\nsteps: [connect]",
            "it has no probability"
        ),
        (
            "faults: [{ on: bytes, of: bob, lose-link: after }]\nsteps: [connect]",
            "the link of the client under test, which is on alice"
        ),
        ("steps: [{ sync: ful }]", "did you mean \"full\"?"),
        ("steps: [{ connect: yes }]", "connect takes no value"),
        ("steps: [{ wait: 3 }]", "A duration carries a unit"),
        ("steps: [{ send: { to: bob } }]", "needs \"text\""),
        ("steps: [{ send: { text: x } }]", "either \"to\" or \"channel\""),
        ("steps: [{ connect: , expect: { contcts: 3 } }]", "did you mean \"contacts\"?"),
        ("steps: [{ connect: , expect: { frames: { count: 1 } } }]", "frames needs one of"),
        ("steps: [connect]\nexpect: { status: delivered, message: lost }", "unknown step name \"lost\""),
        ("steps: [connect]\nsometimes: { fault: nothing }", "unknown fault \"nothing\""),
        ("steps: [connect]\nfaults: [{ dropp: true }]", "did you mean \"drop\"?"),
        ("steps: [connect]\nfaults: [{ drop: true, when: { frame: contct } }]", "did you mean \"contact\"?"),
        ("steps: [connect]\ndefect: { switch: since-ignored, catches: what }", "unknown expectation \"what\""),
        ("steps: [{ connect: , when: { frames: { reply: contact, count: 2 } } }]", "use at-least"),
        ("steps: [connect]\nexpect: { event: { kind: conection } }", "did you mean \"connection\"?"),
        ("steps: [{ advertise: bobb }]", "unknown node \"bobb\"; did you mean \"bob\"?"),
        ("steps: [{ reboot: carl }]", "unknown node \"carl\""),
        ("steps: [{ cut: bob-bob }]", "does not join two nodes"),
        ("steps: [{ partition: [[alice], [alice, bob]] }]", "alice is in two groups"),
        ("steps: [{ partition: alice }]", "two groups of nodes"),
        (
            "steps: [{ change-node: { node: bob, quirks: { confirm-twice: true } } }]",
            "did you mean \"confirms-twice\"?"
        ),
        ("steps: [{ change-node: bob }]", "expected a change of a node"),
        ("steps: [connect]\nexpect: { received: { by: bb } }", "unknown node \"bb\""),
        ("steps: [connect]\nexpect: { packets: { from: hill } }", "unknown node \"hill\""),
        ("steps: [connect]\nnever: { state: ready, during: outage }", "unknown phase \"outage\""),
        ("steps: [{ get: batery }]", "did you mean \"battery\"?"),
        ("steps: [{ get: contact }]", "contact needs \"of\""),
        ("steps: [{ get: { what: battery, slot: 1 } }]", "battery takes no \"slot\""),
        ("steps: [{ set: { nam: x } }]", "did you mean \"name\"?"),
        ("steps: [{ set: { radio: eu-868-narow } }]", "did you mean \"eu-868-narrow\"?"),
        ("steps: [{ set: { channel: { slot: 1, name: x } } }]", "needs a secret"),
        ("steps: [{ resend: lost }]", "unknown step name \"lost\""),
        ("steps: [{ import-contact: {} }]", "either \"exported-by\" or \"packet\""),
        (
            "steps: [{ get: battery, expect: { result: { battery: { same-as: before } } } }]",
            "unknown step name \"before\""
        ),
        ("steps: [{ get: battery, expect: { result: { battery: {} } } }]", "battery has no condition"),
        ("steps: [{ request: { what: raw, of: bob } }]", "a raw request needs it"),
        ("steps: [{ send-data: { as: channel, data: 00 } }]", "needs \"channel\""),
        ("steps: [{ send: { channel: public, text: x, once: true } }]", "sent once in any case"),
        ("steps: [connect]\nexpect: { store: { mesages: 3 } }", "did you mean \"messages\"?"),
        ("steps: [{ parallel: [[connect]] }]", "two branches or more"),
        ("steps: [{ parallel: [[connect], [{ wait: 3 }]] }]", "A duration carries a unit"),
        ("steps: [{ repeat: 3 }]", "a repeat needs \"steps\""),
        ("steps: [{ repeat: 101, steps: [{ repeat: 100, steps: [connect] }] }]", "more than 10000 steps"),
        ("steps: [{ note: \"${round}\" }]", "unknown parameter \"round\""),
        ("steps: [{ wait: 1s, as: a }, { wait: 1s, as: a }]", "result name \"a\" is used twice"),
    ])
    func `are told with their place and the nearest known word`(text: String, message: String) throws {
        let result = try run(Self.head + text)
        #expect(result.verdict == .bad)
        #expect(result.reason.contains(message), "\(result.reason)")
        #expect(result.reason.hasPrefix("f.yaml:"))
    }
}

@Suite struct `Worlds that are wrong` {
    @Test(arguments: [
        ("alice: { contacts: [{ generate: 351 }] }", "more than 350 contacts"),
        ("alice: { quirks: { confirm-twice: true } }", "did you mean \"confirms-twice\"?"),
        ("alice: {}, bob: { readings: { humidity: 40 } }", "bob is no sensor"),
        ("alice: {}, hill: { role: repeater, script: { auto-reply: x } }", "of a script it can only be an evil-twin"),
        ("alice: {}, eve: { script: { evil-twin: eve } }", "a twin is of another node"),
        ("alice: {}, eve: { script: { chatter: { to: alice, every: 1s } } }", "eve has no contact alice"),
        ("alice: {}, eve: { script: { chatter: { channel: \"#x\", every: 1s } } }", "eve has no channel"),
        ("alice: { channels: [{ name: \"#a\", index: 3 }, { name: \"#b\", index: 3 }] }", "slot 3 of alice is taken"),
        ("alice: { channels: [\"#\(String(repeating: "x", count: 31))\"] }", "has 32 bytes; a radio keeps 31"),
        ("alice: { name: \"\(String(repeating: "é", count: 16))\" }", "has 32 bytes; a radio keeps 31"),
        (
            "alice: { channels: [{ name: x, secret: \"\(String(repeating: "ab", count: 32))\" }] }",
            "secrets above 16 bytes"
        ),
        ("alice: { key: \"\(String(repeating: "00", count: 64))\" }", "is none that a radio accepts"),
        ("{ alice: { contacts: [bob, bob] }, bob: {} }", "bob is a contact already"),
        ("{ alice: {}, hill: { role: repeater, channels: [public] } }", "only companions have channels"),
        ("{ alice: { queued-messages: [{ from: bob, text: x }] }, bob: {} }", "'bob', who is no contact"),
        ("alice: { settings: { path-hash-mod: 1 } }", "did you mean \"path-hash-mode\"?"),
    ])
    func `are noticed before anything runs`(nodes: String, message: String) throws {
        let nodes = nodes.hasPrefix("{") ? nodes : "{ \(nodes) }"
        let text = "title: t\nrequirement: r\nworld: { nodes: \(nodes) }\nsteps: [connect]\n"
        let node = try YAMLFile.parse(Array(text.utf8), file: "f.yaml")
        let document = try #require(try ScenarioDocument.cases(of: node, id: "f").first)
        let error = #expect(throws: ScenarioErrors.self) { try CaseRunner.check(document) }
        #expect(error?.description.contains(message) == true, "\(error.debugDescription)")
        #expect(throws: ScenarioErrors.self) { try WorldBuilder.check(document.world) }
        #expect(CaseRunner(document, RunSettings()).run().verdict == .bad)
    }
}

@Suite struct `A run` {
    func run(_ text: String, _ settings: RunSettings = RunSettings()) throws -> CaseResult {
        let node = try YAMLFile.parse(Array(text.utf8), file: "f.yaml")
        let documents = try ScenarioDocument.cases(of: node, id: "f")
        return CaseRunner(try #require(documents.first), settings).run()
    }

    static let pair = """
        title: t
        requirement: r
        world:
          nodes: { alice: { contacts: [bob] }, bob: { contacts: [alice] } }
          links: { alice-bob: 9 }

        """

    @Test func `fails when a step fails that nobody expected to fail`() throws {
        let result = try run(Self.pair + "steps: [connect, { send: { to: nobody, text: x } }, { note: never }]")
        #expect(result.verdict == .failed)
        #expect(result.failures.first?.seen.contains("unknown-contact") == true)
        #expect(result.journal?.events().contains { $0.kind == .note } == false)
    }

    @Test func `is dead when something that should happen never does`() throws {
        let result = try run(
            Self.pair
                + "faults: [{ name: x, drop: true, when: { frame: signature } }]\nsteps: [connect]\nsometimes: { fault: x }"
        )
        #expect(result.verdict == .dead)
    }

    @Test func `notices what must never be`() throws {
        let result = try run(
            Self.pair + "steps: [connect, { send: { to: bob, text: x }, as: m, expect: { status: delivered } }]\n"
                + "never: { message: m, status: delivered }")
        #expect(result.verdict == .failed)
        #expect(result.failures.map(\.name) == ["status: delivered"])
    }

    @Test func `notices what does not stay so`() throws {
        let text = Self.pair + "steps: [connect, disconnect]\nalways: { state: ready }"
        #expect(try run(text).verdict == .failed)
    }

    @Test func `ends at its limit of virtual time`() throws {
        let result = try run(Self.pair + "budget: { virtual-time: 10s }\nsteps: [connect, { wait: 20s }]")
        #expect(result.verdict == .failed)
        #expect(result.reason.contains("virtual time"))
        #expect(result.virtualTime <= .seconds(10))
    }

    @Test func `judges an exact count after the step's other expectations`() throws {
        let steps = "steps: [connect, { send: { to: bob, text: x }, expect: [{ status: delivered }, "
        #expect(try run(Self.pair + steps + "{ frames: { command: send-text, count: 1 } }] }]").verdict == .passed)
        #expect(try run(Self.pair + steps + "{ frames: { command: send-text, count: 2 } }] }]").verdict == .failed)
        #expect(try run(Self.pair + steps + "{ frames: { command: send-text, count: 0 } }] }]").verdict == .failed)
    }

    @Test func `waits at its end for what concurrent steps still expect`() throws {
        let steps = """
            steps:
              - connect
              - cut: alice-bob
              - send: { to: bob, text: x }
                concurrent: true
                expect: { status: delivered, within: 3min }
              - heal: alice-bob
                after: 5s
            expect: { received: { by: bob, text: x, count: 1 } }
            """
        let result = try run(Self.pair + steps)
        #expect(result.verdict == .passed, "\(result.failures)")
    }

    @Test func `goes on at once when what a step waits for has been seen already`() throws {
        let steps = """
            steps:
              - connect
              - send: { to: bob, text: x }
                expect: { status: delivered }
              - note: seen
                when: { frames: { reply: send-confirmed } }
              - note: ready
                when: { state: ready }
            """
        let result = try run(Self.pair + steps)
        #expect(result.verdict == .passed, "\(result.failures)")
        #expect(result.virtualTime < .seconds(30))
    }

    @Test func `says when a count was judged that had nothing to wait for`() throws {
        let steps = "steps: [connect, { send: { to: bob, text: x }, expect: { received: { by: bob, count: 1 } } }]"
        let failure = try #require(try run(Self.pair + steps).failures.first)
        #expect(failure.seen == "nothing, when the step was done; `within` would make it wait")
        let patient = steps.replacing("text: x },", with: "text: x }, within: 10s,")
        #expect(try run(Self.pair + patient).verdict == .passed)
    }

    @Test func `tells what failed in the order of the file`() throws {
        let steps = """
            steps: [connect, { wait: 1s, expect: { name: first, contacts: 9 } }]
            expect: { name: second, contacts: 9 }
            """
        #expect(try run(Self.pair + steps).failures.map(\.name) == ["first", "second"])
    }

    @Test(arguments: ["", "role: repeater, "])
    func `gives a twin a key of its own that begins alike`(role: String) throws {
        let text = "title: t\nworld: { nodes: { bob: {}, eve: { \(role)script: { evil-twin: bob } } } }"
        let file = try WorldDocument.file(try YAMLFile.parse(Array(text.utf8), file: "w.yaml"))
        let problems = ProblemList()
        let spec = WorldBuilder(file.world, problems).build(seed: 1)
        try problems.throwIfAny()
        let world = try World(spec, journal: Journal())
        let (bob, eve) = (world.publicKey(of: "bob"), world.publicKey(of: "eve"))
        #expect(bob.bytes[0] == eve.bytes[0])
        #expect(bob != eve)
    }

    @Test func `switches quirks of a node's firmware`() throws {
        func confirmations(_ quirks: String) throws -> Int {
            let result = try run(
                """
                title: t
                requirement: r
                world:
                  nodes: { alice: { contacts: [bob]\(quirks) }, bob: { contacts: [alice] } }
                  links: { alice-bob: 9 }
                steps: [connect, { send: { to: bob, text: hi }, expect: { status: delivered } }, { wait: 5s }]
                """)
            return try #require(result.journal).events().count { $0["name"] == "send-confirmed" }
        }
        #expect(try confirmations("") == 1)
        #expect(try confirmations(", quirks: { confirms-twice: true }") == 2)
        #expect(try confirmations(", quirks: { confirms-twice: true, loses-send-confirmed: true }") == 0)
    }

    @Test func `knows what led to a received message, back to the step`() throws {
        let result = try run(
            Self.pair + """
                steps: [connect, { message: { from: bob, to: alice, text: hello }, expect: { messages: { text: hello, at-least: 1 } } }]
                """)
        let journal = try #require(result.journal)
        let stored = try #require(journal.events().first { $0.kind == .messageStored })
        #expect(
            journal.chain(to: stored.id).map(\.kind) == [
                .stepStarted, .packetQueued, .packetSent, .packetReceived, .messageQueued, .frameFromRadio,
                .messageStored,
            ])
    }

    @Test func `keeps secrets out of its journal`() throws {
        let result = try run(
            """
            title: t
            requirement: r
            world: { nodes: { alice: { channels: [{ name: club, secret: 00112233445566778899aabbccddeeff }] } } }
            steps: [connect]
            """)
        let lines = try #require(result.journal).events().map { $0.jsonLine() }.joined(separator: "\n")
        #expect(result.verdict == .passed)
        #expect(lines.contains("club"))
        #expect(!lines.contains("00112233445566778899aabbccddeeff"))
        #expect(lines.contains("private-key"))
    }

    @Test(arguments: [
        "corrupt: { at-byte: 3 }", "corrupt: { at-byte: 3, flip: 3 }", "corrupt: { at-byte: 3, flip: 16 }",
        "corrupt: { at-byte: 1 }", "truncate: 40", "insert: { hex: 3e6000 }",
    ])
    func `keeps secrets out of its journal when their frame is damaged`(damage: String) throws {
        let secret = "a1b2c3d4e5f60718293a4b5c6d7e8f90"
        let result = try run(
            """
            title: t
            requirement: r
            world: { nodes: { alice: { channels: [{ name: club, secret: \(secret) }] } } }
            faults: [{ name: damage, on: bytes, direction: from-radio, when: { frame: channel-info, nth: 2 }, \(damage) }]
            steps: [connect, { wait: 10s }]
            sometimes: { fault: damage }
            """)
        let lines = try #require(result.journal).events().map { $0.jsonLine() }.joined(separator: "\n")
        #expect(lines.contains("636c7562"), "the damaged frame is there")
        for start in stride(from: 0, through: secret.count - 12, by: 2) {
            #expect(!lines.contains(secret.dropFirst(start).prefix(12)))
        }
    }

    @Test(arguments: [
        ("radios>=3", Verdict.blocked), ("radios>=2", .passed), ("kiss-modem", .blocked), ("simulater", .bad),
    ])
    func `is blocked when its testbed lacks what it requires`(wanted: String, verdict: Verdict) throws {
        #expect(try run(Self.pair + "requires: [\"\(wanted)\"]\nsteps: [connect]").verdict == verdict)
    }

    @Test func `keeps to its air time or fails`() throws {
        let steps = "steps: [connect, { send: { to: bob, text: x }, expect: { status: delivered } }]\n"
        #expect(try run(Self.pair + steps + "budget: { air-time: 3s }").verdict == .passed)
        let over = try run(Self.pair + steps + "budget: { air-time: 100ms }")
        #expect(over.failures.map(\.name) == ["budget: air-time"])
    }

    @Test func `gives the client the settings of its file`() throws {
        let text =
            Self.pair + "client: { role: alice, settings: { give-up-after: 3min } }\n"
            + "steps: [connect, { cut: alice-bob }, { send: { to: bob, text: x }, expect: { status: failed, within: 2min } }]"
        #expect(try run(text).verdict == .failed)
        #expect(try run(text.replacing("give-up-after: 3min", with: "give-up-after: 30s")).verdict == .passed)
    }

    @Test func `takes the link away from a client whose radio restarts or is switched off`() throws {
        let steps = "steps: [connect, { reboot: alice, expect: [{ state: connecting }, { state: ready }] }]\n"
        let usb = try run(Self.pair + "link: usb-cdc\n" + steps)
        #expect(usb.verdict == .passed, "\(usb.failures)")
        #expect(try run(Self.pair + "link: usb-uart-115200\n" + steps).verdict == .failed)
        let off = try run(
            Self.pair + "steps: [connect, { power-off: alice, expect: { state: disconnected, within: 60s } }, "
                + "{ power-on: alice }, connect]\nexpect: { state: ready }")
        #expect(off.verdict == .passed, "\(off.failures)")
    }

    @Test(arguments: [
        "faults: [{ name: x, delay: 1h, when: { frame: tuning } }]\nsteps: [connect, { get: tuning, expect: { error: timeout } }]",
        "faults: [{ name: x, drop: true, when: { frame: tuning }, duration: 10h }]\nsteps: [connect]",
        "faults: [{ name: x, lose-link: before, at: 10h }]\nsteps: [connect]",
        "faults: [{ name: x, split: { into: every-byte, gap: 1h }, when: { frame: tuning } }]\n"
            + "steps: [connect, { get: tuning, expect: { error: timeout } }]",
        "steps: [connect, { lose-link: 300d }, { wait: 20min }]",
    ])
    func `ends whole although a disturbance would have lasted longer`(text: String) throws {
        let result = try run(Self.pair + text)
        #expect(result.verdict == .passed, "\(result.reason) \(result.failures)")
    }

    @Test func `a second refusal of the link does not shorten the first`() throws {
        let result = try run(
            Self.pair
                + "steps: [connect, { lose-link: 60s }, { lose-link: 1s }, { wait: 30s }]\nnever: { contacts: 99 }\n"
                + "expect: { state: ready }")
        #expect(result.verdict == .failed)
    }

    @Test(arguments: [
        ("message: { from: hill, to: alice, text: x }", "no-companion"),
        ("message: { from: hill, channel: public, text: x }", "no-companion"),
        ("message: { from: bob, to: hill, text: x }", "unknown-contact"),
        ("message: { from: bob, to: alice, text: \"\(String(repeating: "x", count: 161))\" }", "text-too-long"),
        ("message: { from: carl, to: alice, text: x }", "bad-state"),
    ])
    func `says what a node cannot do`(step: String, error: String) throws {
        let world = """
            title: t
            requirement: r
            world:
              nodes: { alice: {}, bob: { contacts: [alice] }, carl: { contacts: [alice], off: true }, hill: repeater }

            """
        let result = try run(world + "steps: [{ \(step), expect: { error: \(error) } }]")
        #expect(result.verdict == .passed, "\(result.reason) \(result.failures)")
    }

    @Test func `a fault without a name keeps apart from one that bears its number`() throws {
        let faults =
            "faults: [{ name: fault 2, drop: true, when: { frame: tuning } }, { drop: true, when: { frame: tuning } }]\n"
        #expect(try run(Self.pair + faults + "steps: [connect]").verdict == .passed)
    }

    @Test func `has contacts of its own from each group, and waiting messages from whom it knows by another name`()
        throws
    {
        let text = """
            title: t
            requirement: r
            world:
              nodes:
                alice:
                  contacts: [{ generate: 5 }, { generate: 5, favourite: true }, bob]
                  queued-messages: [{ from: bob, text: x }]
                bob: { name: "Bob of the hill" }
            steps: [{ connect: , expect: [{ contacts: 11 }, { messages: { from: bob, text: x, count: 1 } }] }]
            """
        #expect(try run(text).verdict == .passed)
    }

    @Test func `takes an hour of mesh time for its events only`() throws {
        let result = try run(Self.pair + "budget: { virtual-time: 2h }\nsteps: [connect, { wait: 1h }]")
        #expect(result.verdict == .passed, "\(result.reason)")
        #expect(result.virtualTime >= .seconds(3600))
        #expect(result.eventCount < 2_000)
    }
}

@Suite struct `The reference` {
    @Test func `in the documents is the one the program writes`() throws {
        let bytes = try FileAccess.read(Fixture.repositoryRoot() + "/docs/reference.md")
        #expect(String(decoding: bytes, as: UTF8.self) == Reference.markdown)
    }
}
