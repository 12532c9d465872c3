internal import Conformance
internal import RunRecord
internal import ScenarioModel

/// Compares recordings of real firmware with the simulated one.
enum FixturesCommand {
    static let command = Command(
        "fixtures", "Works on recordings of real firmware.", example: "meshrig fixtures verify Firmware-fixtures",
        subcommands: [verify])

    /// Recordings are larger than scenarios.
    private static let sizeLimit = 256 << 20

    private static let verify = Command(
        "verify", "Replays recordings on the simulated firmware and compares every row.", words: "FILE or folder…",
        example: "meshrig fixtures verify Firmware-fixtures"
    ) { arguments, output in
        if arguments.words.isEmpty { throw UsageError("a file or folder of recordings is missing") }
        var reports: [FixtureReport] = []
        for path in try arguments.words.flatMap(files) {
            do {
                let contents = try FileAccess.read(path, limit: sizeLimit)
                reports.append(FixtureVerifier.verify(file: path, contents: contents))
            } catch { throw UsageError("\(error)") }
        }
        output.write(FixtureReport.render(reports).joined(separator: "\n") + "\n")
        if reports.contains(where: { $0.error != nil }) { return Verdict.bad.exitCode }
        // Nothing compared is nothing verified.
        let compared = reports.reduce(0) { $0 + $1.passed + $1.failed }
        return compared > 0 && reports.allSatisfy(\.isGood) ? 0 : Verdict.failed.exitCode
    }

    private static func files(_ word: String) throws -> [String] {
        guard FileAccess.isFolder(word) else { return [word] }
        let found = try FileAccess.files(below: word).filter { $0.hasSuffix(".jsonl") }
        if found.isEmpty { throw UsageError("\(word): holds no .jsonl recordings") }
        return found.map { word + "/" + $0 }
    }
}
