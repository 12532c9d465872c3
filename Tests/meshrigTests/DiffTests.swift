import Foundation
import Testing

/// `meshrig diff`, as a user would call it.
@Suite struct DiffTests {
    @Test func `two journals of one seed are the same, and another seed differs`() throws {
        let folder = try Folder()
        let run = "meshrig run client/direct-messages/flood-with-ack client/sync/full-sync"
        for (name, options) in [("a", "--seeds 1..2"), ("b", "--seeds 1..2 --jobs 2"), ("c", "--seeds 2..3")] {
            #expect(try ProgramTests.shell("\(run) \(options) --jsonl '\(folder.path)/\(name)'").code == 0)
        }
        let same = try ProgramTests.shell("cd '\(folder.path)' && meshrig diff a b")
        #expect(same.code == 0)
        #expect(same.output.hasSuffix("\n4 the same, 0 different\n"), "\(same.output)")
        let other = try ProgramTests.shell("cd '\(folder.path)' && meshrig diff a c --case client/sync/full-sync")
        #expect(other.code == 1)
        #expect(other.output.contains("client/sync/full-sync, seed 3: only in c\n"), "\(other.output)")
        #expect(other.output.hasSuffix("\n1 the same, 0 different, 2 on one side only\n"))
    }

    @Test func `bundles are run, and a defect is told from what it does`() throws {
        let folder = try Folder()
        let run = "meshrig run client/direct-messages/flood-with-ack"
        _ = try ProgramTests.shell("\(run) --jsonl '\(folder.path)/good'")
        _ = try ProgramTests.shell("\(run) --defect confirmations-ignored --bundle '\(folder.path)'")
        let bundle = "client.direct-messages.flood-with-ack-seed1.json"
        let outcome = try ProgramTests.shell("cd '\(folder.path)' && meshrig diff good \(bundle)")
        #expect(outcome.code == 1)
        #expect(
            outcome.output.contains("  started differently:\n    defects: nothing · confirmations-ignored\n"),
            "\(outcome.output)")
        #expect(outcome.output.contains("  last in common:\n"))
        #expect(outcome.output.contains("  what led there in"))
        let itself = try ProgramTests.shell("cd '\(folder.path)' && meshrig diff \(bundle) \(bundle) --json")
        #expect(itself.code == 0)
        #expect(itself.output.hasPrefix("{\"same\":true,"))
    }

    @Test(arguments: [
        ("meshrig diff", "the file of a run"), ("meshrig diff Package.swift", "the second file is missing"),
        ("meshrig diff /nowhere /nowhere", "/nowhere: does not exist"),
        ("meshrig diff LICENSE LICENSE", "LICENSE: is neither a file of"),
    ])
    func `says what it cannot read and ends with 2`(line: String, message: String) throws {
        let outcome = try ProgramTests.shell(line)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}

/// A folder of its own for a test, gone with the test.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "meshrig-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, _ name: String) throws {
        try text.write(toFile: path + "/" + name, atomically: true, encoding: .utf8)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}
