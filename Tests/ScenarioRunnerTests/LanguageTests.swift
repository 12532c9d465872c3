import RigRuntime
import RunRecord
import ScenarioModel
import ScenarioRunner
import Testing

/// Runs of small scenarios, from their text.
enum Play {
    static let pair = """
        title: t
        requirement: r
        world:
          nodes: { alice: { contacts: [bob] }, bob: { contacts: [alice] } }
          links: { alice-bob: 9 }

        """

    /// Two companions with a repeater and a sensor beside them.
    static let valley = """
        title: t
        requirement: r
        world:
          nodes:
            alice: { contacts: [bob, hill, thermo], channels: ["#hike"] }
            bob: { contacts: [alice] }
            hill: { role: repeater }
            thermo: { role: sensor, readings: { temperature: 21.5 } }
          links: { alice-hill: 9, hill-bob: 7, alice-thermo: 9 }

        """

    static func run(_ text: String, _ settings: RunSettings = RunSettings()) throws -> CaseResult {
        let node = try YAMLFile.parse(Array(text.utf8), file: "f.yaml")
        let documents = try ScenarioDocument.cases(of: node, id: "f")
        return CaseRunner(try #require(documents.first), settings).run()
    }

    /// Passes, and fails with `other` in the place of `this`.
    static func expectTold(_ text: String, _ this: String, otherwise other: String) throws {
        let good = try run(text)
        #expect(good.verdict == .passed, "\(good.reason) \(good.failures.map { $0.name + ": " + $0.seen })")
        #expect(text.contains(this))
        let bad = try run(text.replacing(this, with: other))
        #expect(bad.verdict == .failed, "\(bad.verdict) \(bad.reason)")
    }
}

@Suite struct `Steps with results` {
    @Test(arguments: [
        ("get: battery", "battery: { at-least: 4000, at-most: 4200 }", "battery: { at-least: 4201 }"),
        ("get: self-info", "name: alice", "name: bob"), ("get: self-info", "name: /^ali/", "name: { not: /^ali/ }"),
        ("get: device-info", "version: /v1.17/", "version: /v1.16/"),
        ("get: { what: contact, of: bob }", "name: bob", "name: alice"),
        ("get: { what: channel, slot: 1 }", "name: \"#hike\"", "name: \"#bike\""),
        ("get: contacts", "count: 3", "count: 4"), ("get: core-statistics", "battery: 4100", "battery: 4101"),
        ("get: packet-statistics", "received: 0", "received: 1"),
        ("get: radio-statistics", "noise-floor: -110", "noise-floor: 0"),
        ("get: telemetry", "1 voltage: 4.1 V", "1 voltage: 5 V"),
        ("get: tuning", "airtime-factor: 1000", "airtime-factor: 0"),
        ("get: private-key", "size: 64", "size: 32"),
        ("get: { what: connection, of: hill }", "connected: false", "connected: true"),
        ("get: auto-add", "mask: 0", "mask: 1"), ("get: exported-contact", "packet: /^11/", "packet: /^12/"),
        ("get: repeat-frequencies", "count: 3", "count: 2"),
        ("get: default-flood-scope", "name: { is: \"\" }", "name: x"),
        ("start-app", "name: alice", "name: bob"), ("trace: [hill]", "final-snr: 9", "final-snr: 8"),
        ("login: { to: hill, password: \"password\" }", "rights: admin", "rights: guest"),
        ("sign: 0011", "signature: \"/^[0-9a-f]+$/\"", "signature: /^$/"),
    ])
    func `give values that conditions can be about`(step: String, right: String, wrong: String) throws {
        let line = step.contains(":") ? step : "\(step):"
        let text = Play.valley + "steps:\n  - connect\n  - \(line)\n    expect: { result: { \(right) } }\n"
        try Play.expectTold(text, "result: { \(right) }", otherwise: "result: { \(wrong) }")
    }

    @Test(arguments: [
        ("name: \"Al\"", "self-info", "name: Al"), ("transmit-power: 17", "self-info", "power: 17"),
        ("position: [47.5, 8.25]", "self-info", "latitude: 47500000, longitude: 8250000"),
        ("tuning: { receive-delay: 1.5 }", "tuning", "receive-delay: 1500, airtime-factor: 1000"),
        ("auto-add: { kinds: [chat, room], max-hops: 3 }", "auto-add", "mask: 10, max-hops: 3"),
        ("manual-add: true", "self-info", "manual-add-contacts: 1"),
        ("telemetry: { base: all, location: by-contact }", "self-info", "telemetry-modes: 6"),
        ("advert-location: 1", "self-info", "advert-location-policy: 1"),
        ("multi-acks: 1", "self-info", "multi-acks: 1"),
        ("path-hash-mode: 2", "device-info", "path-hash-mode: 2"),
        ("default-flood-scope: ch", "default-flood-scope", "name: ch"),
        ("channel: { slot: 2, name: \"#x\" }", "{ what: channel, slot: 2 }", "name: \"#x\""),
        ("channel: { slot: 1 }", "{ what: channel, slot: 1 }", "name: { is: \"\" }"),
        (
            "radio: { frequency: 868.1, bandwidth: 125, spreading-factor: 9, coding-rate: 6 }", "self-info",
            "frequency: 868100, bandwidth: 125000, spreading-factor: 9, coding-rate: 6"
        ),
        ("pin: 123456", "device-info", "pin: <secret>"),
        ("device-time: 1800000000", "device-time", "time: { at-least: 1800000000 }"),
    ])
    func `change what the radio then tells`(setting: String, question: String, told: String) throws {
        let tail = "  - get: \(question)\n    expect: { result: { \(told) } }\n"
        let result = try Play.run(Play.valley + "steps:\n  - connect\n  - set: { \(setting) }\n" + tail)
        #expect(result.verdict == .passed, "\(result.failures)")
        guard !setting.hasPrefix("pin") else { return }
        #expect(try Play.run(Play.valley + "steps:\n  - connect\n" + tail).verdict == .failed)
    }

    @Test func `can be compared with what an earlier step gave`() throws {
        let steps = """
            steps:
              - connect
              - { get: device-time, as: early }
              - wait: 5s
              - get: device-time
                expect: { result: { time: { differs-from: early } } }
            """
        try Play.expectTold(Play.valley + steps, "differs-from", otherwise: "same-as")
    }

    @Test func `put no password, key or PIN into the record`() throws {
        let steps = """
            steps:
              - connect
              - { login: { to: hill, password: "hunter2hunter2", limit: 3s }, expect: { error: timeout } }
              - set: { pin: 987654 }
              - set: { private-key: "\(String(repeating: "58", count: 32))\(String(repeating: "77", count: 32))" }
                expect: { result: ok, within: 1s }
            """
        let result = try Play.run(Play.valley + steps)
        let journal = try #require(result.journal)
        let text = journal.events().map { $0.jsonLine(withHostFacts: true) }.joined(separator: "\n") + "\(result)"
        for secret in ["hunter2", "987654", "5858585858", "7777777777", "68756e74657232"] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }

    @Test func `ask a sensor for its readings`() throws {
        let steps = """
            steps:
              - connect
              - login: { to: thermo, password: "password" }
              - request: { what: telemetry, of: thermo }
                expect: { result: { 2 temperature: 21.5 °C } }
              - change-node: { node: thermo, readings: { temperature: -3 } }
              - request: { what: telemetry, of: thermo }
                expect: { result: { 2 temperature: -3 °C } }
            """
        try Play.expectTold(Play.valley + steps, "2 temperature: -3", otherwise: "2 temperature: -4")
    }

    @Test func `ask a repeater for status, access list, neighbours and owner`() throws {
        let steps = """
            steps:
              - connect
              - login: { to: hill, password: "password" }
              - { request: { what: status, of: hill }, expect: { result: { battery: 4100, receive-errors: 0 } } }
              - { request: { what: access, of: hill }, expect: { result: { count: 1 } } }
              - { request: { what: owner, of: hill }, expect: { result: { name: hill } } }
              - { request: { what: neighbours, of: hill }, expect: { result: { count: 0 } } }
              - command-line: { to: hill, text: ver }
                expect: { frames: { reply: [direct-message, direct-message-v3], where: { text: /v1.17.1/, text-type: 1 } } }
            """
        try Play.expectTold(Play.valley + steps, "/v1.17.1/", otherwise: "/v1.17.2/")
    }
}

@Suite struct `Blocks of steps` {
    @Test func `are repeated with the number of the round`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - repeat: 3
                    steps:
                      - message: { from: bob, to: alice, text: "round ${round}" }
                        expect: { messages: { from: bob, text: "round ${round}" } }
                      - repeat: 2
                        steps: [{ note: "inner ${round}" }]
                expect: { messages: { from: bob, text: /^round/, count: 3 } }
                """
        let result = try Play.run(text)
        #expect(result.verdict == .passed, "\(result.failures)")
        let notes = result.journal?.events().filter { $0.kind == .note }.compactMap { $0["text"]?.plainText }
        #expect(notes == ["inner 1", "inner 2", "inner 1", "inner 2", "inner 1", "inner 2"])
        #expect(try Play.run(text.replacing("repeat: 3", with: "repeat: 2")).verdict == .failed)
    }

    @Test func `go on side by side`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - parallel:
                      - [{ wait: 10s }, { note: late }]
                      - [{ wait: 2s }, { note: early }, { send: { to: bob, text: x }, expect: { status: delivered } }]
                      - { note: first }
                  - note: behind
                """
        let result = try Play.run(text, RunSettings(checksDeterminism: true))
        #expect(result.verdict == .passed, "\(result.failures) \(result.reason)")
        let notes = result.journal?.events().filter { $0.kind == .note }.compactMap { $0["text"]?.plainText }
        #expect(notes == ["first", "early", "late", "behind"])
    }

    @Test func `stop the run when a branch does, without waiting for the others`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - parallel: [[{ wait: 500s }], [{ wait: 1s }, { send: { to: nobody, text: x } }]]
                  - note: never
                """
        let result = try Play.run(text)
        #expect(result.verdict == .failed)
        #expect(result.failures.first?.seen.contains("unknown-contact") == true)
        #expect(result.journal?.events().contains { $0.kind == .note } == false)
        #expect(result.virtualTime < .seconds(100))
    }
}

@Suite struct `Phases` {
    static let outage = """
        steps:
          - connect
          - phase: outage
          - cut: alice-bob
          - { send: { to: bob, text: x, once: true } }
          - wait: 20s
          - heal-all
          - phase: after
          - { send: { to: bob, text: y }, as: m, expect: { status: delivered } }

        """

    @Test func `limit what expectations look at`() throws {
        let text = Play.pair + Self.outage + "never: { packets: { from: bob }, during: outage }"
        try Play.expectTold(text, "during: outage", otherwise: "during: after")
        try Play.expectTold(
            Play.pair + Self.outage + "expect: { packets: { from: bob }, during: after }",
            "during: after", otherwise: "during: outage")
    }

    @Test func `begin with a look at what is so`() throws {
        let text = Play.pair + Self.outage + "always: { state: ready, during: after }"
        try Play.expectTold(text, "state: ready", otherwise: "state: disconnected")
    }
}

@Suite struct `The client's store` {
    @Test func `is told by contact, channel and message`() throws {
        let text =
            Play.pair.replacing("bob: { contacts: [alice] }", with: "bob: { contacts: [alice] }, carl: {}") + """
                steps:
                  - connect
                  - message: { from: bob, to: alice, text: hey }
                    expect:
                      - messages: { from: bob, where: { read: false, hops: 0 } }
                      - contact: { name: bob, where: { unread: 1, type: chat } }
                  - send: { to: bob, text: hello }
                    expect: { messages: { to: bob, where: { status: delivered, send-count: 1 } } }
                expect:
                  - channel: { name: public, where: { slot: 0, unread: 0 } }
                  - contact: { name: carl, absent: true }
                  - store: { contacts: 1, messages: 2, unread: 1 }
                """
        for (right, wrong) in [
            ("unread: 1, type", "unread: 2, type"), ("status: delivered", "status: failed"), ("slot: 0", "slot: 1"),
            ("absent: true", "absent: false"), ("messages: 2, unread", "messages: 3, unread"),
        ] { try Play.expectTold(text, right, otherwise: wrong) }
    }

    @Test func `is compared with a snapshot`() throws {
        let text =
            Play.pair
                + """
                steps:
                  - connect
                  - snapshot:
                    as: before
                  - reconnect
                    # nothing has changed
                  - { sync: full, expect: { store: { digest: { same-as: before } } } }
                """.replacing("    # nothing has changed\n", with: "")
        let result = try Play.run(text)
        #expect(result.verdict == .passed, "\(result.failures) \(result.reason)")
        let changed = text.replacing(
            "  - reconnect", with: "  - { message: { from: bob, to: alice, text: x }, after: 1s }\n  - wait: 5s")
        #expect(try Play.run(changed).verdict == .failed)
    }

    @Test func `begins with what the file says`() throws {
        let text = """
            title: t
            requirement: r
            world:
              nodes: { alice: { contacts: [bob] }, bob: { contacts: [alice] }, carl: {} }
              links: { alice-bob: 9 }
            client:
              role: alice
              stored:
                contacts: [bob, carl]
                channels: [public, "#old"]
                messages:
                  - { from: bob, text: "yesterday", age: 1d, read: false }
                  - { to: carl, text: "long gone", status: failed }
                  - { channel: "#old", sender: dave, text: "hi" }
                sync-mark: 1749999000
            steps:
              - note: before
                expect: [{ contacts: 2 }, { channels: 2 }, { messages: { count: 3 } }, { store: { sync-mark: 1749999000 } }]
              - connect
            expect:
              - { messages: { to: carl, where: { status: failed } } }
              - frames: { command: get-contacts, where: { since: 1749999000 } }
            """
        for (right, wrong) in [
            ("{ contacts: 2 }", "{ contacts: 1 }"), ("count: 3", "count: 4"),
            ("where: { since: 1749999000", "where: { since: 1749999001"),
        ] { try Play.expectTold(text, right, otherwise: wrong) }
    }

    @Test func `cannot begin with messages of nobody`() throws {
        let text =
            Play.pair + "client: { role: alice, stored: { messages: [{ from: bob, text: x }] } }\nsteps: [connect]"
        let result = try Play.run(text)
        #expect(result.verdict == .failed)
        #expect(result.failures.first?.seen.contains("not among the stored contacts") == true)
    }
}

@Suite struct `Raw bytes` {
    @Test func `go out as one frame, and what comes back is matched`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - send-frame: "16ff"
                    expect: { frames: { any: from-radio, bytes: "0d0d" } }
                """
        let result = try Play.run(text)
        let seen = result.journal?.events().last { $0.kind == .frameFromRadio }?["frame"]
        guard case .bytes(let frame)? = seen else { return #expect(Bool(false), "no frame came back") }
        // DEVICE_INFO, whatever its contents.
        #expect(frame.first == 13)
        #expect(result.verdict == (frame.starts(with: [13, 13]) ? .passed : .failed))
        try Play.expectTold(text, "\"0d0d\"", otherwise: "\"0d0e\"")
    }

    @Test func `match packets on the air`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - { send: { to: bob, text: x }, expect: { status: delivered } }
                expect: { packets: { from: alice, bytes: "09", where: { hops: 0, size: { at-most: 60 } } } }
                """
        for (right, wrong) in [
            ("bytes: \"09\"", "bytes: \"0a\""), ("hops: 0", "hops: 1"), ("at-most: 60", "at-most: 5"),
        ] {
            try Play.expectTold(text, right, otherwise: wrong)
        }
    }
}

@Suite struct `The world during a run` {
    @Test func `is parted and healed`() throws {
        let text =
            Play.valley + """
                steps:
                  - connect
                  - partition: [[alice], [hill, bob]]
                  - { send: { to: bob, text: x, once: true }, as: lost }
                  - wait: 15s
                  - heal-all
                  - { resend: lost, expect: { status: delivered, within: 60s } }
                """
        try Play.expectTold(text, "heal-all", otherwise: "note: no")
    }

    @Test func `moves a node out of reach and back`() throws {
        let text = """
            title: t
            requirement: r
            world:
              geometry: {}
              nodes:
                alice: { contacts: [bob], position: [47, 8] }
                bob: { contacts: [alice], position: [47.001, 8] }
            steps:
              - connect
              - { send: { to: bob, text: near }, expect: { status: delivered } }
              - change-node: { node: bob, position: [55, 8] }
              - { send: { to: bob, text: far, once: true }, as: far }
              - wait: 15s
              - change-node: { node: bob, position: [47.001, 8] }
              - { resend: far, expect: { status: delivered, within: 60s } }
            never: { name: never far, received: { by: bob, text: far, at-least: 2 } }
            """
        try Play.expectTold(
            text, "position: [55, 8]", otherwise: "position: [47.002, 8] }\n  - send: { to: bob, text: far")
    }

    @Test func `sets a node's clock`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - change-node: { node: bob, clock: 1900000000 }
                  - message: { from: bob, to: alice, text: later }
                    expect: { messages: { text: later, where: { original-timestamp: { at-least: 1900000000 } } } }
                """
        let result = try Play.run(text)
        let stored = result.failures.map(\.seen)
        #expect(result.verdict == .passed, "\(stored)")
    }
}

@Suite struct `What would pass for nothing` {
    @Test func `a loss that comes later counts although no link loses at first`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - degrade: { link: alice-bob, loss: 100% }
                  - { send: { to: bob, text: x, once: true } }
                  - wait: 10s
                never: { received: { by: bob, text: x } }
                """
        try Play.expectTold(text, "loss: 100%", otherwise: "loss: 0%")
    }

    @Test func `a radio that refuses a peer's message fails the step`() throws {
        let text = Play.pair + "steps: [connect, { message: { from: bob, to: alice, attempt: 255, text: \"TEXT\" } }]"
        #expect(try Play.run(text.replacing("TEXT", with: String(repeating: "x", count: 158))).verdict == .passed)
        let result = try Play.run(text.replacing("TEXT", with: String(repeating: "x", count: 159)))
        #expect(result.verdict == .failed)
        #expect(result.failures.first?.seen.contains("refused the message") == true)
    }

    @Test func `a node that is off advertises nothing`() throws {
        let result = try Play.run(
            Play.pair + "steps: [{ power-off: bob }, { advertise: bob, expect: { error: bad-state } }]")
        #expect(result.verdict == .passed)
    }

    @Test func `an exact count of stored messages is judged when its time is over`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - repeat: 2
                    steps: [{ message: { from: bob, to: alice, text: "x${round}" }, after: 3s }]
                """
        let early = text.replacing("    steps: [{", with: "    steps: [{").replacing(
            "- connect",
            with: "- connect:\n    concurrent: true\n    expect: { messages: { from: bob, count: 1 }, within: 20s }")
        #expect(try Play.run(early).verdict == .failed)
        #expect(try Play.run(early.replacing("count: 1", with: "count: 2")).verdict == .passed)
    }

    @Test(arguments: [
        ("cut: alice-carl", "the file has no link between alice and carl"),
        ("degrade: alice-bob", "degrade needs \"snr\" or \"loss\""),
        ("degrade: { link: alice-bob, snr: -100 }", "between -32 and 31.75 dB"),
    ])
    func `steps that could do nothing are noticed before the run`(step: String, message: String) throws {
        let text = Play.pair.replacing("bob: { contacts: [alice] }", with: "bob: { contacts: [alice] }, carl: {}")
        let result = try Play.run(text + "steps: [{ \(step) }]")
        #expect(result.verdict == .bad)
        #expect(result.reason.contains(message), "\(result.reason)")
    }

    @Test(arguments: [
        ("event: { kind: packet-received, who: bobb }", "unknown node \"bobb\""),
        ("event: { kind: packet-received, where: { frmo: bob } }", "unknown field \"frmo\"; did you mean \"from\"?"),
        ("packets: { from: bobb }", "unknown node"), ("received: { by: bob, from: bobby }", "unknown node"),
        ("received: { by: bob, channel: \"#nope\" }", "unknown channel"),
        ("received: { by: alice }", "alice has the client"),
        ("messages: { from: nobody }", "unknown contact"), ("messages: { channel: \"#nope\" }", "unknown channel"),
    ])
    func `expectations of nobody are noticed before the run`(expectation: String, message: String) throws {
        let result = try Play.run(Play.pair + "steps: [connect]\nnever: { \(expectation) }")
        #expect(result.verdict == .bad)
        #expect(result.reason.contains(message), "\(result.reason)")
    }

    @Test func `every field an event has is one of those that can be asked for`() throws {
        for scenario in Catalogue.documents.prefix(60) {
            let events = CaseRunner(scenario, RunSettings()).run().journal?.events() ?? []
            for event in events {
                guard let names = event.kind.fieldNames else { continue }
                let unknown = event.fields.entries.map(\.name).filter { !names.contains($0) }
                #expect(unknown.isEmpty, "\(event.kind): \(unknown)")
            }
        }
    }

    @Test func `all that is wrong with a file is told at once`() throws {
        let text = """
            title: t
            requirement: r
            world: { nodes: { alice: { contcts: [bob] }, bob: {} }, links: { alice-bobb: 9 } }
            steps: [conect, { send: { to: bob } }]
            faults: [{ dropp: true }]
            expect: { packets: { from: hil } }
            """
        let problems = ProblemList()
        let node = try YAMLFile.parse(Array(text.utf8), file: "f.yaml")
        let documents = try ScenarioDocument.read(
            node, id: "f", settings: [], strict: true, open: OverlayFiles(root: "").open, problems)
        for document in documents { _ = Script(document, on: .simulator, problems) }
        let words = ["contcts", "bobb", "conect", "needs \"text\"", "dropp", "hil"]
        for word in words {
            #expect(problems.errors.contains { $0.message.contains(word) }, "\(word)")
        }
        #expect(problems.errors.count == words.count)
    }
}

@Suite struct `Expectations and their time` {
    @Test func `of messages count only what came in their phase`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - { message: { from: bob, to: alice, text: early }, expect: { messages: { from: bob } } }
                  - { send: { to: bob, text: early }, expect: { status: delivered } }
                  - phase: quiet
                  - wait: 5s
                  - phase: after
                  - { message: { from: bob, to: alice, text: late }, expect: { messages: { text: late } } }
                  - { send: { to: bob, text: late }, expect: { status: delivered } }
                expect:
                  - { messages: { from: bob, count: 0 }, during: quiet }
                  - { messages: { from: bob, count: 1 }, during: after }
                  - { received: { by: bob, count: 0 }, during: quiet }
                  - { received: { by: bob, count: 1 }, during: after }
                never:
                  - { received: { by: bob }, during: quiet }
                """
        let result = try Play.run(text)
        #expect(result.verdict == .passed, "\(result.failures.map { $0.name + ": " + $0.seen })")
        for wrong in [
            "messages: { from: bob, count: 1 }, during: quiet", "received: { by: bob, count: 1 }, during: quiet",
        ] {
            let right = wrong.replacing("count: 1", with: "count: 0")
            #expect(try Play.run(text.replacing(right, with: wrong)).verdict == .failed, "\(wrong)")
        }
    }

    @Test func `of how a verb ends are decided when it has`() throws {
        let slow =
            Play.valley + """
                steps:
                  - connect
                  - { request: { what: status, of: hill }, expect: { error: timeout } }
                  - note: behind
                """
        let result = try Play.run(slow)
        #expect(result.verdict == .passed, "\(result.failures.map(\.seen))")
        #expect(result.virtualTime > .seconds(30))
        let wrong = try Play.run(Play.valley + "steps: [connect, { get: battery, expect: { result: { battery: 1 } } }]")
        #expect(wrong.verdict == .failed)
        #expect(wrong.virtualTime < .seconds(5))
    }

    @Test func `of an earlier message see what became of it before`() throws {
        let text =
            Play.pair + """
                steps:
                  - connect
                  - { send: { to: bob, text: x }, as: m, expect: { status: delivered } }
                  - { note: later, expect: { message: m, status: delivered } }
                """
        try Play.expectTold(text, "{ message: m, status: delivered }", otherwise: "{ message: m, status: failed }")
    }

    @Test func `compare the number before a unit`() throws {
        let text =
            Play.valley + """
                steps:
                  - connect
                  - login: { to: thermo, password: "password" }
                  - request: { what: telemetry, of: thermo }
                    expect: { result: { 2 temperature: { at-least: 21, at-most: 22 } } }
                """
        try Play.expectTold(text, "at-least: 21,", otherwise: "at-least: 21.6,")
    }

    @Test func `count what was stored unread`() throws {
        let text = """
            title: t
            requirement: r
            world: { nodes: { alice: { contacts: [bob] }, bob: {} }, links: { alice-bob: 9 } }
            client: { role: alice, stored: { contacts: [bob], messages: [{ from: bob, text: x, read: false }] } }
            steps: [{ note: x, expect: [{ contact: { name: bob, where: { unread: 1 } } }, { store: { unread: 1 } }] }]
            """
        try Play.expectTold(text, "where: { unread: 1 }", otherwise: "where: { unread: 0 }")
    }

    @Test(arguments: [
        ("messages: { where: { state: x } }", "unknown value \"state\"; did you mean \"status\"?"),
        ("messages: { where: { status: deliverd } }", "did you mean \"delivered\"?"),
        ("contact: { name: bob, where: { favorite: true } }", "did you mean \"favourite\"?"),
        ("contact: { name: bob, where: { type: companion } }", "unknown type \"companion\""),
        ("contact: bobb", "unknown contact"), ("channel: \"#nix\"", "unknown channel"),
        ("frames: { command: send-text, where: { atempt: 0 } }", "did you mean \"attempt\"?"),
        ("packets: { where: { sise: 3 } }", "did you mean \"size\"?"), ("radio: { node: bob }", "radio needs one of"),
        ("state: ready, within: 3s", "within belongs to the expectations of a step"),
    ])
    func `of what never is are noticed before the run`(expectation: String, message: String) throws {
        let result = try Play.run(Play.pair + "steps: [connect]\nnever: { \(expectation) }")
        #expect(result.verdict == .bad)
        #expect(result.reason.contains(message), "\(result.reason)")
    }

    @Test(arguments: [
        ("steps: [{ message: { from: alice, to: bob, text: x } }]", "alice has the client"),
        ("steps: [connect]\nfaults: [{ name: x, start: by-step, drop: true }]", "waits for a step that never comes"),
    ])
    func `and steps that cannot be meant are noticed too`(text: String, message: String) throws {
        let node = try YAMLFile.parse(Array((Play.pair + text).utf8), file: "f.yaml")
        let error = #expect(throws: ScenarioErrors.self) {
            _ = try Script(try #require(try ScenarioDocument.cases(of: node, id: "f").first))
        }
        #expect(error?.description.contains(message) == true, "\(error.debugDescription)")
    }
}
