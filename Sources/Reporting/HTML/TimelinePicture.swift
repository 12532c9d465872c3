internal import RigBase
internal import RunRecord

/// One run as lanes over time: the client, its host link, and each node of the mesh.
struct TimelinePicture {
    /// More things than this are not drawn, nor more lanes of nodes.
    static let itemLimit = 500
    static let nodeLimit = 16

    private struct Item {
        var lane: Int
        var start: Int64
        var end: Int64
        /// The name of its style.
        var style: StaticString
        var title: String
    }

    private var items: [Item] = []
    private var lanes: [String]
    private(set) var leftOut = 0
    private let scale: TimeScale

    private static let laneHeight = 26

    init(_ events: [RunEvent], nodes: [String]) {
        let shown = Array(nodes.prefix(Self.nodeLimit))
        lanes = ["client", "to radio", "from radio"] + shown
        let places = Dictionary(shown.enumerated().map { ($0.element, $0.offset + 3) }) { first, _ in first }
        var drawn: Set<[Int64]> = []
        for event in events {
            guard let item = Self.item(event, places) else { continue }
            // Frames of one millisecond would lie on each other.
            if item.lane < 3, event.kind != .messageStatus,
                !drawn.insert([Int64(item.lane), item.start, Int64(item.style == "noise" ? 1 : 0)]).inserted
            {
                continue
            }
            if items.count < Self.itemLimit { items.append(item) } else { leftOut += 1 }
        }
        scale = TimeScale(milliseconds: items.flatMap { [$0.start, $0.end] })
    }

    private static func item(_ event: RunEvent, _ nodes: [String: Int]) -> Item? {
        let lane: Int?
        let style: StaticString
        switch event.kind {
        case .frameToRadio: (lane, style) = (1, "frame")
        case .frameFromRadio: (lane, style) = (2, "frame")
        case .noise: (lane, style) = (2, "noise")
        case .stepStarted: (lane, style) = (0, "step")
        case .messageStored, .messageStatus, .messageDuplicate: (lane, style) = (0, "message")
        case .connection, .linkUp, .linkDown: (lane, style) = (0, "link")
        case .fault: (lane, style) = (1, "fault")
        case .packetSent: (lane, style) = (nodes[event.subject], "sent")
        case .packetReceived: (lane, style) = (nodes[event.subject], "heard")
        case .packetMissed: (lane, style) = (nodes[event.subject], "missed")
        case .nodeStopped, .firmwareCrash, .queueDropped: (lane, style) = (nodes[event.subject], "fault")
        default: return nil
        }
        guard let lane else { return nil }
        let start = event.at.milliseconds
        let airtime = event.kind == .packetSent ? (event["airtime"]?.number ?? 0) / 1_000 : 0
        let title = HTMLText.cut(EventText.line(event).trimmedSpaces, 140)
        return Item(lane: lane, start: start, end: start + airtime, style: style, title: title)
    }

    func write(into html: inout HTMLText, id: String) {
        let height = lanes.count * Self.laneHeight + 22
        html.markup("<div class=\"lanes\"><div class=\"names\" aria-hidden=\"true\">")
        for lane in lanes { html.element("div", lane) }
        html.markup("</div><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline\">")
        html.open(
            "svg",
            [
                ("role", "img"), ("aria-labelledby", "\(id)-t"), ("width", "\(scale.width)"), ("height", "\(height)"),
                ("viewBox", "0 0 \(scale.width) \(height)"),
            ])
        html.element(
            "title", with: [("id", "\(id)-t")],
            "Timeline with \(PlainText.count(items.count, "event")) in the lanes \(lanes.joined(separator: ", "));"
                + " the events follow as text")
        for index in lanes.indices {
            let y = "\(index * Self.laneHeight + Self.laneHeight / 2)"
            line(&html, "lane", x: ["0", "\(scale.width)"], y: [y, y])
        }
        for item in items { draw(item, &html) }
        for mark in scale.marks(distance: 64) {
            html.element("text", with: [("x", "\(mark.place)"), ("y", "\(height - 6)"), ("class", "mark")], mark.text)
        }
        html.markup("</svg></div></div>\n")
    }

    private func draw(_ item: Item, _ html: inout HTMLText) {
        let x = scale.place(item.start)
        let top = item.lane * Self.laneHeight
        let middle = top + Self.laneHeight / 2
        html.element("g", with: [("class", "\(item.style)")]) { html in
            html.element("title", item.title)
            switch "\(item.style)" {
            case "sent":
                let width = max(4, scale.place(item.end) - x)
                box(&html, x: x, y: middle - 7, width: width, height: 14)
            case "heard": html.open("circle", [("cx", "\(x)"), ("cy", "\(middle)"), ("r", "4")])
            case "missed", "fault", "noise":
                line(&html, "cross", x: ["\(x - 4)", "\(x + 4)"], y: ["\(middle - 4)", "\(middle + 4)"])
                line(&html, "cross", x: ["\(x - 4)", "\(x + 4)"], y: ["\(middle + 4)", "\(middle - 4)"])
            case "message": box(&html, x: x - 3, y: middle - 8, width: 6, height: 16)
            default: line(&html, "tick", x: ["\(x)", "\(x)"], y: ["\(middle - 7)", "\(middle + 7)"])
            }
            if item.style == "heard" { html.close("circle") }
        }
    }

    private func box(_ html: inout HTMLText, x: Int, y: Int, width: Int, height: Int) {
        html.open(
            "rect",
            [("x", "\(x)"), ("y", "\(y)"), ("width", "\(width)"), ("height", "\(height)"), ("rx", "2")])
        html.close("rect")
    }

    private func line(_ html: inout HTMLText, _ style: StaticString, x: [String], y: [String]) {
        html.open("line", [("class", "\(style)"), ("x1", x[0]), ("x2", x[1]), ("y1", y[0]), ("y2", y[1])])
        html.close("line")
    }
}

extension StaticString {
    static func == (left: StaticString, right: StaticString) -> Bool { "\(left)" == "\(right)" }
}

extension String {
    /// Without the spaces of its columns.
    var trimmedSpaces: String { split(separator: " ").joined(separator: " ") }
}
