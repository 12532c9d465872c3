package import CompanionProtocol
package import MeshTransport
internal import RigBase
package import ScenarioModel

/// How one fault action is read.
package struct FaultKind: Sendable {
    package var keyword: String
    /// One line for the reference.
    package var summary: String
    /// What its argument is.
    package var type: ValueType
    /// An example for the reference.
    package var example: String
    /// Nil when something is wrong, which then is in the problem list.
    package var decode: @Sendable (FaultInput) -> FaultAction?
}

/// The argument of a fault action.
package struct FaultInput {
    package var argument: YAMLNode?
    package var type: ValueType
    package var direction: LinkDirection
    package var spot: SourceSpot
    package var problems: ProblemList

    var mapping: MappingReader {
        guard case .shape(let shape) = type else { preconditionFailure("the action takes no mapping") }
        return MappingReader(argument, shape, at: spot, problems)
    }

    /// The first byte of the frames of that name in a direction; nil, with a report, when there are none.
    static func code(of place: NameAtSpot, _ direction: LinkDirection, _ problems: ProblemList) -> UInt8? {
        switch direction {
        case .toRadio:
            if let code = FrameNames.command(named: place.name) { return code.rawValue }
            place.check(among: FrameNames.commands.map(\.name), what: "command", problems)
        case .fromRadio:
            if let code = FrameNames.radioFrame(named: place.name) { return code.rawValue }
            place.check(among: FrameNames.radioFrames.map(\.name), what: "radio frame", problems)
        }
        return nil
    }

    func value<Value>(_ read: (ValueReader, YAMLNode) -> Value?) -> Value? {
        guard let argument, !argument.isEmpty else {
            problems.add(spot, "the action needs a value: \(type.name)")
            return nil
        }
        return read(ValueReader(type, "the value", problems), argument)
    }
}

/// Every action a fault at the host link can have.
package enum FaultCatalog {
    package static let all: [FaultKind] = [
        drop, corrupt, duplicate, delay, insert, split, hold, loseLink, truncate, mute,
    ]

    package static var keywords: [String] { all.map(\.keyword) }

    package static subscript(keyword: String) -> FaultKind? { all.first { $0.keyword == keyword } }

    private static let drop = FaultKind(
        keyword: "drop", summary: "the frame never arrives", type: .bool,
        example: "- { name: reply lost, on: frames, direction: from-radio, when: { frame: sent, nth: 1 }, drop: true }"
    ) { input in input.value { $0.bool($1) }.flatMap { $0 ? .drop : nil } }

    private static let corrupt = FaultKind(
        keyword: "corrupt", summary: "one byte of the frame is changed",
        type: .shape(
            ShapeDescriptor(
                "a damaged byte",
                [
                    FieldDescriptor(
                        "at-byte", .integer(-300...300),
                        "which byte, the start byte being 0 and -1 the last; a random one when missing"),
                    FieldDescriptor("flip", .integer(1...255), "bits that change; drawn at random when missing"),
                ])),
        example: "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 3 }, corrupt: { at-byte: 1 } }"
    ) { input in
        let reader = input.mapping
        return .corrupt(
            at: reader.integer("at-byte").map { .offset($0) } ?? .random, flip: reader.integer("flip").map { UInt8($0) }
        )
    }

    private static let duplicate = FaultKind(
        keyword: "duplicate", summary: "the frame arrives so many times more", type: .integer(1...100),
        example: "- { on: frames, direction: from-radio, when: { frame: message-waiting }, duplicate: 2 }"
    ) { input in input.value { $0.integer($1) }.map { .duplicate(copies: $0) } }

    private static let delay = FaultKind(
        keyword: "delay", summary: "the frame arrives so much later, overtaken by what comes meanwhile",
        type: .duration,
        example: "- { on: frames, direction: from-radio, when: { frame: send-confirmed, nth: 1 }, delay: 8s }"
    ) { input in input.value { $0.duration($1) }.map { .delay($0, overtaken: true) } }

    private static let insert = FaultKind(
        keyword: "insert", summary: "foreign bytes stand in the stream, before the frame unless told otherwise",
        type: .shape(
            ShapeDescriptor(
                "bytes to insert", shorthand: "text",
                [
                    FieldDescriptor("text", .text, "as text"),
                    FieldDescriptor("hex", .bytes(1...4096), "as bytes"),
                    FieldDescriptor(
                        "where", .choice(["before", "after"]), "on which side of the frame", default: "before"),
                ])),
        example:
            "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 2 }, insert: \"[I] rx done\\r\\n\" }"
    ) { input in
        let reader = input.mapping
        let placement: FaultPlacement = reader.text("where") == "after" ? .after : .before
        switch (reader.text("text"), reader.bytes("hex")) {
        case (let text?, nil): return .insert(Array(text.utf8), placement)
        case (nil, let bytes?): return .insert(bytes, placement)
        default:
            input.problems.add(reader.spot, "insert needs either \"text\" or \"hex\"")
            return nil
        }
    }

    private static let split = FaultKind(
        keyword: "split", summary: "the frame arrives in pieces, each a read of its own",
        type: .shape(
            ShapeDescriptor(
                "pieces", shorthand: "into",
                [
                    FieldDescriptor("into", .choice(["every-byte", "two"]), "how many pieces", default: "two"),
                    FieldDescriptor(
                        "at-byte", .integer(-300...300), "where it is cut in two; at a random byte when missing"),
                    FieldDescriptor("gap", .duration, "time between the pieces", default: "0s"),
                ])),
        example: "- { on: bytes, direction: from-radio, split: every-byte }"
    ) { input in
        let reader = input.mapping
        let gap = reader.duration("gap") ?? .zero
        if reader.text("into") == "every-byte" { return .splitIntoBytes(gap: gap) }
        return .split(at: reader.integer("at-byte").map { .offset($0) } ?? .random, gap: gap)
    }

    private static let hold = FaultKind(
        keyword: "hold", summary: "the frame waits, and arrives in one read with the frame it waits for",
        type: .shape(
            ShapeDescriptor(
                "a frame held back",
                [FieldDescriptor("until", .text, "the frame it waits for; whatever comes next when missing")])),
        example: "- { on: frames, direction: from-radio, when: { frame: sent }, hold: { until: send-confirmed } }"
    ) { input in
        let reader = input.mapping
        guard let name = reader.text("until") else { return .hold(until: nil) }
        let place = NameAtSpot(name, reader.spot(of: "until"))
        return FaultInput.code(of: place, input.direction, input.problems).map { .hold(until: $0) }
    }

    private static let loseLink = FaultKind(
        keyword: "lose-link", summary: "the host link breaks before, after or inside the frame",
        type: .shape(
            ShapeDescriptor(
                "where it breaks", shorthand: "where",
                [
                    FieldDescriptor(
                        "where", .choice(["before", "after"]), "on which side of the frame", default: "after"),
                    FieldDescriptor("at-byte", .integer(-300...300), "inside it, before this byte"),
                ])),
        example: "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 17 }, lose-link: { at-byte: 60 } }"
    ) { input in
        let reader = input.mapping
        let loss = LinkLoss.failed("link lost")
        if let byte = reader.integer("at-byte") { return .loseLink(loss, .inside(.offset(byte))) }
        return .loseLink(loss, reader.text("where") == "before" ? .before : .after)
    }

    private static let truncate = FaultKind(
        keyword: "truncate", summary: "the bytes of the frame from there to its end never arrive",
        type: .integer(-300...300),
        example: "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 4 }, truncate: 20 }"
    ) { input in input.value { $0.integer($1) }.map { .truncate(from: .offset($0)) } }

    private static let mute = FaultKind(
        keyword: "mute", summary: "the frame and those after it are swallowed, for a time or a number of frames",
        type: .shape(
            ShapeDescriptor(
                "a silence", shorthand: "for",
                [
                    FieldDescriptor("for", .duration, "how long"),
                    FieldDescriptor("frames", .integer(1...100_000), "how many frames"),
                    FieldDescriptor("replies-only", .bool, "pushes still arrive", default: "false"),
                ])),
        example: "- { on: frames, direction: from-radio, when: { frame: contacts-start }, mute: 3s }"
    ) { input in
        let reader = input.mapping
        return .mute(
            for: reader.duration("for"), frames: reader.integer("frames"),
            repliesOnly: reader.bool("replies-only") ?? false)
    }
}
