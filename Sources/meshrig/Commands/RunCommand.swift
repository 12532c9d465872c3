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
            OptionDescriptor("--shard", .shard, "only part I of N of the cases; all parts together are all of them"),
            OptionDescriptor("--junit", .text("FILE"), "also write JUnit XML"),
            OptionDescriptor("--tap", .text("FILE"), "also write TAP, version 14"),
            OptionDescriptor("--jsonl", .text("FILE"), "also write every result and event as a line of JSON"),
            OptionDescriptor("--html", .text("FILE"), "also write one HTML file with pictures of the runs"),
            OptionDescriptor("--pcap", .text("FILE"), "also write air and host link as pcapng, for Wireshark"),
            OptionDescriptor("--bundle", .text("DIR"), "write a replay bundle there for each case that did not pass"),
            OptionDescriptor("--defect", .text("NAME"), "switch a defect of the client on", repeats: true),
            OptionDescriptor("--testbed", .text("FILE"), "run on the radios of this file, instead of the simulator"),
            OptionDescriptor("--allow-transmit", .flag, "on radios: steps may put packets on the air"),
            OptionDescriptor("--allow-destructive", .flag, "on radios: steps may change settings and contacts"),
            OptionDescriptor("--check-determinism", .flag, "run each case twice and compare what happened"),
            OptionDescriptor("--fail-fast", .flag, "begin no more cases after one that did not pass"),
            OptionDescriptor("--strict", .flag, "blocked cases fail the run"),
        ],
        notes: """
            exit code:
              0 all passed, 1 something failed or was dead, 2 a file or the command line is wrong,
              3 everything was blocked (with --strict: anything), 4 two runs of one seed differ;
              the first of 4, 2, 1, 3 that applies
            """,
        example: "meshrig run client/direct-messages --seeds 1..20 --jobs 2", run: run)

    private static func run(_ arguments: Arguments, _ output: Output) throws -> Int32 {
        let selection = try Selection(arguments)
        let cases = part(of: try plan(selection, arguments), arguments)
        let files = try ReportFiles(arguments)
        let ids = selection.bad.map(\.id) + cases.map(\.scenario.id)
        let seeds = arguments.seeds("--seeds")
        let console = ConsoleReport(ids: ids, manySeeds: seeds != nil, isColoured: Host.wantsColour(output))
        let begun = Host.monotonicNanoseconds
        output.write(headline(cases, arguments) + "\n" + console.header)
        files.begin(seeds: seeds.map { Array($0) } ?? arguments.seed("--seed").map { [$0] } ?? [])
        for result in selection.bad {
            output.write(console.row(result))
            files.add(result, nil)
        }
        var results = selection.bad
        if selection.bad.isEmpty || !arguments.flag("--fail-fast") {
            let counter = CaseCounter()
            results += Runner.run(
                cases, jobs: arguments.number("--jobs") ?? 1, failFast: arguments.flag("--fail-fast")
            ) { result in
                output.write(console.row(result))
                files.add(result, cases[counter.next() - 1])
            }
        }
        let wall = Duration.nanoseconds(Host.monotonicNanoseconds - begun)
        output.write("\n" + (results.count < ids.count ? "stopped after \(results.count) of \(ids.count) cases\n" : ""))
        output.write("wall time \(wall.formattedSeconds) s\n" + console.summary(results))
        try files.finish(results, note: headline(cases, arguments))
        return Verdict.exitCode(of: results.map(\.verdict), strict: arguments.flag("--strict"))
    }

    /// Neighbours are alike in cost, so each part gets every Nth.
    private static func part(of cases: [PlannedCase], _ arguments: Arguments) -> [PlannedCase] {
        guard let (part, count) = arguments.shard("--shard") else { return cases }
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

/// The files a run writes besides its table. Made before the run, so that a wrong path fails at once.
private final class ReportFiles: Sendable {
    private let junit: Output?
    private let tap: Output?
    private let lines: Output?
    private let html: Output?
    private let page = Mutex(HTMLReport())
    private let capture: Output?
    private let blocks = Mutex(PacketCapture())
    private let bundles: BundleFolder?
    private let counter = CaseCounter()
    private let timestamp = Host.timestamp

    init(_ arguments: Arguments) throws {
        junit = try arguments.text("--junit").map { try Output(creating: $0) }
        tap = try arguments.text("--tap").map { try Output(creating: $0) }
        lines = try arguments.text("--jsonl").map { try Output(creating: $0) }
        html = try arguments.text("--html").map { try Output(creating: $0) }
        capture = try arguments.text("--pcap").map { try Output(creating: $0) }
        bundles = try arguments.text("--bundle").map { try BundleFolder($0) }
    }

    func begin(seeds: [UInt64]) {
        lines?.write(JSONLinesReport.header(seeds: seeds))
        capture?.write(PacketCapture.header(version: Program.version))
    }

    /// Called in the order of the cases.
    func add(_ result: CaseResult, _ planned: RunCommand.PlannedCase?) {
        let number = counter.next()
        lines?.write(JSONLinesReport.lines(result, number: number))
        if html != nil { page.withLock { $0.add(result) } }
        guard let planned else { return }
        if let capture {
            capture.write(
                blocks.withLock { $0.blocks(result, number: number, epoch: planned.scenario.epoch) })
        }
        if result.verdict != .passed { bundles?.write(result, planned.scenario, planned.settings) }
    }

    /// Throws when one of the files is not complete.
    func finish(_ results: [CaseResult], note: String) throws {
        junit?.write(JUnitReport.document(results, timestamp: timestamp))
        tap?.write(TAPReport.document(results))
        html?.write(page.withLock { $0.document(started: timestamp, note: note) })
        for file in [junit, tap, lines, html, capture].compactMap({ $0 }) {
            file.finish()
            if let failure = file.failure { throw WriteFailure(description: failure) }
        }
        if let failure = bundles?.failure { throw WriteFailure(description: failure) }
    }
}
