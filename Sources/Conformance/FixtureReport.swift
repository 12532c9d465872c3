internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase

/// What became of one recording: how many rows came out alike, and where the first others differ.
package struct FixtureReport: Sendable {
    package var file: String
    /// Compared rows: frames, packets, console windows and restarts.
    package var passed: Int
    package var failed: Int
    /// The first differences, ready to print.
    package var differences: [String]
    /// What the rows that came out alike have shown.
    package var coverage = FixtureCoverage()
    /// What the simulation cannot do yet; nothing was compared then.
    package var unsupported: String?
    /// Why the file could not be read.
    package var error: RecordingError?

    /// Whether everything that was compared came out alike.
    package var isGood: Bool { failed == 0 && error == nil }

    /// The file's line in the output.
    package var line: String {
        if let error { return "\(error)" }
        if let unsupported { return "\(file): not compared, not supported yet: \(unsupported)" }
        return failed == 0 ? "\(file): \(passed) rows alike" : "\(file): \(passed) rows alike, \(failed) different"
    }

    /// The whole output of a verification: a line and the first differences for each file, then the sum.
    package static func render(_ reports: [FixtureReport]) -> [String] {
        var lines: [String] = []
        for report in reports {
            lines.append(report.line)
            lines += report.differences.map { "  " + $0 }
        }
        lines.append(
            "\(reports.reduce(0) { $0 + $1.passed }) passed, \(reports.reduce(0) { $0 + $1.failed }) failed")
        return lines
    }
}

/// Writes differences for a reader: hex, then the decoded form.
enum DifferenceText {
    static func lines(_ mismatch: Mismatch, file: String) -> [String] {
        let line = (mismatch.recorded?.line).map { ":\($0)" } ?? ""
        return [
            "\(file)\(line) \(mismatch.node)",
            "  expected " + (mismatch.recorded.map(describe) ?? "nothing"),
            "  got      " + (mismatch.simulated.map(describe) ?? "nothing"),
        ]
    }

    static func describe(_ observation: Observation) -> String {
        let time = "t=\(observation.at) "
        switch observation.content {
        case .frame(let bytes): return time + frame(bytes)
        case .packet(let bytes, let airtime, let receptions):
            return time + "on air for \(airtime) µs, \(heard(receptions)): \(packet(bytes))"
        case .script(let bytes, let receptions): return time + "script packet, \(heard(receptions)): \(packet(bytes))"
        case .console(let output): return time + "console \(quoted(output))"
        case .boot(let clock): return time + "restart with clock \(clock)"
        case .crash: return time + "crash"
        case .powerOff: return time + "switched off"
        }
    }

    static func frame(_ bytes: [UInt8]) -> String {
        "\(Hex.encode(bytes)) \(FrameDescription.line(bytes, .fromRadio))"
    }

    static func packet(_ bytes: [UInt8]) -> String { "\(Hex.encode(bytes)) \(PacketDescription.line(bytes))" }

    private static func heard(_ receptions: [Recording.Reception]) -> String {
        guard !receptions.isEmpty else { return "received by nobody" }
        return "received by "
            + receptions.map { "\($0.node) at \($0.at)\($0.isIntact ? "" : " damaged")" }.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0.escaped(asASCII: false) }.joined() + "\""
    }
}
