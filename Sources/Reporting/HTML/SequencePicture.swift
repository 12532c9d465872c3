internal import RigBase
internal import RunRecord

/// What messages caused, as arrows between client, radio and nodes, one below the other; and the same as text.
struct SequencePicture {
    static let rowLimit = 120
    /// Nodes beyond are left to the text.
    static let columnLimit = 12

    private enum Row {
        case step(at: SimInstant, text: String)
        case arrow(at: SimInstant, from: String, to: [(name: String, isHeard: Bool)], text: String)
        /// Something at one place.
        case note(at: SimInstant, place: String, text: String)
    }

    private var rows: [Row] = []
    private var columns: [String]
    private(set) var leftOut = 0

    private static let client = "client"
    private static let frames = [
        "send-text", "send-channel-text", "sent", "send-confirmed", "message-waiting", "sync-next-message", "error",
        "direct-message", "direct-message-v3", "channel-message", "channel-message-v3", "reset-path",
    ]

    init(_ events: [RunEvent], nodes: [String]) {
        let clientNode = events.first { $0.kind == .frameToRadio || $0.kind == .linkUp }?.subject
        let others = nodes.filter { $0 != clientNode }
        columns = clientNode.map { [Self.client, $0] + others } ?? nodes
        columns = Array(columns.prefix(Self.columnLimit))
        var outcomes: [EventID: [(String, Bool)]] = [:]
        for event in events where event.kind == .packetReceived || event.kind == .packetMissed {
            if let cause = event.cause {
                outcomes[cause, default: []].append((event.subject, event.kind == .packetReceived))
            }
        }
        for event in events {
            guard let row = Self.row(event, outcomes) else { continue }
            if rows.count < Self.rowLimit { rows.append(row) } else { leftOut += 1 }
        }
    }

    private static func row(_ event: RunEvent, _ outcomes: [EventID: [(String, Bool)]]) -> Row? {
        switch event.kind {
        case .stepStarted:
            return .step(at: event.at, text: HTMLText.cut(event["step"]?.plainText ?? "", 90))
        case .frameToRadio, .frameFromRadio:
            guard let name = event["name"]?.plainText, frames.contains(name) else { return nil }
            let isDown = event.kind == .frameToRadio
            return .arrow(
                at: event.at, from: isDown ? client : event.subject, to: [(isDown ? event.subject : client, true)],
                text: name)
        case .packetSent:
            let kind = event["type"]?.plainText ?? "frame"
            let number = event.packet.map { " #\($0)" } ?? ""
            return .arrow(at: event.at, from: event.subject, to: outcomes[event.id] ?? [], text: kind + number)
        case .messageStored, .messageStatus, .messageDuplicate:
            let what = event["status"]?.plainText ?? event["text"].map { "“\($0.plainText)”" } ?? ""
            let verb =
                event.kind == .messageDuplicate ? "duplicate: " : event.kind == .messageStored ? "stored: " : "message "
            return .note(at: event.at, place: client, text: HTMLText.cut(verb + what, 40))
        case .messageQueued:
            let text = event["text"]?.plainText ?? ""
            return .note(at: event.at, place: event.subject, text: HTMLText.cut("got “\(text)”", 40))
        case .fault, .linkUp, .linkDown:
            return .note(at: event.at, place: client, text: HTMLText.cut(EventText.what(event).trimmedSpaces, 60))
        default: return nil
        }
    }

    private static let step = 30
    private static let top = 34
    private static let margin = 70
    private static let spacing = 118
    /// For the words beside the last column.
    private static let room = 260

    private func x(_ name: String) -> Int? {
        columns.firstIndex(of: name).map { Self.margin + 40 + $0 * Self.spacing }
    }

    func write(into html: inout HTMLText, id: String) {
        let width = Self.margin + 80 + max(0, columns.count - 1) * Self.spacing + Self.room
        let height = Self.top + rows.count * Self.step + 10
        html.markup("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Message sequence\">")
        html.open(
            "svg",
            [
                ("role", "img"), ("aria-labelledby", "\(id)-s"), ("width", "\(width)"), ("height", "\(height)"),
                ("viewBox", "0 0 \(width) \(height)"),
            ])
        html.element("title", with: [("id", "\(id)-s")], "Message sequence; the same follows as text")
        for column in columns {
            let place = "\(x(column) ?? 0)"
            html.element(
                "text", with: [("x", place), ("y", "18"), ("class", "label strong")], HTMLText.cut(column, 14))
            html.open("line", [("class", "life"), ("x1", place), ("x2", place), ("y1", "26"), ("y2", "\(height)")])
            html.close("line")
        }
        for (index, row) in rows.enumerated() {
            draw(row, at: Self.top + index * Self.step + 20, width: width, &html)
        }
        html.markup("</svg></div>\n<details><summary>The sequence as text</summary><ol class=\"plain\">\n")
        for row in rows { html.element("li", Self.text(row)) }
        html.markup("</ol></details>\n")
        if leftOut > 0 { html.element("p", with: [("class", "more")], "\(leftOut) more are left out.") }
    }

    private func draw(_ row: Row, at y: Int, width: Int, _ html: inout HTMLText) {
        func words(_ text: String, _ x: Int, _ style: String) {
            html.element("text", with: [("x", "\(x)"), ("y", "\(y - 5)"), ("class", style)], text)
        }
        switch row {
        case .step(let at, let text):
            html.open(
                "rect", [("class", "band"), ("x", "0"), ("y", "\(y - 19)"), ("width", "\(width)"), ("height", "20")])
            html.close("rect")
            words(at.description, 4, "mark")
            words(text, Self.margin, "small strong")
        case .note(let at, let place, let text):
            words(at.description, 4, "mark")
            guard let x = x(place) else { return }
            html.open("circle", [("class", "spot"), ("cx", "\(x)"), ("cy", "\(y - 9)"), ("r", "4")])
            html.close("circle")
            words(text, x + 8, "small halo")
        case .arrow(let at, let from, let receivers, let text):
            words(at.description, 4, "mark")
            guard let start = x(from) else { return }
            html.open("circle", [("class", "start"), ("cx", "\(start)"), ("cy", "\(y)"), ("r", "3")])
            html.close("circle")
            for receiver in receivers {
                guard let end = x(receiver.name), end != start else { continue }
                arrow(start, end, y, receiver.isHeard ? "arrow" : "arrow lost", &html)
            }
            let ends = receivers.compactMap { x($0.name) }
            let isLeft = !ends.isEmpty && ends.allSatisfy { $0 < start }
            words(text, start + (isLeft ? -6 : 6), isLeft ? "small end halo" : "small halo")
        }
    }

    private func arrow(_ start: Int, _ end: Int, _ y: Int, _ style: String, _ html: inout HTMLText) {
        let tail = end > start ? -6 : 6
        html.open("path", [("class", style), ("d", "M\(start) \(y)H\(end)m\(tail) -4l\(-tail) 4l\(tail) 4")])
        html.close("path")
    }

    private static func text(_ row: Row) -> String {
        switch row {
        case .step(let at, let text): return "\(at) step: \(text)"
        case .note(let at, let place, let text): return "\(at) \(place): \(text)"
        case .arrow(let at, let from, let receivers, let text):
            let heard = receivers.filter(\.isHeard).map(\.name)
            let missed = receivers.filter { !$0.isHeard }.map(\.name)
            return "\(at) \(from) → \(heard.isEmpty ? "nobody" : heard.joined(separator: ", ")): \(text)"
                + (missed.isEmpty ? "" : "; missed by \(missed.joined(separator: ", "))")
        }
    }
}
