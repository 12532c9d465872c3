package import RunRecord

/// What cases cost before they are run for their verdict, one row each, with totals.
package struct PlanReport: Sendable {
    /// What one case costs.
    package struct Entry: Sendable {
        package var id: String
        package var seed: UInt64
        package var steps: Int
        package var events: Int
        package var virtualTime: Duration
        package var figures: RunFigures
        /// Options that allow what the case does to radios, each once.
        package var options: [String]
        /// Steps with the option each needs.
        package var consents: [(step: String, option: String)]
        /// Why there is no estimate, or why the bench cannot do it; empty when nothing is in the way.
        package var obstacle: String

        package init(
            _ result: CaseResult, steps: Int, consents: [(step: String, option: String)], obstacle: String
        ) {
            id = result.id
            seed = result.seed
            self.steps = steps
            events = result.eventCount
            virtualTime = result.virtualTime
            figures = RunFigures(result.journal?.events() ?? [])
            self.consents = consents
            options = consents.reduce(into: []) { if !$0.contains($1.option) { $0.append($1.option) } }
            self.obstacle = obstacle
        }
    }

    private let idWidth: Int
    /// Whether each step with its option is told below the row.
    private let tellsSteps: Bool

    package init(ids: [String], tellsSteps: Bool) {
        idWidth = max(8, min(72, ids.map(\.count).max() ?? 0))
        self.tellsSteps = tellsSteps
    }

    private static let columns = [
        ("steps", 6), ("frames", 7), ("packets", 7), ("air s", 9), ("virtual s", 10), ("events", 8),
    ]

    package var header: String {
        let cells = Self.columns.map { PlainText.rightAligned($0.0, $0.1) }
        return ([PlainText.padded("scenario", idWidth)] + cells + ["on radios"]).joined(separator: "  ") + "\n"
    }

    package func row(_ entry: Entry) -> String {
        var text = line(
            PlainText.printable(entry.id), entry.steps, entry.figures, entry.virtualTime, entry.events,
            note: entry.options.joined(separator: " "))
        if !entry.obstacle.isEmpty { text += "    " + PlainText.printable(entry.obstacle) + "\n" }
        guard tellsSteps else { return text }
        for (step, option) in entry.consents {
            text += "    \(option)  \(PlainText.printable(step))\n"
        }
        return text
    }

    package func total(_ entries: [Entry]) -> String {
        var figures = RunFigures([])
        for entry in entries { figures.add(entry.figures) }
        return line(
            PlainText.count(entries.count, "case"), entries.reduce(0) { $0 + $1.steps }, figures,
            entries.reduce(.zero) { $0 + $1.virtualTime }, entries.reduce(0) { $0 + $1.events }, note: "")
    }

    private func line(
        _ name: String, _ steps: Int, _ figures: RunFigures, _ time: Duration, _ events: Int, note: String
    ) -> String {
        let cells = [
            "\(steps)", "\(figures.frames)", "\(figures.packets)",
            PlainText.seconds(.microseconds(figures.airtimeMicros)), PlainText.seconds(time), "\(events)",
        ]
        let aligned = zip(cells, Self.columns).map { PlainText.rightAligned($0, $1.1) }
        let all = [PlainText.padded(name, idWidth)] + aligned + (note.isEmpty ? [] : [note])
        return all.joined(separator: "  ") + "\n"
    }

    /// A line of JSON: `kind` is `case`, times are in milliseconds.
    package static func json(_ entry: Entry) -> String {
        var json = JSONText()
        json.object { json in
            json.key("kind")
            json.string("case")
            json.key("id")
            json.string(entry.id)
            json.key("seed")
            json.integer(entry.seed)
            write(entry.steps, entry.figures, entry.virtualTime, entry.events, &json)
            json.key("airtime-ms-by-node")
            json.object { json in
                for node in entry.figures.airtime {
                    json.key(node.node)
                    json.integer(node.micros / 1_000)
                }
            }
            json.key("consents")
            json.array { json in
                for (step, option) in entry.consents {
                    json.object { json in
                        json.key("step")
                        json.string(step)
                        json.key("option")
                        json.string(option)
                    }
                }
            }
            if !entry.obstacle.isEmpty {
                json.key("obstacle")
                json.string(entry.obstacle)
            }
        }
        return json.text + "\n"
    }

    /// The last line of JSON: `kind` is `total`.
    package static func json(totalOf entries: [Entry]) -> String {
        var figures = RunFigures([])
        for entry in entries { figures.add(entry.figures) }
        var json = JSONText()
        json.object { json in
            json.key("kind")
            json.string("total")
            json.key("cases")
            json.integer(entries.count)
            write(
                entries.reduce(0) { $0 + $1.steps }, figures, entries.reduce(.zero) { $0 + $1.virtualTime },
                entries.reduce(0) { $0 + $1.events }, &json)
        }
        return json.text + "\n"
    }

    private static func write(
        _ steps: Int, _ figures: RunFigures, _ time: Duration, _ events: Int, _ json: inout JSONText
    ) {
        let numbers: [(String, Int64)] = [
            ("steps", Int64(steps)), ("frames", Int64(figures.frames)), ("packets", Int64(figures.packets)),
            ("airtime-ms", figures.airtimeMicros / 1_000), ("virtual-ms", PlainText.milliseconds(time)),
            ("events", Int64(events)),
        ]
        for (key, number) in numbers {
            json.key(key)
            json.integer(number)
        }
    }
}

extension RunFigures {
    /// Frames and air of another run on top; messages are not put together.
    fileprivate mutating func add(_ other: RunFigures) {
        frames += other.frames
        for node in other.airtime {
            if let place = airtime.firstIndex(where: { $0.node == node.node }) {
                airtime[place].micros += node.micros
                airtime[place].packets += node.packets
            } else {
                airtime.append(node)
            }
        }
    }
}
