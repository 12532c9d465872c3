internal import Reporting
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

/// Finds the first event in which two records of runs differ.
enum DiffCommand {
    static let command = Command(
        "diff", "Tells where two journals, or the runs of two replay bundles, first differ.", words: "A B",
        options: [
            OptionDescriptor("--case", .text("ID"), "only the cases of this id"),
            OptionDescriptor("--json", .flag, "one JSON object"),
        ],
        notes: """
            A and B are files of `meshrig run --jsonl`, whose cases are paired by id and seed, or replay bundles, which
            are run. Facts of the machine are not compared; what the runs were started with is told apart.

            exit code: 0 all the same, 1 something differs, 2 a file cannot be read
            """,
        example: "meshrig diff before.jsonl after.jsonl"
    ) { arguments, output in
        let words = try arguments.words(upTo: 2, needing: "the file of a run, as `meshrig run --jsonl` writes it,")
        guard words.count == 2 else { throw UsageError("the second file is missing") }
        let only = arguments.text("--case")
        let (left, right) = (try cases(of: words[0], only), try cases(of: words[1], only))
        let pairing = RunPairing(left, right)
        let text = DiffText(pairing, left: words[0], right: words[1])
        output.write(arguments.flag("--json") ? text.json + "\n" : text.lines.joined(separator: "\n") + "\n")
        return pairing.isSame ? 0 : 1
    }

    private static func cases(of path: String, _ only: String?) throws -> [RunFile.Case] {
        let all = try cases(of: path)
        guard let only else { return all }
        let chosen = all.filter { $0.id == only }
        if chosen.isEmpty { throw UsageError.unknown("case", only, among: all.map(\.id)) }
        return chosen
    }

    private static func cases(of path: String) throws -> [RunFile.Case] {
        let contents: [UInt8]
        do { contents = try FileAccess.read(path, limit: RunFile.sizeLimit) } catch { throw UsageError("\(error)") }
        if RunFile.isOne(contents) {
            do { return try RunFile(reading: contents).cases } catch { throw UsageError("\(path), \(error)") }
        }
        guard ReplayBundle.isOne(contents) else {
            throw UsageError("\(path): is neither a file of `meshrig run --jsonl` nor a replay bundle")
        }
        let bundle = try ReplayBundle(reading: path)
        let result = try bundle.run(path)
        guard let journal = result.journal else { throw UsageError("\(path): \(result.reason)") }
        // Once through the lines of JSON, so that both sides know equally much.
        let lines = JSONLinesReport.lines(result, number: 1)
        guard journal.count > 0, let file = try? RunFile(reading: Array(lines.utf8)) else {
            throw UsageError("\(path): its run left no events")
        }
        return file.cases
    }
}
