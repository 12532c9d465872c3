import Foundation
import Testing

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

    @Test func `explains a frame`() throws {
        let outcome = try Self.shell("meshrig decode frame 3c 02 00 16 03")
        #expect(outcome.output == "to-radio: device-query (code 22, 2 bytes)\n  app-version  3\n")
    }
}
