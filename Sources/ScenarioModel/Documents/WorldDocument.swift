package import RigBase

/// The radio world of a scenario: parameters, medium, nodes and the links between them.
package struct WorldDocument: Sendable, Hashable {
    package var radio: RadioDocument?
    package var medium: NameAtSpot?
    /// Unix seconds at the run's beginning.
    package var epoch: UInt32?
    /// In the order of the file.
    package var nodes: [NodeDocument]
    package var links: [LinkDocument]
    package var geometry: GeometryDocument?
    package var carrierSense: CarrierSenseDocument?
    package var spot: SourceSpot

    /// Unix seconds at which a world begins when its file says nothing.
    package static let defaultEpoch: UInt32 = 1_750_000_000

    package static let shape = ShapeDescriptor(
        "a world",
        [
            FieldDescriptor(
                Overlay.fromKey, .text, "in a scenario: a world file it builds on, by path or name; its own keys win"),
            FieldDescriptor(
                "radio", .anything("a preset's name, or { frequency, bandwidth, spreading-factor, coding-rate }"),
                "radio parameters of all nodes; those of the firmware when missing (869.618 MHz, 62.5 kHz, SF 8, CR 5)"),
            FieldDescriptor(
                "medium", .choice(["ideal", "lossy", "contention", "recorder"]),
                "what can happen on the air: nothing, loss, loss and collisions, or what the firmware recordings have"),
            FieldDescriptor("epoch", .integer(0...Int(UInt32.max)), "Unix seconds when the run begins"),
            FieldDescriptor("nodes", .table(.shape(NodeDocument.shape)), "the radios, by name"),
            FieldDescriptor(
                "generate", .list(.shape(GeneratorDocument.shape)), "many nodes at once, and the links between them"),
            FieldDescriptor("links", .table(.shape(LinkDocument.shape)), "who hears whom: alice-hill: { snr: 9 }"),
            FieldDescriptor(
                "geometry", .shape(GeometryDocument.shape), "links between nodes with a position, beside those listed"),
            FieldDescriptor(
                "carrier-sense", .shape(CarrierSenseDocument.shape), "what nodes overlook that listen before they talk"
            ),
        ])

    package static func read(_ node: YAMLNode, _ problems: ProblemList) -> WorldDocument {
        let reader = MappingReader(node, shape, problems)
        if reader.has(Overlay.fromKey) {
            problems.add(reader.spot(of: Overlay.fromKey), "only the world of a scenario can build on another file")
        }
        let generated = reader.nestedList("generate").map { GeneratorDocument.read($0) }
        let table = reader.table("nodes") + generated.flatMap(\.nodes)
        var seen: Set<String> = []
        for entry in table where !seen.insert(entry.key).inserted {
            problems.add(entry.keySpot, "two nodes are named \(entry.key)")
        }
        if table.isEmpty { problems.add(node.spot, "a world needs \"nodes\" (the radios, by name)") }
        let names = table.map(\.key)
        let known = Set(names)
        let nodes = table.map { NodeDocument.read($0, among: names, problems) }
        let entries = reader.table("links") + generated.flatMap(\.links)
        let links = entries.flatMap { LinkDocument.read($0, among: names, known, problems) }
        reportDoubleLinks(links, problems)
        return WorldDocument(
            radio: reader.node("radio").flatMap { RadioDocument.read($0, problems) },
            medium: reader.text("medium").map { NameAtSpot($0, reader.spot(of: "medium")) },
            epoch: reader.integer("epoch").map { UInt32($0) }, nodes: nodes, links: links,
            geometry: reader.nested("geometry").flatMap(GeometryDocument.read),
            carrierSense: reader.nested("carrier-sense").flatMap(CarrierSenseDocument.read), spot: node.spot)
    }

    /// A file that holds a world and nothing else, for a sandbox: `title` and `world`.
    package static let fileShape = ShapeDescriptor(
        "a world file",
        [
            FieldDescriptor("title", .text, "what there is, in one line"),
            FieldDescriptor("world", .shape(shape), "radios and links", required: true),
        ])

    /// The world of a world file, or of a scenario, whose other keys are then left alone.
    package static func file(_ root: YAMLNode) throws(ScenarioErrors) -> (title: String, world: WorldDocument) {
        let problems = ProblemList()
        let others = root["steps"] == nil ? [] : ScenarioDocument.shape.keys.filter { fileShape[$0] == nil }
        let reader = MappingReader(root, fileShape, except: others, problems)
        let world = reader.node("world").map { read($0, problems) }
        let title = reader.text("title") ?? ""
        try problems.throwIfAny()
        guard let world else { throw ScenarioErrors([ScenarioError(root.spot, "there is no world here")]) }
        return (title, world)
    }

    package func node(named name: String) -> NodeDocument? { nodes.first { $0.name == name } }

    private static func reportDoubleLinks(_ links: [LinkDocument], _ problems: ProblemList) {
        var seen: Set<[String]> = []
        for link in links {
            for (from, to) in link.directions where !seen.insert([from, to]).inserted {
                problems.add(link.spot, "the link from \(from) to \(to) is given twice")
            }
        }
    }
}

/// Radio parameters: a preset's name or the four numbers.
package enum RadioDocument: Sendable, Hashable {
    case preset(NameAtSpot)
    case explicit(frequencyKHz: UInt32, bandwidthHz: UInt32, spreadingFactor: UInt8, codingRate: UInt8)

    package static let shape = ShapeDescriptor(
        "radio parameters",
        [
            FieldDescriptor(
                "frequency", .decimal(places: 3, 150_000...2_500_000), "MHz, for example 869.618", required: true),
            FieldDescriptor("bandwidth", .decimal(places: 3, 7_000...500_000), "kHz, for example 62.5", required: true),
            FieldDescriptor("spreading-factor", .integer(5...12), "chips per symbol as a power of two", required: true),
            FieldDescriptor("coding-rate", .integer(5...8), "5 for 4/5 … 8 for 4/8", required: true),
        ])

    package static func read(_ node: YAMLNode, _ problems: ProblemList) -> RadioDocument? {
        if node.mapping == nil {
            return ValueReader(.text, "radio", problems).text(node).map { .preset(NameAtSpot($0, node.spot)) }
        }
        let reader = MappingReader(node, shape, problems)
        guard let frequency = reader.decimal("frequency"), let bandwidth = reader.decimal("bandwidth"),
            let spreading = reader.integer("spreading-factor"), let coding = reader.integer("coding-rate")
        else { return nil }
        return .explicit(
            frequencyKHz: UInt32(frequency), bandwidthHz: UInt32(bandwidth), spreadingFactor: UInt8(spreading),
            codingRate: UInt8(coding))
    }
}

/// A link that is now good, now bad; before each packet it may change over.
package struct BurstsDocument: Sendable, Hashable {
    package var begin: Ratio
    package var end: Ratio
    package var loss: Ratio

    package static let shape = ShapeDescriptor(
        "bursts of loss",
        [
            FieldDescriptor("begin", .ratio, "how likely a good link turns bad before a packet", required: true),
            FieldDescriptor("end", .ratio, "how likely a bad link turns good before a packet", required: true),
            FieldDescriptor("loss", .ratio, "share of packets lost while it is bad", default: "100%"),
        ])

    static func read(_ reader: MappingReader) -> BurstsDocument? {
        let loss = reader.ratio("loss") ?? .always
        guard let begin = reader.ratio("begin"), let end = reader.ratio("end") else { return nil }
        return BurstsDocument(begin: begin, end: end, loss: loss)
    }
}

/// What one node hears of another, and with which luck.
package struct LinkDocument: Sendable, Hashable {
    package var from: String
    package var to: String
    /// True when only `to` hears `from`.
    package var isOneWay: Bool
    package var snrQuarterDB: Int
    /// dBm; the simulator derives it from the SNR when nil.
    package var rssi: Int?
    package var loss: Ratio
    package var bursts: BurstsDocument?
    package var fading: FadingDocument?
    package var schedule: [LinkEntryDocument]
    package var spot: SourceSpot

    package var directions: [(from: String, to: String)] {
        isOneWay ? [(from, to)] : [(from, to), (to, from)]
    }

    package static let shape = ShapeDescriptor(
        "a link", shorthand: "snr",
        [
            FieldDescriptor("snr", .decibel, "signal to noise ratio in dB", default: "10"),
            FieldDescriptor("rssi", .integer(-150...0), "signal strength in dBm; derived from the SNR when missing"),
            FieldDescriptor("loss", .ratio, "share of packets lost whatever their SNR", default: "0"),
            FieldDescriptor("bursts", .shape(BurstsDocument.shape), "losses that come in bursts, besides `loss`"),
            FieldDescriptor("fading", .shape(FadingDocument.shape), "its strength wanders about its mean"),
            FieldDescriptor("schedule", .list(.shape(LinkEntryDocument.shape)), "how it changes later"),
            FieldDescriptor("one-way", .bool, "only the second node hears the first", default: "false"),
        ])

    static func read(
        _ entry: YAMLEntry, among names: [String], _ known: Set<String>, _ problems: ProblemList
    ) -> [LinkDocument] {
        let reader = MappingReader(entry.value, shape, problems)
        guard let (from, to) = ends(of: entry, among: names, known, problems) else { return [] }
        let snr = checkedSNR(reader) ?? 0
        return [
            LinkDocument(
                from: from, to: to, isOneWay: reader.bool("one-way") ?? false, snrQuarterDB: snr,
                rssi: reader.integer("rssi"), loss: reader.ratio("loss") ?? .never,
                bursts: reader.nested("bursts").flatMap { BurstsDocument.read($0) },
                fading: reader.nested("fading").flatMap { FadingDocument.read($0) },
                schedule: reader.nestedList("schedule").compactMap { LinkEntryDocument.read($0) }, spot: entry.keySpot)
        ]
    }

    /// The SNR of a mapping in quarter dB, within what radios report.
    static func checkedSNR(_ reader: MappingReader) -> Int? {
        guard let snr = reader.decibel("snr") else { return nil }
        if !(-128...127).contains(snr) {
            reader.problems.add(reader.spot(of: "snr"), "an SNR lies between -32 and 31.75 dB, as radios report it")
        }
        return snr
    }

    /// The two names of `a-b`, where names may contain hyphens themselves.
    private static func ends(
        of entry: YAMLEntry, among names: [String], _ known: Set<String>, _ problems: ProblemList
    ) -> (from: String, to: String)? {
        let splits = split(entry.key)
        let found = splits.filter { known.contains($0.0) && known.contains($0.1) && $0.0 != $0.1 }
        switch found.count {
        case 1: return found[0]
        case 0: reportUnknownEnd(entry, splits, among: names, problems)
        default:
            problems.add(entry.keySpot, "\"\(entry.key)\" can be split in \(found.count) ways; rename a node")
        }
        return nil
    }

    private static func reportUnknownEnd(
        _ entry: YAMLEntry, _ splits: [(String, String)], among names: [String], _ problems: ProblemList
    ) {
        for (from, to) in splits {
            let isFromKnown = names.contains(from)
            guard isFromKnown || names.contains(to) else { continue }
            if from == to {
                problems.add(entry.keySpot, "a link joins two nodes, not \(from) with itself")
            } else {
                NameAtSpot(isFromKnown ? to : from, entry.keySpot).check(among: names, what: "node", problems)
            }
            return
        }
        let candidates = names.flatMap { from in names.filter { $0 != from }.map { from + "-" + $0 } }
        MappingReader.reportUnknown(
            entry.key, what: "link", at: entry.keySpot, among: Array(candidates.prefix(40)), problems)
    }

    private static func split(_ text: String) -> [(String, String)] {
        text.indices.filter { text[$0] == "-" }
            .map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
            .filter { !$0.0.isEmpty && !$0.1.isEmpty }
    }
}
