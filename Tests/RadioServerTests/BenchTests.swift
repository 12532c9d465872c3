import MeshTransport
import RadioSimulator
import RigRuntime
import RunRecord
import ScenarioModel
import ScenarioRunner
import Testing

@testable import RadioServer

/// The same file on the simulator and on radios that somebody else runs.
@Suite(.timeLimit(.minutes(1)), .serialized) struct `A bench of radios` {
    private static let scenario = """
        title: There and back
        requirement: A message is confirmed and received once
        world:
          nodes:
            alice: { contacts: [carol], channels: [public] }
            carol: { contacts: [alice], channels: [public] }
          links: { alice-carol: 9 }
        client: alice
        steps:
          - connect
          - send: { to: carol, text: "hello" }
            expect:
              - { status: delivered, within: 20s }
              - { received: { by: carol, from: alice, text: "hello" } }
          - message: { from: carol, to: alice, text: "back" }
            expect: { messages: { text: "back", at-least: 1 }, within: 20s }
          - lose-link
          - wait: 1s
            expect: { state: ready, within: 3s }
        expect: { messages: { text: "back", count: 1 } }
        """

    private func testbed(_ text: String) throws -> TestbedDocument {
        try TestbedDocument(try YAMLFile.parse(Array(text.utf8), file: "desk.yaml"), file: "desk.yaml")
    }

    private func run(
        _ text: String, on testbed: TestbedDocument?, _ consent: BenchConsent = BenchConsent(transmits: true),
        defects: [Defect] = []
    ) async throws -> CaseResult {
        let node = try YAMLFile.parse(Array(text.utf8), file: "f.yaml")
        let document = try #require(try ScenarioDocument.cases(of: node, id: "f").first)
        var settings = RunSettings(defects: defects)
        settings.testbed = testbed
        settings.consent = consent
        let runner = CaseRunner(document, settings)
        return await withCheckedContinuation { continuation in
            precondition(PlatformThread.start { continuation.resume(returning: runner.run()) })
        }
    }

    private func bench(_ server: RunningServer, _ more: String = "") throws -> TestbedDocument {
        try testbed(
            "radios: { alice: \"tcp:127.0.0.1:\(server.port(of: "alice"))\", carol: { at: \"pty:\(server.terminal(of: "carol"))\"\(more) } }"
        )
    }

    private func valley(_ folder: ScratchFolder) async throws -> RunningServer {
        var configuration = Valley.configuration(terminals: folder.path, pace: 20)
        configuration.world.nodes.removeAll { $0.name == "bob" }
        configuration.world.nodes[0].contacts = [ContactSpec(.node("carol"))]
        configuration.world.links = LinkSpec.both("alice", "carol")
        return try await RunningServer.start(configuration)
    }

    @Test func `runs a file as the simulator does`() async throws {
        #expect(try await run(Self.scenario, on: nil).verdict == .passed)
        let folder = ScratchFolder()
        let server = try await valley(folder)
        let result = try await run(Self.scenario, on: try bench(server))
        await server.stop()
        #expect(result.verdict == .passed, "\(result.reason) \(result.expectations)")
        let events = try #require(result.journal).events()
        #expect(events.contains { $0.kind == .peerMessage && $0.subject == "carol" && $0["text"] == "hello" })
        #expect(!events.contains { $0.kind == .frameToRadio && $0.subject == "carol" })
        #expect(events.contains { $0.kind == .linkDown && $0["reason"] == "link lost" })
    }

    @Test func `finds what is broken in the client there too`() async throws {
        let folder = ScratchFolder()
        let server = try await valley(folder)
        let result = try await run(Self.scenario, on: try bench(server), defects: [.noReconnect])
        await server.stop()
        #expect(result.verdict == .failed)
        #expect(result.failures.map(\.name) == ["state: ready"])
    }

    @Test func `is blocked by a radio that is another one, lacks a contact or does not answer`() async throws {
        let folder = ScratchFolder()
        let server = try await valley(folder)
        let other = try await run(Self.scenario, on: try bench(server, ", key: abcdef"))
        let stranger = Self.scenario.replacing("    carol: {", with: "    dora: {}\n    carol: {")
            .replacing("[carol]", with: "[carol, dora]")
        let dora = String(repeating: "d0", count: 32)
        let lacking = try await run(
            stranger,
            on: try testbed(
                "radios: { alice: \"tcp:127.0.0.1:\(server.port(of: "alice"))\", carol: { at: \"pty:\(server.terminal(of: "carol"))\" }, dora: { key: \(dora) } }"
            ))
        let port = server.port(of: "alice")
        await server.stop()
        let silent = try await run(
            Self.scenario, on: try testbed("radios: { alice: \"tcp:127.0.0.1:\(port)\", carol: \"pty:/dev/null\" }"))
        #expect([other, lacking, silent].map(\.verdict) == [.blocked, .blocked, .blocked])
        #expect(other.reason.contains("not abcdef…"))
        #expect(lacking.reason.contains("does not have dora among its contacts"))
        #expect(silent.reason.contains("does not answer"))
    }

    @Test(arguments: [
        ("steps: [connect]", "radios: { bob: \"tcp:h:1\" }", "has no radio for alice"),
        ("steps: [{ send: { to: bob, text: t } }]", "", "allow it with --allow-transmit"),
        ("steps: [{ set: { name: n } }]", "", "allow it with --allow-destructive"),
        ("steps: [connect]\nnever: { packets: { from: bob } }", "", "looks into the air"),
        ("requires: [power-switch]\nsteps: [connect]", "", "desk.yaml has no power-switch"),
        ("requires: [\"radios>=3\"]\nsteps: [connect]", "", "desk.yaml has no radios>=3"),
        (
            "client: bob\nsteps: [connect]",
            "radios: { alice: \"tcp:h:1\", bob: { key: \(String(repeating: "ab", count: 32)) } }",
            "does not say where the radio of bob is reached"
        ),
    ])
    func `says what it cannot do before it touches a radio`(text: String, radios: String, reason: String) async throws {
        let head = "title: t\nrequirement: r\nworld: { nodes: { alice: {}, bob: {} }, links: { alice-bob: 9 } }\n"
        let bench = try testbed(radios.isEmpty ? "radios: { alice: \"tcp:h:1\", bob: \"tcp:h:2\" }" : radios)
        let result = try await run(head + text, on: bench, BenchConsent())
        #expect(result.verdict == .blocked)
        #expect(result.reason.contains(reason), "\(result.reason)")
    }
}
