import RigBase
import RigRuntime
import RigTestKit
import RunRecord
import ScenarioModel
import ScenarioRunner
import Testing

@Suite struct ShrinkingTests {
    private func parse(_ text: String) throws -> YAMLNode { try YAMLFile.parse(Array(text.utf8), file: "t.yaml") }

    private func shrunk(_ text: String, _ holds: @escaping (YAMLNode) -> Bool) throws -> String {
        var shrinker = TreeShrinker(try parse(text), holds: holds)
        return YAMLWriter.text(shrinker.shrink())
    }

    @Test func `what the test does not need goes, and numbers and texts become simple`() throws {
        let text = """
            title: t
            tags: [a, b]
            steps:
              - connect
              - wait: 5min
              - send: { to: bob, text: "a long message", count: 100 }
                expect: [{ seen: "alice: a long message" }]
              - wait: 3s
            """
        let result = try shrunk(text) { tree in
            guard let send = tree["steps"]?.sequence?.first(where: { $0["send"] != nil }) else { return false }
            let said = send["send"]?["text"]?.text ?? ""
            return ScalarText.integer(send["send"]?["count"]?.text ?? "") ?? 0 >= 20
                && send["expect"]?.oneOrMany.first?["seen"]?.text == "alice: " + said && !said.isEmpty
        }
        #expect(
            result == """
                steps:
                  - send: { text: "a", count: 32 }
                    expect: { seen: "alice: a" }

                """)
    }

    @Test func `a node goes with all that speaks of it, and its neighbours hear each other`() throws {
        let text = """
            world:
              nodes: { alice: { contacts: [bob, carol] }, hill: { role: repeater }, bob: {}, carol: {} }
              links: { alice-hill: 9, hill-bob: 6, bob-carol: 1 }
            steps: [{ send: { to: bob } }, { message: { from: carol } }]
            """
        let result = try shrunk(text) { tree in
            guard let links = tree["world"]?["links"]?.mapping?.map(\.key), tree["steps"]?.sequence?.isEmpty == false
            else {
                return false
            }
            // A message from alice must be able to reach bob.
            return links.contains("alice-bob") || Set(links).isSuperset(of: ["alice-hill", "hill-bob"])
        }
        #expect(result.contains("links: { alice-bob: 0 }"))
        #expect(!result.contains("hill") && !result.contains("carol"))
    }

    @Test func `nothing holds but the whole, and the whole stays`() throws {
        let tree = try parse("a: [1, { b: \"text\" }]\nc: 99")
        var shrinker = TreeShrinker(tree, holds: { $0 == tree })
        #expect(shrinker.shrink() == tree)
    }

    @Test func `a bound is kept`() throws {
        var calls = 0
        var shrinker = TreeShrinker(
            try parse("a: [1, 2, 3, 4, 5, 6, 7, 8]"),
            holds: { _ in
                calls += 1
                return false
            }, isSpent: { calls >= 5 })
        _ = shrinker.shrink()
        #expect(calls == 5)
    }

    /// Shrinks a file of the catalogue with its own defect.
    private func shrunk(_ id: String) throws -> (text: String, runs: Int) {
        let root = try ScenarioFolder.node(at: Fixture.repositoryRoot() + "/Scenarios/\(id).yaml")
        let document = try #require(try ScenarioDocument.cases(of: root, id: id).first)
        let defect = try #require(document.defects.first.flatMap { Defect(rawValue: $0.name.name) })
        let tree = try #require(try ScenarioDocument.filledTree(of: root, id: id, caseID: id, settings: []))
        let oracle = try #require(try FailureOracle(tree, id: "small", seed: 1, defects: [defect], limit: 2_000))
        #expect(oracle.signature.name == document.defects.first?.catches)
        var shrinker = TreeShrinker(tree, holds: { oracle.holds($0) }, isSpent: { oracle.isSpent })
        let text = YAMLWriter.text(shrinker.shrink())
        // What came out can be read and fails alike, and passes without the defect.
        let again = try ScenarioDocument.cases(of: try parse(text), id: "small")
        let failed = CaseRunner(again[0], RunSettings(seed: 1, defects: [defect])).run()
        #expect(failed.verdict == .failed && failed.failures.map(\.name).contains(oracle.signature.name), "\(text)")
        #expect(CaseRunner(again[0], RunSettings(seed: 1)).run().verdict == .passed, "\(text)")
        return (text, oracle.runs)
    }

    @Test(arguments: [
        "client/direct-messages/flood-after-four", "client/connection/message-in-flight-across-reconnect",
    ])
    func `a failing scenario comes down to a handful of lines`(id: String) throws {
        let (text, runs) = try shrunk(id)
        #expect(text.split(separator: "\n").count <= 16, "\(runs) runs:\n\(text)")
        #expect(runs <= 2_001)
    }

    @Test func `the same comes out every time`() throws {
        let id = "client/direct-messages/flood-with-ack"
        #expect(try shrunk(id) == (try shrunk(id)))
    }

    @Test func `numbers that belong together shrink together`() throws {
        let result = try shrunk("a: { generate: 40 }\nb: { contacts: 40 }") { tree in
            tree["a"]?["generate"]?.text.flatMap { ScalarText.integer($0) } ?? 0 >= 3
                && tree["a"]?["generate"]?.text == tree["b"]?["contacts"]?.text
        }
        #expect(
            result == "a: { generate: 4 }\n\nb: { contacts: 4 }\n"
                || result == "a: { generate: 4 }\nb: { contacts: 4 }\n")
    }

    @Test func `a run that passes is not shrunk`() throws {
        let tree = try parse("title: t\nrequirement: r\nworld: { nodes: { a: {} } }\nsteps: [connect]")
        #expect(try FailureOracle(tree, id: "t", seed: 1, defects: [], limit: 10) == nil)
    }

    @Test func `parameters of the case are put in`() throws {
        let tree = try parse("title: ${t}\nparameters: { t: x }\nmatrix: { one: { t: y }, two: { t: z } }")
        let filled = try ScenarioDocument.filledTree(of: tree, id: "f", caseID: "f[two]", settings: [])
        #expect(filled.map(YAMLWriter.text) == "title: z\n")
        #expect(try ScenarioDocument.filledTree(of: tree, id: "f", caseID: "f[six]", settings: []) == nil)
    }

    @Test func `what only looks like a parameter after that reads the same again`() throws {
        let text =
            "title: ${t}\nparameters: { t: \"a ${u} $${v}\" }\nsteps: [{ repeat: 2, steps: [{ note: \"${round} $${x}\" }] }]"
        let tree = try parse(text)
        let once = try #require(try ScenarioDocument.filledTree(of: tree, id: "f", caseID: "f", settings: []))
        let twice = try ScenarioDocument.filledTree(of: once, id: "f", caseID: "f", settings: [])
        #expect(twice == once)
        #expect(once["title"]?.text == "a $${u} $$${v}")
        #expect(YAMLWriter.text(once).contains("note: \"${round} $${x}\""))
    }

    @Test func `a run that does not end comes down too`() throws {
        let tree = try parse(
            """
            title: t
            requirement: r
            world: { nodes: { a: { contacts: [b] }, b: {} }, links: { a-b: 9 } }
            steps: [connect, { wait: 90min }, { send: { to: b, text: "hello" } }]
            """)
        let oracle = try #require(try FailureOracle(tree, id: "t", seed: 1, defects: [], limit: 200))
        var shrinker = TreeShrinker(tree, holds: { oracle.holds($0) })
        let text = YAMLWriter.text(shrinker.shrink())
        #expect(text.contains("steps:\n  - wait: 90min\n") && !text.contains("connect"), "\(text)")
    }
}
