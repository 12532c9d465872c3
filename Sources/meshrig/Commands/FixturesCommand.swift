internal import Conformance
internal import RunRecord
internal import ScenarioModel

/// Compares recordings of real firmware with the simulated one.
enum FixturesCommand {
    static let command = Command(
        "fixtures", "Works on recordings of real firmware.", example: "meshrig fixtures verify Firmware-fixtures",
        subcommands: [verify, coverage])

    /// Recordings are larger than scenarios.
    private static let sizeLimit = 256 << 20

    private static let verify = Command(
        "verify", "Replays recordings on the simulated firmware and compares every row.", words: "FILE or folder…",
        example: "meshrig fixtures verify Firmware-fixtures"
    ) { arguments, output in
        if arguments.words.isEmpty { throw UsageError("a file or folder of recordings is missing") }
        let reports = try verify(arguments.words)
        let problems = try arguments.words.flatMap(manifestProblems)
        if !problems.isEmpty { output.write(problems.joined(separator: "\n") + "\n") }
        output.write(FixtureReport.render(reports).joined(separator: "\n") + "\n")
        if reports.contains(where: { $0.error != nil }) { return Verdict.bad.exitCode }
        // Nothing compared is nothing verified.
        let compared = reports.reduce(0) { $0 + $1.passed + $1.failed }
        return compared > 0 && problems.isEmpty && reports.allSatisfy(\.isGood) ? 0 : Verdict.failed.exitCode
    }

    private static let coverage = Command(
        "coverage", "Counts by command and frame the rows that come out alike, as the table in docs.",
        words: "FILE or folder…", example: "meshrig fixtures coverage Firmware-fixtures/1.17.1"
    ) { arguments, output in
        if arguments.words.isEmpty { throw UsageError("a file or folder of recordings is missing") }
        var coverage = FixtureCoverage()
        for report in try verify(arguments.words) {
            if let error = report.error { throw UsageError("\(error)") }
            coverage.merge(report.coverage)
        }
        output.write(coverage.markdown)
        return 0
    }

    private static func verify(_ words: [String]) throws -> [FixtureReport] {
        try words.flatMap(files).map { path in
            do {
                let contents = try FileAccess.read(path, limit: sizeLimit)
                return FixtureVerifier.verify(file: path, contents: contents, masks: try masks(beside: path))
            } catch { throw UsageError("\(error)") }
        }
    }

    /// The list beside a recording says what is not compared; without one it is all that is known to be undefined.
    private static func masks(beside path: String) throws -> MaskList {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let list = folder + "masks.json"
        guard FileAccess.isFile(list) else { return .all }
        return try MaskList(file: list, contents: try FileAccess.read(list, limit: sizeLimit))
    }

    /// What the lists in a folder say is missing or changed; a file by itself has none.
    private static func manifestProblems(_ word: String) throws -> [String] {
        guard FileAccess.isFolder(word) else { return [] }
        let lists = try FileAccess.files(below: word).filter { $0 == "manifest.json" || $0.hasSuffix("/manifest.json") }
        return try lists.map { word + "/" + $0 }.flatMap { path in
            let manifest = try RecordingManifest(file: path, contents: try FileAccess.read(path, limit: sizeLimit))
            let folder = path.dropLast("manifest.json".count)
            return manifest.problems { try? FileAccess.read(folder + $0, limit: sizeLimit) }
        }
    }

    private static func files(_ word: String) throws -> [String] {
        guard FileAccess.isFolder(word) else { return [word] }
        let found = try FileAccess.files(below: word).filter { $0.hasSuffix(".jsonl") }
        if found.isEmpty { throw UsageError("\(word): holds no .jsonl recordings") }
        return found.map { word + "/" + $0 }
    }
}
