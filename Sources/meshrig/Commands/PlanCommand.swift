internal import Reporting
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner
internal import Synchronization

/// Says what a run would cost, without judging anything.
enum PlanCommand {
    static let command = Command(
        "plan", "Says what a run costs, without judging it: steps, frames, packets, air and virtual time.",
        words: "[ID, folder or file…]",
        options: Selection.options + [
            OptionDescriptor("--seed", short: "-s", .seed, "the run's seed, instead of the file's"),
            OptionDescriptor("--jobs", short: "-j", .number(1...256), "so many cases at once"),
            OptionDescriptor(
                "--testbed", .text("FILE"), "also say what these radios cannot do, and which steps need consent"),
            OptionDescriptor("--json", .flag, "one JSON object a line, the total last"),
        ],
        notes: """
            The figures come from a run in the simulator, also with --testbed: no radio is touched. Retries and collisions
            make real radios send more, and there the virtual time is real.
            """,
        example: "meshrig plan client/direct-messages --testbed desk.yaml", run: run)

    private static func run(_ arguments: Arguments, _ output: Output) throws -> Int32 {
        let selection = try Selection(arguments)
        let bench = try arguments.text("--testbed").map {
            try TestbedDocument(try ScenarioFolder.node(at: $0), file: $0)
        }
        let outlooks = try selection.documents.map { try BenchOutlook($0, on: bench) }
        let settings = RunSettings(seed: arguments.seed("--seed"))
        let cases = selection.documents.map { ($0, settings) }
        let report = PlanReport(ids: selection.documents.map(\.id), tellsSteps: bench != nil)
        let isJSON = arguments.flag("--json")
        if !isJSON { output.write(report.header) }
        let entries = EntryList()
        _ = Runner.run(cases, jobs: arguments.number("--jobs") ?? 1, keepsJournals: false) { result in
            let index = entries.count
            let entry = entry(result, selection.documents[index], outlooks[index])
            entries.add(entry)
            output.write(isJSON ? PlanReport.json(entry) : report.row(entry))
        }
        output.write(isJSON ? PlanReport.json(totalOf: entries.all) : report.total(entries.all))
        for result in selection.bad { Output.errors.write(result.reason + "\n") }
        return selection.bad.isEmpty ? 0 : Verdict.bad.exitCode
    }

    private static func entry(
        _ result: CaseResult, _ document: ScenarioDocument, _ outlook: BenchOutlook
    ) -> PlanReport.Entry {
        let reasons = [outlook.obstacle, result.journal == nil ? "no estimate: " + result.reason : nil]
        return PlanReport.Entry(
            result, steps: document.allSteps.count,
            consents: outlook.consents.map { ($0.step, option($0.effect)) },
            obstacle: reasons.compactMap { $0 }.joined(separator: "; "))
    }

    private static func option(_ effect: StepEffect) -> String {
        effect == .transmits ? "--allow-transmit" : "--allow-destructive"
    }
}

/// Entries in the order in which they were added, from any thread.
private final class EntryList: Sendable {
    private let entries = Mutex<[PlanReport.Entry]>([])

    var count: Int { entries.withLock { $0.count } }
    var all: [PlanReport.Entry] { entries.withLock { $0 } }
    func add(_ entry: PlanReport.Entry) { entries.withLock { $0.append(entry) } }
}
