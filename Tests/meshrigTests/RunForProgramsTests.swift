import Foundation
import Testing

/// What `meshrig run` does for programs around it: tables, CI servers, terminals, signals.
@Suite struct RunForProgramsTests {
    @Test func `parts taken from the environment are all cases together, each once`() throws {
        let folder = try Folder()
        var seen: [String] = []
        for index in 1...3 {
            let outcome = try ProgramTests.shell(
                "CI_NODE_INDEX=\(index) CI_NODE_TOTAL=3 meshrig run client/sync --seeds 1..2 --shard auto --tap '\(folder.path)/t'"
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.output.contains(", part \(index) of 3\n"))
            seen += try folder.text("t").split(separator: "\n").dropFirst(2).map {
                String($0.split(separator: " ", maxSplits: 3)[3])
            }
        }
        #expect(seen.count == 8 && Set(seen).count == 8)
    }

    @Test(arguments: [
        ("env -u CI_NODE_INDEX bash -c '\"$0\" run --shard auto' $PROGRAM", "--shard auto: nothing in the environment"),
        ("meshrig run --shard-count 4", "--shard-count goes with --shard auto"),
        ("meshrig run --shard 4", "or auto"), ("meshrig run --table delivered,nix", "unknown metric \"nix\""),
        ("meshrig run --table sent,sent", "--table: sent is given twice"), ("meshrig run --table ,", "unknown metric"),
    ])
    func `explains what cannot be done`(line: String, message: String) throws {
        let outcome = try ProgramTests.shell("PROGRAM='\(ProgramTests.program)'; " + line)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a table over seeds is printed and written`() throws {
        let folder = try Folder()
        let outcome = try ProgramTests.shell(
            "meshrig run client/direct-messages/flood-with-ack --seeds 1..4 --table delivered,acked,verdict --table-csv '\(folder.path)/t.csv'"
                + " --table-json '\(folder.path)/t.json' --jobs 2")
        #expect(outcome.code == 0)
        #expect(
            outcome.output.contains("\nclient/direct-messages/flood-with-ack     4          1      1    100 %\n"),
            "\(outcome.output)")
        #expect(
            try folder.text("t.csv").hasSuffix("\r\nclient/direct-messages/flood-with-ack,4,1,1,1,1,1,1,1\r\n"))
        #expect(try folder.text("t.json").contains("\"delivered\":{\"mean\":1,\"min\":1,\"max\":1}"))
        let all = try ProgramTests.shell("meshrig run client/sync/full-sync --table-csv '\(folder.path)/t.csv'")
        #expect(!all.output.contains("runs"))
        #expect(try folder.text("t.csv").contains(",virtual-time-max,passed-share\r\n"))
    }

    @Test func `on GitHub failures are annotations, and the job has a summary`() throws {
        let folder = try Folder()
        try folder.write("before\n", "summary.md")
        let run = "meshrig run client/direct-messages/flood-with-ack --defect confirmations-ignored"
        let outcome = try ProgramTests.shell(
            "export GITHUB_ACTIONS=true GITHUB_WORKSPACE=$PWD GITHUB_STEP_SUMMARY='\(folder.path)/summary.md'; \(run)")
        #expect(outcome.code == 1)
        #expect(
            outcome.errors.hasPrefix(
                "::error file=Scenarios/client/direct-messages/flood-with-ack.yaml,line="), "\(outcome.errors)")
        let summary = try folder.text("summary.md")
        #expect(summary.hasPrefix("before\n## MeshRig: 0 passed, 1 failed\n"))
        let elsewhere = try ProgramTests.shell("unset GITHUB_ACTIONS; " + run)
        #expect(elsewhere.errors.isEmpty)
    }

    @Test func `progress is for terminals only`() throws {
        let run = "run client/sync client/direct-messages"
        let terminal = try ProgramTests.shell("script -qec \"'\(ProgramTests.program)' \(run)\" /dev/null")
        #expect(terminal.code == 0)
        #expect(terminal.output.contains(" %, about "), "\(terminal.output)")
        #expect(terminal.output.contains("\r\u{1B}[K"))
        let piped = try ProgramTests.shell("meshrig \(run) 2>&1 | cat")
        #expect(!piped.output.contains("about") && !piped.output.contains("\u{1B}"))
    }

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func `a signal ends the run early, with whole reports`(signal: String, code: Int32) throws {
        let folder = try Folder()
        // The report goes through a pipe: two rows are read, then the signal is sent, then the rest is read.
        let outcome = try ProgramTests.shell(
            """
            exec 3< <(exec env --default-signal=\(signal) '\(ProgramTests.program)' run client/sync/full-sync --repeat 20000 \
            --junit '\(folder.path)/j' --tap '\(folder.path)/t' --jsonl '\(folder.path)/l' --html '\(folder.path)/h')
            pid=$!; for line in 1 2 3 4; do read -r -u 3; done; kill -\(signal) $pid; cat <&3; wait $pid; exit $?
            """)
        #expect(outcome.code == code, "\(outcome.output.suffix(400))")
        let stopped = try #require(outcome.output.firstMatch(of: /stopped after ([0-9]+) of 20000 cases/))
        let done = try #require(Int(stopped.1))
        #expect(outcome.output.hasSuffix("\n\(done) passed, 0 failed\n"))
        #expect(try folder.text("t").hasPrefix("TAP version 14\n1..\(done)\n"))
        #expect(try folder.text("j").hasSuffix("</testsuites>\n"))
        #expect(try folder.text("h").contains("</html>"))
        let lines = try folder.text("l")
        #expect(lines.hasSuffix("}\n"))
        #expect(lines.split(separator: "\n").count { $0.hasPrefix("{\"kind\":\"case\"") } == done)
    }
}
