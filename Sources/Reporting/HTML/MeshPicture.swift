internal import RunRecord

/// Who sent and who heard whom in a run, as a circle of nodes and as a table.
struct MeshPicture {
    /// Pictures of more nodes are no help.
    static let nodeLimit = 24
    static let rowLimit = 100

    private struct Link {
        var heard = 0
        var missed = 0
        var snrSum: Int64 = 0
    }

    let nodes: [String]
    private var pairs: [[String]] = []
    private var links: [[String]: Link] = [:]

    init(_ events: [RunEvent], nodes: [String]) {
        self.nodes = nodes
        for event in events where event.kind == .packetReceived || event.kind == .packetMissed {
            guard let sender = event["from"]?.plainText else { continue }
            let pair = [sender, event.subject]
            if links[pair] == nil { pairs.append(pair) }
            var link = links[pair] ?? Link()
            if event.kind == .packetReceived {
                link.heard += 1
                link.snrSum += event["snr"]?.number ?? 0
            } else {
                link.missed += 1
            }
            links[pair] = link
        }
    }

    var isEmpty: Bool { pairs.isEmpty }

    func write(into html: inout HTMLText, id: String) {
        if nodes.count > 1, nodes.count <= Self.nodeLimit { draw(&html, id) }
        let rows = pairs.prefix(Self.rowLimit).map { pair in
            let link = links[pair] ?? Link()
            return [
                HTMLText.cut("\(pair[0]) → \(pair[1])", 60), "\(link.heard)", "\(link.missed)",
                link.heard == 0 ? "–" : Self.decibels(link.snrSum * 10 / 4 / Int64(link.heard)),
            ]
        }
        let more = pairs.count > Self.rowLimit ? ", the first \(Self.rowLimit) of \(pairs.count)" : ""
        html.table(caption: "Who heard whom\(more)", ["link", "heard", "missed", "mean SNR"], Array(rows))
    }

    private func draw(_ html: inout HTMLText, _ id: String) {
        html.open(
            "svg", [("role", "img"), ("aria-labelledby", "\(id)-m"), ("viewBox", "0 0 360 300"), ("class", "mesh")])
        html.element(
            "title", with: [("id", "\(id)-m")],
            "Mesh of \(PlainText.count(nodes.count, "node")): \(nodes.joined(separator: ", ")); its links follow as a table"
        )
        var drawn: Set<[String]> = []
        for pair in pairs {
            guard let from = nodes.firstIndex(of: pair[0]), let to = nodes.firstIndex(of: pair[1]),
                drawn.insert(pair.sorted()).inserted
            else { continue }
            let heard = (links[pair]?.heard ?? 0) + (links[[pair[1], pair[0]]]?.heard ?? 0)
            let (a, b) = (place(from), place(to))
            html.open(
                "line",
                [
                    ("class", heard > 0 ? "edge" : "edge lost"), ("x1", "\(a.x)"), ("y1", "\(a.y)"), ("x2", "\(b.x)"),
                    ("y2", "\(b.y)"),
                ])
            html.close("line")
        }
        for (index, node) in nodes.enumerated() {
            let spot = place(index)
            html.open("circle", [("class", "node"), ("cx", "\(spot.x)"), ("cy", "\(spot.y)"), ("r", "9")])
            html.close("circle")
            let isLow = spot.y > 150
            html.element(
                "text",
                with: [("x", "\(spot.x)"), ("y", "\(spot.y + (isLow ? 24 : -15))"), ("class", "label")],
                HTMLText.cut(node, 14))
        }
        html.close("svg")
    }

    /// Sines of 24 steps around, in thousandths.
    private static let sines = [
        0, 259, 500, 707, 866, 966, 1000, 966, 866, 707, 500, 259, 0, -259, -500, -707, -866, -966, -1000, -966, -866,
        -707, -500, -259,
    ]

    private func place(_ index: Int) -> (x: Int, y: Int) {
        let step = index * 24 / nodes.count
        return (180 - 130 * Self.sines[(step + 6) % 24] / 1_000, 150 - 105 * Self.sines[step] / 1_000)
    }

    /// Tenths as `9.3 dB`.
    private static func decibels(_ tenths: Int64) -> String {
        (tenths < 0 ? "−" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10) dB"
    }
}
