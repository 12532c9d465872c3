import Foundation
import Testing

/// `meshrig shrink`, as a user would call it.
@Suite struct ShrinkTests {
    private static let run = "meshrig run client/direct-messages/flood-with-ack --seed 9"

    @Test func `a bundle becomes a small file that fails alike, by the command it names`() throws {
        let folder = try Folder()
        _ = try ProgramTests.shell("\(Self.run) --defect confirmations-ignored --bundle '\(folder.path)'")
        let outcome = try ProgramTests.shell(
            "cd '\(folder.path)' && meshrig shrink client.direct-messages.flood-with-ack-seed9.json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("failed: confirmed\n  2 runs, "))
        #expect(outcome.output.contains(" lines in "))
        let name = "client.direct-messages.flood-with-ack-seed9-shrunk.yaml"
        let command = "meshrig run \(name) --defect confirmations-ignored"
        #expect(outcome.output.hasSuffix("written to \(name); run it with:\n\(command)\n"))
        let text = try folder.text(name)
        #expect(text.split(separator: "\n").count <= 12, "\(text)")
        #expect(!text.contains("packets") && !text.contains("received"), "\(text)")
        let again = try ProgramTests.shell("cd '\(folder.path)' && " + command)
        #expect(again.code == 1)
        #expect(again.output.contains("failed: confirmed"))
    }

    @Test func `the number of runs is bounded, and what is there by then is written`() throws {
        let folder = try Folder()
        _ = try ProgramTests.shell("\(Self.run) --defect confirmations-ignored --bundle '\(folder.path)'")
        let outcome = try ProgramTests.shell(
            "cd '\(folder.path)' && meshrig shrink *.json --max-runs 5 -o small.yaml && meshrig check small.yaml")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("runs, stopped by --max-runs\n"))
    }

    @Test func `what is to be kept stays`() throws {
        let folder = try Folder()
        try folder.write(
            """
            title: t
            requirement: r
            world: { nodes: { alice: { contacts: [bob] }, hill: { role: repeater }, bob: {} }, links: { alice-hill: 9, hill-bob: 6 } }
            steps:
              - connect
              - wait: 1s
              - send: { to: bob, text: "hello" }
                expect: { name: in-time, status: delivered, within: 1s }
            """, "a.yaml")
        let shrink =
            "cd '\(folder.path)' && meshrig run a.yaml --bundle . > /dev/null; meshrig shrink a-seed1.json -o s.yaml"
        _ = try ProgramTests.shell(shrink)
        #expect(try !folder.text("s.yaml").contains("links"))
        let outcome = try ProgramTests.shell(shrink + " --keep world.links")
        let text = try folder.text("s.yaml")
        #expect(
            text.contains("links: { alice-hill: 9, hill-bob: 6 }") && !text.contains("wait"), "\(outcome.errors)\(text)"
        )
        let wrong = try ProgramTests.shell(shrink + " --keep world.lnks")
        #expect(wrong.code == 2 && wrong.errors.contains("--keep world.lnks: there is no such key"))
    }

    @Test(arguments: [
        ("meshrig shrink", "the path of a bundle is missing"), ("meshrig shrink Package.swift", "Package.swift:"),
        (
            "f=$(mktemp); printf '{\"bundle\":1,\"meshrig\":\"0\",\"id\":\"x\",\"seed\":\"1\",\"verdict\":\"failed\",\"digest\":\"\","
                + "\"scenario\":\"title: t\\\\nrequirement: r\\\\nworld: { nodes: { a: {} } }\\\\nsteps: [connect]\\\\n\"}' > $f;"
                + " meshrig shrink $f; c=$?; rm $f; exit $c", "there is nothing to shrink"
        ),
    ])
    func `says what cannot be shrunk`(line: String, message: String) throws {
        let outcome = try ProgramTests.shell(line)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
