internal import RigBase
package import RunRecord

/// The results as one HTML file that needs nothing else: no script, no font, no address.
///
/// Takes results one by one and keeps text of limited size, however many there are: of the runs that did not pass the
/// first ones in full, then of those that passed.
package struct HTMLReport: Sendable {
    /// Rows of the table, and runs told in full.
    package static let rowLimit = 2_000
    package static let runLimit = 40

    private var rows: [[String]] = []
    private var verdicts: [Verdict: Int] = [:]
    private var told: [String] = []
    private var toldPassed: [String] = []
    private var number = 0

    package init() {}

    package mutating func add(_ result: CaseResult) {
        number += 1
        verdicts[result.verdict, default: 0] += 1
        let isPassed = result.verdict == .passed
        let isTold = (isPassed ? toldPassed : told).count < Self.runLimit
        let id = "run\(number)"
        if rows.count < Self.rowLimit { rows.append(row(result, isTold ? id : "")) }
        guard isTold else { return }
        let text = RunSection(result, id: id).text
        if isPassed { toldPassed.append(text) } else { told.append(text) }
    }

    /// The whole document. `started` is when the run began, `note` what was asked for.
    package func document(started: String, note: String) -> String {
        let shown = told + toldPassed.prefix(max(0, Self.runLimit - told.count))
        var html = HTMLText()
        html.markup(
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="color-scheme" content="light dark">

            """)
        html.element("title", "meshrig: \(counts)")
        html.markup("<style>")
        html.markup(HTMLStyle.sheet)
        html.markup("</style></head><body><header>")
        html.element("h1", counts)
        html.element("p", "\(note). Begun \(started).")
        html.markup("</header><main>\n")
        writeTable(into: &html, shown: shown.count)
        if !shown.isEmpty { html.element("h2", "Runs") }
        var text = html.text
        for section in shown { text += section }
        return text + "</main></body></html>\n"
    }

    private var counts: String {
        ConsoleReport.counts(Verdict.allCases.flatMap { Array(repeating: $0, count: verdicts[$0] ?? 0) })
    }

    /// Verdict, id, whose section it has, and the figures.
    private func row(_ result: CaseResult, _ section: String) -> [String] {
        let figures = RunFigures(result.journal?.events() ?? [])
        return [
            result.verdict.rawValue, HTMLText.cut(result.id, 120), section, HTMLText.cut(result.title, 160),
            "\(result.seed)", PlainText.seconds(result.virtualTime), "\(figures.acked) of \(figures.sent)",
            "\(figures.attempts)", PlainText.seconds(.microseconds(figures.airtimeMicros)),
        ]
    }

    private func writeTable(into html: inout HTMLText, shown: Int) {
        html.markup(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Verdicts\"><table class=\"verdicts\">")
        let more = number > rows.count ? ", the first \(rows.count) of \(number)" : ""
        html.element("caption", "Verdicts\(more)")
        html.markup("<thead><tr>")
        for head in ["verdict", "scenario", "seed", "virtual s", "confirmed", "attempts", "air s"] {
            html.element("th", with: [("scope", "col")], head)
        }
        html.markup("</tr></thead><tbody>\n")
        // Sections of passed runs give way to those of others.
        let kept = max(0, Self.runLimit - told.count)
        var passed = 0
        for row in rows {
            if row[0] == Verdict.passed.rawValue, !row[2].isEmpty { passed += 1 }
            let hasSection = !row[2].isEmpty && (row[0] != Verdict.passed.rawValue || passed <= kept)
            html.element("tr") { html in
                html.element("td") { html in html.element("span", with: [("class", "verdict \(row[0])")], row[0]) }
                html.element("th", with: [("scope", "row")]) { html in
                    if hasSection {
                        html.element("a", with: [("href", "#\(row[2])")], row[1])
                    } else {
                        html.content(row[1])
                    }
                    html.element("span", with: [("class", "title")], row[3])
                }
                for cell in row[4...] { html.element("td", with: [("class", "number")], cell) }
            }
        }
        html.markup("</tbody></table></div>\n")
        if shown < number {
            html.element(
                "p", with: [("class", "more")],
                "\(shown) of \(number) runs are told below, those that did not pass first.")
        }
    }
}

/// All about one run.
private struct RunSection {
    private var html = HTMLText()
    var text: String { html.text }

    private static let messageLimit = 100
    private static let nodeLimit = 100
    private static let lineLimit = 200

    init(_ result: CaseResult, id: String) {
        let events = result.journal?.events() ?? []
        html.open("section", [("id", id), ("aria-labelledby", "\(id)-h")])
        html.element("h3", with: [("id", "\(id)-h")]) { html in
            html.element("span", with: [("class", "verdict \(result.verdict.rawValue)")], result.verdict.rawValue)
            html.content(" " + HTMLText.cut(result.id, 200))
        }
        if !result.title.isEmpty { html.element("p", HTMLText.cut(result.title, 400)) }
        html.element(
            "p", with: [("class", "facts")],
            "seed \(result.seed) · \(PlainText.seconds(result.virtualTime)) virtual seconds · "
                + PlainText.count(result.eventCount, "event"))
        if result.verdict != .passed { explain(result) }
        faults(result.faults)
        if !events.isEmpty { tell(events, id) }
        if !result.replayCommand.isEmpty {
            html.element("p") { html in
                html.content("Again: ")
                html.element("code", HTMLText.cut(result.replayCommand, 400))
            }
        }
        html.close("section")
    }

    private mutating func faults(_ counts: [FaultCount]) {
        guard !counts.isEmpty else { return }
        html.element("h4", "Faults")
        let silent = counts.count { $0.fired == 0 }
        html.table(
            caption: PlainText.count(counts.count, "fault") + (silent > 0 ? ", \(silent) never acted" : ""),
            ["fault", "where", "armed", "observed", "fired"],
            counts.prefix(Self.lineLimit).map { count in
                [
                    HTMLText.cut(count.name, 80), "\(count.seam): \(count.action)", "\(count.armed)",
                    "\(count.observed)", count.fired == 0 ? "never" : "\(count.fired)",
                ]
            })
    }

    private mutating func explain(_ result: CaseResult) {
        let lines = FailureText.lines(result)
        let more = lines.count > Self.lineLimit ? ["… \(lines.count - Self.lineLimit) more lines"] : []
        let shown = (lines.prefix(Self.lineLimit) + more).map { HTMLText.cut($0, 300) }
        html.markup("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"What went wrong\">")
        html.element("pre", shown.joined(separator: "\n"))
        html.markup("</div>\n")
    }

    private mutating func tell(_ events: [RunEvent], _ id: String) {
        var nodes: [String] = []
        var known: Set<String> = []
        for event in events where Self.ofNodes.contains(event.kind) && !event.subject.isEmpty {
            if known.insert(event.subject).inserted { nodes.append(event.subject) }
        }
        html.element("h4", "Timeline")
        html.markup(
            "<p class=\"key\">Long silences are drawn short. On the nodes' lanes: bars were sent, dots were heard, crosses were missed.</p>"
        )
        let timeline = TimelinePicture(events, nodes: nodes)
        timeline.write(into: &html, id: id)
        if timeline.leftOut > 0 {
            html.element("p", with: [("class", "more")], "\(PlainText.count(timeline.leftOut, "event")) are not drawn.")
        }
        let figures = RunFigures(events)
        messages(figures)
        html.element("h4", "Message sequence")
        SequencePicture(events, nodes: nodes).write(into: &html, id: id)
        let mesh = MeshPicture(events, nodes: nodes)
        if !mesh.isEmpty {
            html.element("h4", "Mesh")
            mesh.write(into: &html, id: id)
        }
        airtime(figures)
    }

    private static let ofNodes: [EventKind] = [.nodeBooted, .packetSent, .packetReceived, .packetMissed]

    private mutating func messages(_ figures: RunFigures) {
        guard !figures.messages.isEmpty else { return }
        html.element("h4", "Messages and retries")
        let more = figures.messages.count > Self.messageLimit ? ", the first \(Self.messageLimit)" : ""
        html.table(
            caption: "\(PlainText.count(figures.messages.count, "message"))\(more), "
                + PlainText.count(figures.duplicates, "duplicate"),
            ["text", "with", "attempts", "statuses", "settled after"],
            figures.messages.prefix(Self.messageLimit).map { message in
                [
                    HTMLText.cut(message.text, 80),
                    (message.isOutgoing ? "to " : "from ") + HTMLText.cut(message.peer, 40),
                    message.isOutgoing ? "\(message.attempts)" : "–",
                    HTMLText.cut(message.statuses.isEmpty ? "stored" : message.statuses.joined(separator: " → "), 120),
                    PlainText.seconds(message.stored.duration(to: message.changed)) + " s",
                ]
            })
    }

    private mutating func airtime(_ figures: RunFigures) {
        guard !figures.airtime.isEmpty else { return }
        html.element("h4", "Time on the air")
        let most = max(1, figures.airtime.map(\.micros).max() ?? 1)
        let total = PlainText.seconds(.microseconds(figures.airtimeMicros))
        html.markup(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Time on the air\"><table class=\"bars\">")
        html.element("caption", "\(total) s in all")
        html.markup(
            "<thead><tr><th scope=\"col\">node</th><th scope=\"col\">packets</th><th scope=\"col\">seconds</th><th scope=\"col\"><span class=\"hidden\">share</span></th></tr></thead><tbody>"
        )
        for node in figures.airtime.prefix(Self.nodeLimit) {
            html.element("tr") { html in
                html.element("th", with: [("scope", "row")], HTMLText.cut(node.node, 40))
                html.element("td", with: [("class", "number")], "\(node.packets)")
                html.element("td", with: [("class", "number")], PlainText.seconds(.microseconds(node.micros)))
                html.element("td") { html in
                    html.element(
                        "div", with: [("class", "bar"), ("style", "width:\(max(1, node.micros * 100 / most))%")], "")
                }
            }
        }
        html.markup("</tbody></table></div>\n")
    }
}
