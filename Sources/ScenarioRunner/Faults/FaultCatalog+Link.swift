internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import ScenarioModel

/// What can happen to packets on their way between two nodes.
extension FaultCatalog {
    static let linkKinds: [FaultKind] = [
        linkDrop, burst, linkCorrupt, linkDuplicate, replay, linkDelay, swizzle, partition, weaken,
    ]

    private static let anyType = "any"

    /// Keys that say which packets are meant.
    private static let common = [
        FieldDescriptor(
            "type", .list(.choice([anyType] + (0..<16).map { PayloadType(rawValue: $0).name })),
            "payload types of the packets it is about", default: anyType),
        FieldDescriptor("nth", .integer(1...1_000_000), "only the packet with this number among them"),
        FieldDescriptor(
            "one-way", .bool, "only from the first node of the link to the second", default: "false"),
    ]

    private static func shape(_ doc: String, shorthand: String?, _ fields: [FieldDescriptor] = []) -> ValueType {
        .shape(ShapeDescriptor(doc, shorthand: shorthand, fields + common))
    }

    private static func deed(_ reader: MappingReader, _ action: AirAction) -> FaultDeed {
        let types = reader.names("type").map(\.name).filter { $0 != anyType }
        return .air(
            AirDeed(
                action: action, types: types, nth: reader.integer("nth"), isOneWay: reader.bool("one-way") ?? false))
    }

    private static func milliseconds(_ reader: MappingReader, _ key: String) -> Int64? {
        reader.duration(key).map { max(1, $0.wholeMilliseconds) }
    }

    static let linkDrop = FaultKind(
        seam: .link, keyword: "drop", summary: "the packet is not heard",
        type: shape("lost packets", shorthand: "type"),
        example: "- { name: no acks, on: link, of: alice-bob, drop: { type: ack }, count: 2 }"
    ) { input in deed(input.mapping, .drop) }

    static let burst = FaultKind(
        seam: .link, keyword: "burst", summary: "packets are lost in runs",
        type: shape(
            "runs of losses", shorthand: nil,
            [
                FieldDescriptor("begin", .ratio, "how likely a run begins before a packet", required: true),
                FieldDescriptor("end", .ratio, "how likely it ends before one", required: true),
            ]),
        example: "- { on: link, of: hill-bob, burst: { begin: 20%, end: 40% } }"
    ) { input in
        let reader = input.mapping
        guard let begin = reader.ratio("begin"), let end = reader.ratio("end") else { return nil }
        return deed(reader, .burst(begin: begin, end: end))
    }

    static let linkCorrupt = FaultKind(
        seam: .link, keyword: "corrupt", summary: "one byte of the packet is another one, unnoticed by the radio",
        type: shape(
            "a damaged packet", shorthand: "type",
            [
                FieldDescriptor(
                    "at-byte", .integer(-255...255), "which byte, -1 being the last; a random one when missing"),
                FieldDescriptor("flip", .integer(1...255), "bits that change; drawn at random when missing"),
            ]),
        example: "- { on: link, of: alice-bob, corrupt: { type: txt-msg, at-byte: -1 }, count: 1 }"
    ) { input in
        let reader = input.mapping
        return deed(
            reader, .corrupt(at: reader.integer("at-byte"), flip: reader.integer("flip").map { UInt8($0) }))
    }

    static let linkDuplicate = FaultKind(
        seam: .link, keyword: "duplicate", summary: "the packet is heard so many times more, at once",
        type: shape(
            "doubled packets", shorthand: "copies",
            [FieldDescriptor("copies", .integer(1...100), "how often more", default: "1")]
        ), example: "- { on: link, of: alice-bob, duplicate: 2 }"
    ) { input in
        let reader = input.mapping
        return deed(reader, .again(copies: reader.integer("copies") ?? 1, after: 1))
    }

    static let replay = FaultKind(
        seam: .link, keyword: "replay", summary: "the packet is heard again, byte for byte, that much later",
        type: shape(
            "a repeated packet", shorthand: "after",
            [
                FieldDescriptor("after", .duration, "how much later, and how far apart", required: true),
                FieldDescriptor("copies", .integer(1...100), "how often", default: "1"),
            ]),
        example: "- { on: link, of: alice-bob, replay: { after: 20s, type: txt-msg } }"
    ) { input in
        let reader = input.mapping
        return milliseconds(reader, "after").map {
            deed(reader, .again(copies: reader.integer("copies") ?? 1, after: max(2, $0)))
        }
    }

    static let linkDelay = FaultKind(
        seam: .link, keyword: "delay", summary: "the packet is heard that much later",
        type: shape(
            "late packets", shorthand: "by", [FieldDescriptor("by", .duration, "how much later", required: true)]),
        example: "- { on: link, of: alice-bob, delay: { by: 40s, type: ack }, count: 1 }"
    ) { input in
        let reader = input.mapping
        return milliseconds(reader, "by").map { deed(reader, .delay($0)) }
    }

    static let swizzle = FaultKind(
        seam: .link, keyword: "swizzle",
        summary: "each packet is late by a random time, so that they overtake each other",
        type: shape(
            "random delays", shorthand: "up-to",
            [FieldDescriptor("up-to", .duration, "the longest delay", required: true)]),
        example: "- { on: link, of: alice-bob, swizzle: 6s }"
    ) { input in
        let reader = input.mapping
        return milliseconds(reader, "up-to").map { deed(reader, .swizzle($0)) }
    }

    static let partition = FaultKind(
        seam: .link, keyword: "partition",
        summary: "nodes of different groups do not hear each other; who is in no group hears and is heard by all",
        type: .anything("two or more lists of nodes"),
        example: "- { on: link, at: 10s, duration: 1min, partition: [[alice, hill], [bob]] }"
    ) { input in
        let groups = (input.argument?.sequence ?? []).map { group in
            group.oneOrMany.compactMap { node in node.text.map { NameAtSpot($0, node.spot) } }
        }
        guard groups.count >= 2, groups.allSatisfy({ !$0.isEmpty }) else {
            input.problems.add(
                input.spot, "partition takes two or more lists of nodes", hint: "as in: [[alice, hill], [bob]]")
            return nil
        }
        var seen: [String] = []
        for place in groups.joined() {
            place.check(among: input.nodes, what: "node", input.problems)
            if seen.contains(place.name) { input.problems.add(place.spot, "\(place.name) is in two groups") }
            seen.append(place.name)
        }
        return .air(
            AirDeed(action: .partition(groups.map { $0.map(\.name) }), types: [], nth: nil, isOneWay: false))
    }

    static let weaken = FaultKind(
        seam: .link, keyword: "weaken",
        summary: "the packet is weaker, and lost below what can be demodulated; with `one-way` the link is asymmetric",
        type: shape(
            "a weaker link", shorthand: "by", [FieldDescriptor("by", .decibel, "so many dB", required: true)]),
        example: "- { on: link, of: bob-alice, weaken: { by: 20, one-way: true } }"
    ) { input in
        let reader = input.mapping
        return reader.decibel("by").map { deed(reader, .weaken(quarterDB: $0)) }
    }
}
