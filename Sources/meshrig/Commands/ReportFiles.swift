internal import Reporting
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner
internal import Synchronization

/// The files a run writes besides its table. Made before the run, so that a wrong path fails at once.
final class ReportFiles: Sendable {
    private let junit: Output?
    private let tap: Output?
    private let lines: Output?
    private let html: Output?
    private let page = Mutex(HTMLReport())
    private let capture: Output?
    private let blocks = Mutex(PacketCapture())
    private let bundles: BundleFolder?
    /// Nil when none is wanted.
    private let table: Mutex<RunTable?>
    private let tableCSV: Output?
    private let tableJSON: Output?
    private let github: GitHubFiles?
    private let counter = CaseCounter()
    private let timestamp = Host.timestamp

    init(_ arguments: Arguments) throws {
        junit = try arguments.text("--junit").map { try Output(creating: $0) }
        tap = try arguments.text("--tap").map { try Output(creating: $0) }
        lines = try arguments.text("--jsonl").map { try Output(creating: $0) }
        html = try arguments.text("--html").map { try Output(creating: $0) }
        capture = try arguments.text("--pcap").map { try Output(creating: $0) }
        bundles = try arguments.text("--bundle").map { try BundleFolder($0) }
        tableCSV = try arguments.text("--table-csv").map { try Output(creating: $0) }
        tableJSON = try arguments.text("--table-json").map { try Output(creating: $0) }
        table = Mutex(try Self.metrics(arguments).map { RunTable($0) })
        github = try GitHubFiles(arguments)
    }

    /// The metrics of the table; all when only a file for it is named, nil when there is to be none.
    private static func metrics(_ arguments: Arguments) throws(UsageError) -> [TableMetric]? {
        guard let list = arguments.text("--table") else {
            let isWanted = arguments.text("--table-csv") != nil || arguments.text("--table-json") != nil
            return isWanted ? TableMetric.allCases : nil
        }
        var metrics: [TableMetric] = []
        for name in list.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let metric = TableMetric(rawValue: name) else {
                throw UsageError.unknown("metric", name, among: TableMetric.allCases.map(\.rawValue))
            }
            if metrics.contains(metric) { throw UsageError("--table: \(name) is given twice") }
            metrics.append(metric)
        }
        return metrics
    }

    /// The table of chosen figures, for the end of the report; empty when none is wanted there.
    var tableText: String { table.withLock { $0?.text } ?? "" }

    func begin(seeds: [UInt64]) {
        lines?.write(JSONLinesReport.header(seeds: seeds))
        capture?.write(PacketCapture.header(version: Program.version))
    }

    /// Called in the order of the cases.
    func add(_ result: CaseResult, _ planned: RunCommand.PlannedCase?) {
        let number = counter.next()
        lines?.write(JSONLinesReport.lines(result, number: number))
        table.withLock { $0?.add(result) }
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
        tableCSV?.write(table.withLock { $0?.csv } ?? "")
        tableJSON?.write(table.withLock { $0?.json } ?? "")
        try github?.write(results, note: note)
        for file in [junit, tap, lines, html, capture, tableCSV, tableJSON].compactMap({ $0 }) {
            file.finish()
            if let failure = file.failure { throw WriteFailure(description: failure) }
        }
        if let failure = bundles?.failure { throw WriteFailure(description: failure) }
    }
}

/// What a job on GitHub shows beside its log; nil elsewhere.
private struct GitHubFiles {
    private let report: GitHubReport
    private let summary: Output?

    init?(_ arguments: Arguments) throws(UsageError) {
        guard arguments.flag("--github") || Host.environment("GITHUB_ACTIONS") == "true" else { return nil }
        report = GitHubReport(
            workspace: Host.environment("GITHUB_WORKSPACE") ?? "", folder: Host.workingFolder ?? "")
        summary = try Host.environment("GITHUB_STEP_SUMMARY").map { path throws(UsageError) in
            try Output(appendingTo: path)
        }
    }

    /// Annotations are read from either stream; here they do not mix with the report.
    func write(_ results: [CaseResult], note: String) throws {
        Output.errors.write(report.annotations(results))
        guard let summary else { return }
        summary.write(report.summary(results, note: note))
        summary.finish()
        if let failure = summary.failure { throw WriteFailure(description: failure) }
    }
}
