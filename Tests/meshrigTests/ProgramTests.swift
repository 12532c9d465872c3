import Foundation
import Testing

@testable import meshrig

/// The built program, run as a user would.
@Suite(.serialized) struct ProgramTests {
    struct Outcome {
        var code: Int32
        var output: String
        var errors: String
    }

    /// The program lies beside the test binary.
    static let program: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent + "/meshrig"
    }()

    static let root: String = {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return here.dropLast(3).joined(separator: "/")
    }()

    /// Runs a shell line in the repository's folder, `meshrig` standing for the program; killed by a signal counts as 128 + it.
    static func shell(_ line: String) throws -> Outcome {
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "meshrig() { '\(program)' \"$@\"; }; " + line]
        process.currentDirectoryURL = URL(fileURLWithPath: root)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Neither stream of these calls fills a pipe before the other is read.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let errorText = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: errorText, as: UTF8.self))
    }

    @Test(arguments: [
        "meshrig --help", "meshrig help", "meshrig help decode", "meshrig decode --help", "meshrig decode frame -h",
        "meshrig help decode packet", "meshrig version", "meshrig --version", "meshrig schema",
    ])
    func `answers on standard output and ends with 0`(line: String) throws {
        let outcome = try Self.shell(line)
        #expect(outcome.code == 0)
        #expect(!outcome.output.isEmpty)
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: [
        ("meshrig", "usage:"), ("meshrig decoed", "did you mean \"decode\"?"),
        ("meshrig decode frame --dirction x 00", "did you mean --direction?"),
        ("meshrig decode", "a command is missing"),
        ("meshrig decode frame 0", "is no hex"), ("meshrig help decode fram", "did you mean \"frame\"?"),
    ])
    func `explains a wrong call on standard error and ends with 2`(line: String, message: String) throws {
        let outcome = try Self.shell(line)
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(message))
        #expect(outcome.errors.contains("meshrig"))
    }

    @Test(arguments: [
        ("meshrig schema > /dev/full", "No space left on device"), ("meshrig schema >&-", "Bad file descriptor"),
    ])
    func `a report that cannot be written is one line and ends with 4`(line: String, message: String) throws {
        let outcome = try Self.shell(line)
        #expect(outcome.code == 4)
        #expect(outcome.errors == "meshrig: standard output: \(message)\n")
    }

    @Test func `a reader that goes away is told from a full disk`() throws {
        let outcome = try Self.shell("exec 3> >(true); wait $!; meshrig schema >&3")
        #expect(outcome.code == 4)
        #expect(outcome.errors == "meshrig: standard output: was closed by its reader\n")
    }

    @Test func `the schema knows the actions of faults and what stands beside them`() throws {
        let schema = try Self.shell("meshrig schema").output
        let start = try #require(schema.range(of: "\"faults\":"))
        let faults = schema[start.upperBound...]
        for key in ["on", "probability", "drop-bytes", "partition", "power-loss", "forged-ack"] {
            #expect(faults.contains("\"\(key)\":{\"description\":"), "\(key)")
        }
        #expect(faults.contains("\"enum\":[\"kept\",\"torn\",\"erased\"]"))
    }

    @Test func `lists and checks the catalogue`() throws {
        let list = try Self.shell("meshrig list client/sync --tag 'fast && !nix'")
        #expect(list.code == 0)
        #expect(list.output.contains("client/sync/full-sync"))
        #expect(!list.output.contains("client/queue"))
        let check = try Self.shell("meshrig check")
        #expect(check.code == 0)
        #expect(check.output.hasSuffix("nothing wrong\n"))
        let world = try Self.shell("meshrig check Scenarios/worlds/sandbox.yaml")
        #expect(world.output == "1 file, 0 cases, nothing wrong\n")
    }

    @Test(arguments: [
        ("meshrig list clint/sync", "did you mean \"client/sync\"?"),
        ("meshrig list --tag fsat", "did you mean \"fast\"?"),
        ("meshrig list --set nix=1", "no chosen scenario has a parameter of that name"),
        ("meshrig list --catalogue /nonexistent", "/nonexistent: does not exist"),
        ("cd / && meshrig check --catalogue tmp/../etc/nix", "does not exist"),
    ])
    func `explains a choice that is none`(line: String, message: String) throws {
        let outcome = try Self.shell(line)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(message))
    }

    @Test func `places what is wrong in a file`() throws {
        let file = NSTemporaryDirectory() + "wrong-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let text = "title: t\nrequirement: r\nworld:\n  nodes: { a: { contcts: [b] } }\nsteps: [connect]\n"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try Self.shell("meshrig check '\(file)'")
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("\(file):4:17: unknown key \"contcts\"; did you mean \"contacts\"?\n"))
    }

    /// The program under another name at a place without a catalogue above it.
    private func elsewhere(_ files: [String: String], _ line: String) throws -> Outcome {
        let folder = NSTemporaryDirectory() + "elsewhere-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/cases", withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8) }
        return try Self.shell("cd '\(folder)' && cp '\(Self.program)' copy && " + line)
    }

    static let good = "title: t\nrequirement: r\nworld: { nodes: { a: {} } }\nsteps: [connect]\n"

    @Test func `needs no catalogue for files, nor for its own world`() throws {
        let run = try elsewhere(["late.yaml": Self.good, "cases/b.yaml": Self.good], "./copy run late.yaml cases")
        #expect(run.code == 0)
        #expect(run.output.contains("2 passed, 0 failed"))
        let nothing = try elsewhere([:], "./copy run")
        #expect(nothing.code == 2)
        #expect(nothing.errors.contains("--catalogue DIR"))
        let wrong = try elsewhere([:], "./copy serve --no-pty --node alise")
        #expect(wrong.errors.contains("did you mean \"alice\"?"))
    }

    @Test func `repeats a file outside a catalogue as it says`() throws {
        let text = Self.good + "expect: { contacts: 7 }\n"
        let line = "./copy run cases/a.yaml | sed -n 's/ *again: meshrig/.\\/copy/p' > again; cat again; sh ./again"
        let outcome = try elsewhere(["cases/a.yaml": text], line)
        #expect(outcome.output.hasPrefix("./copy run cases/a.yaml --seed 1\n"))
        #expect(outcome.output.contains("0 passed, 1 failed"))
    }

    @Test func `checks a world anywhere, and what only building it would show`() throws {
        let world = "title: t\nworld: { radio: eu-868-narow, nodes: { a: {} } }\n"
        let outcome = try elsewhere(["w.yaml": world], "./copy check w.yaml")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("did you mean \"eu-868-narrow\"?"))
        let full = Self.good.replacingOccurrences(of: "a: {}", with: "a: { contacts: [{ generate: 351 }] }")
        #expect(try elsewhere(["f.yaml": full], "./copy check f.yaml").errors.contains("more than 350 contacts"))
    }

    @Test func `carries the sandbox that is in the catalogue`() throws {
        let file = try String(contentsOfFile: Self.root + "/Scenarios/worlds/sandbox.yaml", encoding: .utf8)
        #expect(SandboxWorld.text + "\n" == file)
    }

    @Test func `compares a recording`() throws {
        let folder = "Firmware-fixtures/1.17.1"
        let outcome = try Self.shell("meshrig fixtures verify \(folder)/m01_two_companions.jsonl")
        #expect(outcome.code == 0)
        #expect(outcome.output.hasSuffix(" passed, 0 failed\n"))
        #expect(!outcome.output.hasPrefix("0 "))
        let nothing = try Self.shell("meshrig fixtures verify README.md Package.swift")
        #expect(nothing.code == 2)
    }

    @Test(arguments: [
        ("01 02", ["error  2 (not found)"]), ("0102 --direction from-radio", ["2 (not found)"]),
        ("3c0100053c010014", ["get-device-time", "get-battery-and-storage"]),
        ("3e0500099be24e683e0100", ["device-time", "and the beginning of another frame: 3e0100"]),
        ("3c0100", ["get-repeat-frequencies"]),
        ("02 00 00 11223344 aabbccddeeff 6869", ["text-type  0 (plain)"]), ("01 63", ["error  99\n"]),
    ])
    func `explains frames as they stand in captures, in words`(hex: String, parts: [String]) throws {
        let text = try Self.shell("meshrig decode frame \(hex)").output.replacing(/[ ]+/, with: " ")
        for part in parts { #expect(text.contains(part.replacing(/[ ]+/, with: " ")), "\(text)") }
    }

    @Test func `explains a frame`() throws {
        let outcome = try Self.shell("meshrig decode frame 3c 02 00 16 03")
        #expect(outcome.output == "to-radio: device-query (code 22, 2 bytes)\n  app-version  3\n")
    }
}
