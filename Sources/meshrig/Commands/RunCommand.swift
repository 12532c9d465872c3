internal import Reporting
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner
internal import Synchronization

/// Runs scenarios and reports how they ended.
enum RunCommand {
    private static let limit = 100_000

    static let command = Command(
        "run", "Runs scenarios and prints a verdict for each.", words: "[ID, folder or file…]",
        options: Selection.options + [
            OptionDescriptor("--seed", short: "-s", .seed, "the run's seed, instead of the file's"),
            OptionDescriptor("--seeds", .seedRange, "every seed of a range"),
            OptionDescriptor("--repeat", .number(1...limit), "so many times each"),
            OptionDescriptor("--jobs", short: "-j", .number(1...256), "so many cases at once"),
            OptionDescriptor(
                "--shard", .shard, "only part I of N of the cases; auto takes it from Slurm, GitLab, CircleCI, …"),
            OptionDescriptor(
                "--shard-count", .number(1...10_000), "with --shard auto: the N, where nothing else says it"),
            OptionDescriptor("--junit", .text("FILE"), "also write JUnit XML"),
            OptionDescriptor("--tap", .text("FILE"), "also write TAP, version 14"),
            OptionDescriptor("--jsonl", .text("FILE"), "also write every result and event as a line of JSON"),
            OptionDescriptor("--html", .text("FILE"), "also write one HTML file with pictures of the runs"),
            OptionDescriptor("--pcap", .text("FILE"), "also write air and host link as pcapng, for Wireshark"),
            OptionDescriptor(
                "--table", .text("METRICS"), "also print a table of these over all seeds: delivered,acked,airtime"),
            OptionDescriptor("--table-csv", .text("FILE"), "also write that table as CSV; all metrics without --table"),
            OptionDescriptor("--table-json", .text("FILE"), "also write that table as JSON"),
            OptionDescriptor("--github", .flag, "annotations and summary for GitHub; by itself when run there"),
            OptionDescriptor("--bundle", .text("DIR"), "write a replay bundle there for each case that did not pass"),
            OptionDescriptor("--defect", .text("NAME"), "switch a defect of the client on", repeats: true),
            OptionDescriptor("--testbed", .text("FILE"), "run on the radios of this file, instead of the simulator"),
            OptionDescriptor("--allow-transmit", .flag, "on radios: steps may put packets on the air"),
            OptionDescriptor("--allow-destructive", .flag, "on radios: steps may change settings and contacts"),
            OptionDescriptor("--check-determinism", .flag, "run each case twice and compare what happened"),
            OptionDescriptor("--quiet", short: "-q", .flag, "no rows for cases that passed"),
            OptionDescriptor("--fail-fast", .flag, "begin no more cases after one that did not pass"),
            OptionDescriptor("--strict", .flag, "blocked cases fail the run"),
        ],
        notes: """
            exit code:
              0 all passed, 1 something failed or was dead, 2 a file or the command line is wrong,
              3 everything was blocked (with --strict: anything), 4 two runs of one seed differ;
              the first of 4, 2, 1, 3 that applies; 130 after Ctrl-C, 143 after SIGTERM, which let the cases under
              way end and all reports be written (a second one ends at once)

            metrics of --table:
            """ + "\n" + TableMetric.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"),
        example: "meshrig run client/direct-messages --seeds 1..20 --jobs 2", run: run)

    private static func run(_ arguments: Arguments, _ output: Output) throws -> Int32 {
        let selection = try Selection(arguments)
        let shard = try shard(arguments)
        let cases = part(of: try plan(selection, arguments), shard)
        let files = try ReportFiles(arguments)
        let interruption = Interruption()
        interruption.watch()
        let ids = selection.bad.map(\.id) + cases.map(\.scenario.id)
        let seeds = arguments.seeds("--seeds")
        let console = ConsoleReport(ids: ids, manySeeds: seeds != nil, isColoured: Host.wantsColour(output))
        let progress = ProgressLine(total: ids.count, output)
        let begun = Host.monotonicNanoseconds
        let headline = headline(cases, arguments) + (shard.map { ", part \($0.part) of \($0.count)" } ?? "")
        output.write(headline + "\n" + console.header)
        files.begin(seeds: seeds.map { Array($0) } ?? arguments.seed("--seed").map { [$0] } ?? [])
        for result in selection.bad {
            progress.write(console.row(result), to: output)
            files.add(result, nil)
            progress.advance(passed: false)
        }
        let isQuiet = arguments.flag("--quiet")
        var results = selection.bad
        if selection.bad.isEmpty || !arguments.flag("--fail-fast") {
            let counter = CaseCounter()
            results += Runner.run(
                cases, jobs: arguments.number("--jobs") ?? 1, failFast: arguments.flag("--fail-fast"),
                keepsJournals: false,
                each: { result in
                    if !isQuiet || result.verdict != .passed { progress.write(console.row(result), to: output) }
                    files.add(result, cases[counter.next() - 1])
                    progress.advance(passed: result.verdict == .passed)
                }, isStopped: { interruption.signal != nil })
        }
        progress.end()
        let wall = Duration.nanoseconds(Host.monotonicNanoseconds - begun)
        if arguments.text("--table") != nil { output.write("\n" + files.tableText) }
        let interrupted = interruption.signal.map(Interruption.describe)
        output.write("\n" + stopped(results.count, of: ids.count, by: interrupted?.name))
        output.write("wall time \(wall.formattedSeconds) s\n" + console.summary(results))
        try files.finish(results, note: headline)
        return interrupted?.code
            ?? Verdict.exitCode(of: results.map(\.verdict), strict: arguments.flag("--strict"))
    }

    private static func stopped(_ done: Int, of all: Int, by signal: String?) -> String {
        if done == all, signal == nil { return "" }
        return (signal.map { $0 + ": " } ?? "") + "stopped after \(done) of \(all) cases\n"
    }

    /// Which part of the cases is this call's, and whether somebody else than the command line said so.
    private static func shard(_ arguments: Arguments) throws(UsageError) -> (part: Int, count: Int)? {
        let count = arguments.number("--shard-count")
        if arguments.text("--shard") == OptionDescriptor.automatic {
            let found = try ShardEnvironment(lookup: Host.environment).part(count: count)
            return (found.part, found.count)
        }
        if count != nil { throw UsageError("--shard-count goes with --shard auto") }
        return arguments.shard("--shard")
    }

    /// Neighbours are alike in cost, so each part gets every Nth.
    private static func part(of cases: [PlannedCase], _ shard: (part: Int, count: Int)?) -> [PlannedCase] {
        guard let (part, count) = shard else { return cases }
        return cases.enumerated().filter { $0.offset % count == part - 1 }.map(\.element)
    }

    private static func headline(_ cases: [PlannedCase], _ arguments: Arguments) -> String {
        let seed: String
        if let range = arguments.text("--seeds") {
            seed = "seeds \(range)"
        } else if let given = arguments.seed("--seed") {
            seed = "seed \(given)"
        } else {
            let seeds = cases.map { $0.scenario.seed ?? RunSettings.defaultSeed }
            seed =
                Set(seeds).count == 1 ? "seed \(seeds[0])" : "seeds as the files say, else \(RunSettings.defaultSeed)"
        }
        let count = cases.count == 1 ? "1 case" : "\(cases.count) cases"
        return "meshrig \(Program.version), \(count), \(seed)"
    }

    typealias PlannedCase = (scenario: ScenarioDocument, settings: RunSettings)

    /// Every document with every seed as often as asked, a document's runs side by side.
    private static func plan(_ selection: Selection, _ arguments: Arguments) throws -> [PlannedCase] {
        if arguments.text("--seed") != nil, arguments.text("--seeds") != nil {
            throw UsageError("--seed or --seeds, not both")
        }
        let defects = try arguments.texts("--defect").map(Self.defect)
        let seeds: [UInt64?] = arguments.seeds("--seeds").map { $0.map { $0 } } ?? [arguments.seed("--seed")]
        let times = arguments.number("--repeat") ?? 1
        let total = selection.documents.count.multipliedReportingOverflow(by: seeds.count * times)
        guard !total.overflow, total.partialValue <= limit else {
            throw UsageError("that would be more than \(limit) runs; take fewer seeds or repeats")
        }
        var common = RunSettings(defects: defects, checksDeterminism: arguments.flag("--check-determinism"))
        var prefix =
            "meshrig run" + (arguments.text("--catalogue").map { " --catalogue " + ShellWord.quoted($0) } ?? "")
        if let bench = try Bench(arguments) {
            common.testbed = bench.testbed
            common.consent = bench.consent
            prefix += bench.words
        }
        let settings = seeds.map { seed in
            var setting = common
            setting.seed = seed
            return setting
        }
        return selection.documents.flatMap { document in
            settings.flatMap { setting in
                var setting = setting
                setting.replayPrefix = prefix
                setting.replayWord = selection.word(for: document)
                return Array(repeating: (document, setting), count: times)
            }
        }
    }

    static func defect(_ name: String) throws(UsageError) -> Defect {
        if let defect = Defect(rawValue: name) { return defect }
        throw UsageError.unknown("defect", name, among: Defect.allCases.map(\.rawValue))
    }
}
