internal import Reporting
internal import RunRecord
internal import ScenarioModel

/// Runs once more what a bundle describes.
enum ReplayCommand {
    static let command = Command(
        "replay", "Repeats the run of a replay bundle, compares, and ends with the code of its verdict.",
        words: "BUNDLE",
        options: [OptionDescriptor("--jsonl", .text("FILE"), "also write the result and all events as lines of JSON")],
        example: "meshrig replay failures/client.sync.full-sync-seed7.json"
    ) { arguments, output in
        let path = try arguments.words(upTo: 1, needing: "the path of a bundle")[0]
        let bundle = try ReplayBundle(reading: path)
        let file = try arguments.text("--jsonl").map { try Output(creating: $0) }
        let result = try bundle.run(path)
        let console = ConsoleReport(ids: [result.id], isColoured: Host.wantsColour(output))
        output.write("meshrig \(Program.version), 1 case, seed \(bundle.seed)\n" + console.header + console.row(result))
        let same = result.digest == bundle.digest && result.verdict.rawValue == bundle.verdict
        output.write(
            same
                ? "\nthe same run as recorded: \(bundle.verdict), digest \(bundle.digest)\n"
                : "\nnot the run that was recorded\n  then: \(bundle.verdict), digest \(bundle.digest)\n"
                    + "  now:  \(result.verdict.rawValue), digest \(result.digest)\n")
        if let file {
            file.write(JSONLinesReport.header(seeds: [bundle.seed]) + JSONLinesReport.lines(result, number: 1))
            file.finish()
            if let failure = file.failure { throw WriteFailure(description: failure) }
        }
        return Verdict.exitCode(of: [result.verdict])
    }
}
