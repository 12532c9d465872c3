package import RunRecord

/// Chosen figures of many runs, put together for each case over its seeds and repeats.
package struct RunTable: Sendable {
    /// All runs of one case.
    package struct Row: Sendable, Hashable {
        package var id: String
        /// Runs, those included that could not run.
        package var runs = 0
        /// In the order of the table's metrics; figures count runs that took place, the verdict counts all.
        package var cells: [MetricSummary]
    }

    package let metrics: [TableMetric]
    package private(set) var rows: [Row] = []
    private var places: [String: Int] = [:]

    package init(_ metrics: [TableMetric]) { self.metrics = metrics }

    /// Takes a run into the row of its case; rows stand in the order of their first runs.
    package mutating func add(_ result: CaseResult) {
        let place = places[result.id] ?? rows.count
        if place == rows.count {
            rows.append(Row(id: result.id, cells: metrics.map { _ in MetricSummary() }))
            places[result.id] = place
        }
        rows[place].runs += 1
        let figures = result.journal.map { RunFigures($0.events()) }
        for (index, metric) in metrics.enumerated() {
            guard figures != nil || metric == .verdict else { continue }
            rows[place].cells[index].add(metric.value(result, figures ?? RunFigures([])))
        }
    }

    // MARK: For people

    /// The table in columns: the mean, and behind it least and greatest where runs differ.
    package var text: String {
        let ids = rows.map { PlainText.printable($0.id) }
        let texts = rows.map { row in zip(metrics, row.cells).map(Self.cell) }
        var lines = [["scenario", "runs"] + metrics.map(\.rawValue)]
        for (index, row) in rows.enumerated() { lines.append([ids[index], "\(row.runs)"] + texts[index]) }
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            var cells = [PlainText.padded(line[0], widths[0])]
            for column in line.indices.dropFirst() {
                cells.append(PlainText.rightAligned(line[column], widths[column]))
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func cell(_ metric: TableMetric, _ summary: MetricSummary) -> String {
        guard summary.count > 0 else { return "–" }
        if metric == .verdict { return short(summary.mean * 100) + " %" }
        guard summary.least != summary.greatest else { return short(summary.mean) }
        return "\(short(summary.mean)) (\(short(summary.least))–\(short(summary.greatest)))"
    }

    /// A value in thousandths as people write it: whole, or with three digits behind the point.
    private static func short(_ thousandths: Int64) -> String {
        let fraction = String(thousandths % 1_000)
        let whole = "\(thousandths / 1_000)"
        if thousandths % 1_000 == 0 { return whole }
        return whole + "." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    // MARK: For programs

    /// Comma-separated values with a head: `scenario,runs`, then three columns for each metric and one for the verdict.
    package var csv: String {
        var lines = [["scenario", "runs"] + metrics.flatMap(Self.columns)]
        for row in rows {
            lines.append([row.id, "\(row.runs)"] + zip(metrics, row.cells).flatMap(Self.values))
        }
        return lines.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func columns(_ metric: TableMetric) -> [String] {
        metric == .verdict ? ["passed-share"] : ["mean", "min", "max"].map { metric.rawValue + "-" + $0 }
    }

    private static func values(_ metric: TableMetric, _ summary: MetricSummary) -> [String] {
        let numbers = metric == .verdict ? [summary.mean] : [summary.mean, summary.least, summary.greatest]
        return numbers.map { summary.count == 0 ? "" : short($0) }
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }

    /// One object: `metrics`, and `cases` with `id`, `runs`, and for each metric `mean`, `min`, `max`.
    package var json: String {
        var json = JSONText()
        json.object { json in
            json.key("metrics")
            json.array { for metric in metrics { $0.string(metric.rawValue) } }
            json.key("cases")
            json.array { json in for row in rows { write(row, &json) } }
        }
        return json.text + "\n"
    }

    private func write(_ row: Row, _ json: inout JSONText) {
        json.object { json in
            json.key("id")
            json.string(row.id)
            json.key("runs")
            json.integer(row.runs)
            for (metric, cell) in zip(metrics, row.cells) {
                let numbers = [("mean", cell.mean), ("min", cell.least), ("max", cell.greatest)]
                json.key(metric == .verdict ? "passed-share" : metric.rawValue)
                if cell.count == 0 {
                    json.null()
                } else if metric == .verdict {
                    json.decimal(thousandths: cell.mean)
                } else {
                    json.object { json in
                        for (key, number) in numbers {
                            json.key(key)
                            json.decimal(thousandths: number)
                        }
                    }
                }
            }
        }
    }
}
