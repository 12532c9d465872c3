import Foundation
import Testing

/// `meshrig run` and `meshrig replay` on the catalogue, as a user would call them.
@Suite struct RunTests {
    /// A folder that is there while the body runs.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "meshrig-run-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `the catalogue passes and says so in its last line`() throws {
        let outcome = try ProgramTests.shell("meshrig run --jobs 2")
        #expect(outcome.code == 0, "\(outcome.output)")
        let last = try #require(outcome.output.split(separator: "\n").last)
        #expect(last.wholeMatch(of: /[1-9]\d* passed, 0 failed/) != nil)
        #expect(!outcome.output.contains("\u{1B}"), "no colour without a terminal")
    }

    @Test func `parts together are all cases, each once`() throws {
        try withFolder { folder in
            var seen: [String] = []
            for part in 1...3 {
                let outcome = try ProgramTests.shell(
                    "meshrig run client/sync --seeds 1..2 --shard \(part)/3 --tap '\(folder)/\(part).tap'")
                #expect(outcome.code == 0)
                let lines = try text("\(folder)/\(part).tap").split(separator: "\n").map(String.init)
                #expect(lines[0] == "TAP version 14")
                #expect(lines[1] == "1..\(lines.count - 2)")
                seen += lines.dropFirst(2).map { String($0.split(separator: " ", maxSplits: 3)[3]) }
            }
            #expect(seen.count == 8 && Set(seen).count == 8)
            #expect(try ProgramTests.shell("meshrig run client/sync --shard 4/3").code == 2)
            #expect(try ProgramTests.shell("meshrig run client/sync/full-sync --shard 2/2").code == 0)
        }
    }

    @Test func `what fails and what is blocked is told in TAP`() throws {
        try withFolder { folder in
            let blocked = "title: b\nrequirement: r\nrequires: [radio]\nworld: { nodes: { a: {} } }\nsteps: [connect]\n"
            try blocked.write(toFile: folder + "/b#1.yaml", atomically: true, encoding: .utf8)
            _ = try ProgramTests.shell(
                "meshrig run client/direct-messages/flood-with-ack '\(folder)/b#1.yaml' --defect confirmations-ignored"
                    + " --tap '\(folder)/o.tap'")
            let tap = try text(folder + "/o.tap")
            #expect(tap.contains(" seed 1 # SKIP the simulator has no radio\n"))
            #expect(tap.contains("b\\#1 seed 1"))
            #expect(tap.contains("not ok "))
            #expect(tap.contains("\n  ---\n  verdict: failed\n  message: |\n    "))
            #expect(tap.contains("\n  ...\n"))
        }
    }

    @Test func `writes the same lines however many cases run at once`() throws {
        try withFolder { folder in
            for jobs in [1, 2] {
                _ = try ProgramTests.shell(
                    "meshrig run client/direct-messages --seeds 5..6 --jobs \(jobs) --jsonl '\(folder)/\(jobs).jsonl'")
            }
            let lines = try text(folder + "/1.jsonl")
            #expect(lines == (try text(folder + "/2.jsonl")))
            #expect(lines.hasPrefix("{\"kind\":\"run\",\"version\":1,\"seeds\":[5,6]}\n"))
            #expect(lines.contains("\"kind\":\"event\""))
        }
    }

    @Test func `a defect is caught, explained, bundled and repeated`() throws {
        try withFolder { folder in
            let outcome = try ProgramTests.shell(
                "meshrig run client/direct-messages/flood-with-ack --defect confirmations-ignored --seed 9"
                    + " --bundle '\(folder)/bundles' --junit '\(folder)/junit.xml'")
            #expect(outcome.code == 1)
            #expect(outcome.output.contains("expected:"))
            #expect(
                outcome.output.contains(
                    "again: meshrig run client/direct-messages/flood-with-ack --seed 9 --defect confirmations-ignored"))
            #expect(outcome.output.hasSuffix("0 passed, 1 failed\n"))
            let junit = try text(folder + "/junit.xml")
            #expect(junit.contains("<testsuite name=\"client.direct-messages\" tests=\"1\" failures=\"1\""))
            let bundle = folder + "/bundles/client.direct-messages.flood-with-ack-seed9.json"
            let again = try ProgramTests.shell("meshrig replay '\(bundle)'")
            #expect(again.code == 1)
            #expect(again.output.contains("\nthe same run as recorded: failed, digest "))
            try text(bundle).replacing("\"seed\":\"9\"", with: "\"seed\":\"10\"")
                .write(toFile: bundle, atomically: true, encoding: .utf8)
            #expect(
                try ProgramTests.shell("meshrig replay '\(bundle)'").output.contains("not the run that was recorded"))
        }
    }

    @Test func `two runs of a seed are the same`() throws {
        let outcome = try ProgramTests.shell("meshrig run client/sync --check-determinism --seed 3")
        #expect(outcome.code == 0, "\(outcome.output)")
    }

    @Test func `a bad file among good ones is told and ends with 2`() throws {
        try withFolder { folder in
            let bad = "title: t\nrequirement: r\nworld: { nodes: { a: {} } }\nclient: a\nsteps:\n  - conect\n"
            try bad.write(toFile: folder + "/bad.yaml", atomically: true, encoding: .utf8)
            let outcome = try ProgramTests.shell("meshrig run '\(folder)/bad.yaml' client/sync/full-sync")
            #expect(outcome.code == 2)
            #expect(
                outcome.output.contains("\(folder)/bad.yaml:6:5: unknown step \"conect\"; did you mean \"connect\"?"))
            #expect(outcome.output.hasSuffix("1 passed, 0 failed, 1 bad\n"))
        }
    }

    @Test func `the line that repeats a failure works for files outside the catalogue`() throws {
        try withFolder { folder in
            let text = """
                title: t
                requirement: r
                world: { nodes: { a: {} } }
                parameters: { count: 1 }
                matrix: { one: { count: 1 }, none: { count: 0 } }
                steps: [{ connect: , expect: { contacts: "${count}" }, within: 1s }]
                """
            try text.write(toFile: folder + "/two words.yaml", atomically: true, encoding: .utf8)
            let outcome = try ProgramTests.shell("meshrig run '\(folder)/two words.yaml'")
            let again = "again: meshrig run '\(folder)/two words.yaml[one]' --seed 1"
            #expect(outcome.output.contains(again + "\n"), "\(outcome.output)")
            #expect(outcome.output.hasSuffix("1 passed, 1 failed\n"))
            let second = try ProgramTests.shell(String(again.dropFirst("again: ".count)))
            #expect(second.output.contains(again + "\n"), "\(second.output)\(second.errors)")
            #expect(second.output.hasSuffix("0 passed, 1 failed\n"))
        }
    }

    @Test func `check takes a world file from anywhere`() throws {
        try withFolder { folder in
            let path = folder + "/valley.yaml"
            try "title: t\nworld: { nodes: { a: {} } }\n".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try ProgramTests.shell("meshrig check '\(path)'").code == 0)
            try "title: t\nworld: { nods: { a: {} } }\n".write(toFile: path, atomically: true, encoding: .utf8)
            let outcome = try ProgramTests.shell("meshrig check '\(path)'")
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("did you mean \"nodes\"?") && !outcome.errors.contains("steps"))
        }
    }

    @Test(arguments: [
        ("world: { radio: eu-868-narow, nodes: { a: {} } }", "did you mean \"eu-868-narrow\"?"),
        ("world: { nodes: { a: {}, hill: { role: repeater } } }\nclient: hill", "unknown companion \"hill\""),
        ("world: { nodes: { a: {} } }\nfaults: [{ drop: true, when: { frame: contct } }]", "did you mean \"contact\"?"),
    ])
    func `check finds what a run would stumble over`(text: String, message: String) throws {
        try withFolder { folder in
            try ("title: t\nrequirement: r\nsteps: [connect]\n" + text)
                .write(toFile: folder + "/bad.yaml", atomically: true, encoding: .utf8)
            let outcome = try ProgramTests.shell("meshrig check '\(folder)/bad.yaml'")
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ("meshrig run --seed 1 --seeds 1..2", "--seed or --seeds, not both", 2),
        ("meshrig run --defect no-reconect", "did you mean \"no-reconnect\"?", 2),
        ("meshrig run --junit /nonexistent/x.xml", "/nonexistent/x.xml: No such file or directory", 2),
        ("meshrig run client/sync/full-sync --jsonl /dev/full", "/dev/full: No space left on device", 4),
        ("meshrig run client/sync/full-sync --junit /dev/full", "/dev/full: No space left on device", 4),
        ("meshrig run client/sync/full-sync > /dev/full", "standard output: No space left on device", 4),
        ("meshrig replay", "the path of a bundle is missing", 2), ("meshrig replay Package.swift", "Package.swift:", 2),
        ("meshrig replay Scenarios/worlds/sandbox.yaml", "a replay bundle needs \"bundle\"", 2),
        ("meshrig serve --pace 0", "--pace takes", 2), ("meshrig serve --pace 1000001", "--pace takes", 2),
        ("meshrig serve --node bob --node bob", "--node bob is given twice", 2),
        ("meshrig serve --print-state /dev/null --no-pty --port 0", "/dev/null: is no file", 2),
        ("cd / && meshrig run --catalogue /nonexistent x", "/nonexistent: does not exist", 2),
        (
            "(ulimit -f 0; meshrig run client/sync/full-sync --jsonl /tmp/meshrig-limit.jsonl | cat)", "File too large",
            0
        ), ("meshrig serve --node alise", "did you mean \"alice\"?", 2),
    ])
    func `explains what cannot be done`(line: String, message: String, code: Int32) throws {
        let outcome = try ProgramTests.shell(line)
        #expect(outcome.code == code)
        #expect(outcome.errors.contains(message))
    }
}
