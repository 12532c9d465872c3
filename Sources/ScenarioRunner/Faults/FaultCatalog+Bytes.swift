internal import CompanionProtocol
internal import MeshTransport
internal import RigBase
internal import ScenarioModel

/// What can happen to the bytes of the host link, and to the link itself.
extension FaultCatalog {
    static let bytesKinds: [FaultKind] = [
        corrupt, insert, split, truncate, loseLink, dropBytes, merge, stall, halfOpen, steal, flap, refuse, slowAccept,
    ]

    /// What radios write on a serial link beside frames, made up in the manner of their boot loaders and logs.
    private static let samples: [(word: String, text: String)] = [
        (
            "boot-banner",
            "rst:0x1 (POWERON),boot:0x8 (SPI_FAST_FLASH_BOOT)\r\nload:0x3fce3808,len:0x4bc\r\nentry 0x403c98d0\r\n"
        ),
        ("log-line", "[I] 00:00:12 radio: packet received, 42 bytes, snr 9.25\r\n"),
    ]

    static let corrupt = FaultKind(
        seam: .bytes, keyword: "corrupt", summary: "one byte of the frame is changed",
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
        return .host(
            .corrupt(
                at: reader.integer("at-byte").map { .offset($0) } ?? .random,
                flip: reader.integer("flip").map { UInt8($0) }))
    }

    static let insert = FaultKind(
        seam: .bytes, keyword: "insert",
        summary: "foreign bytes stand in the stream, before the frame unless told otherwise",
        type: .shape(
            ShapeDescriptor(
                "bytes to insert", shorthand: "text",
                [
                    FieldDescriptor("text", .text, "as text"),
                    FieldDescriptor("hex", .bytes(1...4096), "as bytes"),
                    FieldDescriptor("like", .choice(samples.map(\.word)), "what a radio says that starts, or logs"),
                    FieldDescriptor("random", .integer(1...4096), "so many bytes that mean nothing"),
                    FieldDescriptor(
                        "where", .choice(["before", "after"]), "on which side of the frame", default: "before"),
                ])),
        example:
            "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 2 }, insert: \"[I] rx done\\r\\n\" }"
    ) { input in
        let reader = input.mapping
        let placement: FaultPlacement = reader.text("where") == "after" ? .after : .before
        let given = ["text", "hex", "like", "random"].filter(reader.has)
        guard given.count == 1 else {
            input.problems.add(reader.spot, "insert needs one of: text, hex, like, random")
            return nil
        }
        if let count = reader.integer("random") { return .host(.insertRandom(count, placement)) }
        let text =
            reader.text("text") ?? reader.text("like").flatMap { word in samples.first { $0.word == word }?.text }
        return (text.map { Array($0.utf8) } ?? reader.bytes("hex")).map { .host(.insert($0, placement)) }
    }

    static let split = FaultKind(
        seam: .bytes, keyword: "split", summary: "the frame arrives in pieces, each a read of its own",
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
        if reader.text("into") == "every-byte" { return .host(.splitIntoBytes(gap: gap)) }
        return .host(.split(at: reader.integer("at-byte").map { .offset($0) } ?? .random, gap: gap))
    }

    static let truncate = FaultKind(
        seam: .bytes, keyword: "truncate", summary: "the bytes of the frame from there to its end never arrive",
        type: .integer(-300...300),
        example: "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 4 }, truncate: 20 }"
    ) { input in input.value { $0.integer($1) }.map { .host(.truncate(from: .offset($0))) } }

    static let loseLink = FaultKind(
        seam: .bytes, keyword: "lose-link", summary: "the host link breaks before, after or inside the frame",
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
        if let byte = reader.integer("at-byte") { return .host(.loseLink(loss, .inside(.offset(byte)))) }
        return .host(.loseLink(loss, reader.text("where") == "before" ? .before : .after))
    }

    static let dropBytes = FaultKind(
        seam: .bytes, keyword: "drop-bytes", summary: "some bytes of the frame never arrive",
        type: .shape(
            ShapeDescriptor(
                "lost bytes", shorthand: "count",
                [
                    FieldDescriptor("count", .integer(1...300), "how many", default: "1"),
                    FieldDescriptor(
                        "at-byte", .integer(-300...300), "from which on, the start byte being 0; at random when missing"
                    ),
                ])),
        example:
            "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 3 }, drop-bytes: { at-byte: 40, count: 2 } }"
    ) { input in
        let reader = input.mapping
        return .host(
            .dropBytes(
                at: reader.integer("at-byte").map { .offset($0) } ?? .random, count: reader.integer("count") ?? 1))
    }

    static let merge = FaultKind(
        seam: .bytes, keyword: "merge", summary: "so many frames wait for each other and arrive in one read",
        type: .integer(2...1000),
        example: "- { on: bytes, direction: from-radio, when: { frame: contact }, merge: 4 }"
    ) { input in input.value { $0.integer($1) }.map { .host(.merge(frames: $0)) } }

    static let stall = FaultKind(
        seam: .bytes, keyword: "stall", summary: "the frame and all behind it arrive that much later, in order",
        type: .duration,
        example: "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 5 }, stall: 3s }"
    ) { input in input.value { $0.duration($1) }.map { .host(.delay($0, overtaken: false)) } }

    static let halfOpen = FaultKind(
        seam: .bytes, keyword: "half-open",
        summary: "the link seems up, but nothing passes any more until the next connection", type: .bool,
        example: "- { on: bytes, at: 10s, half-open: true }"
    ) { input in input.flag(.host(.halfOpen)) }

    static let steal = FaultKind(
        seam: .bytes, keyword: "steal", summary: "another client takes the radio, which closes this link", type: .bool,
        example: "- { on: bytes, direction: from-radio, when: { frame: contact, nth: 3 }, steal: true }"
    ) { input in input.flag(.host(.steal)) }

    static let flap = FaultKind(
        seam: .bytes, keyword: "flap", summary: "each connection breaks that long after it was made", type: .duration,
        example: "- { on: bytes, flap: 2s, count: 3 }"
    ) { input in input.value { $0.duration($1) }.map { .connection(.flap($0)) } }

    static let refuse = FaultKind(
        seam: .bytes, keyword: "refuse", summary: "attempts to connect fail at once", type: .bool,
        example: "- { on: bytes, refuse: true, count: 2 }"
    ) { input in input.flag(.connection(.refuse)) }

    static let slowAccept = FaultKind(
        seam: .bytes, keyword: "slow-accept",
        summary: "attempts to connect take that much longer, or fail when it is more than 10 s", type: .duration,
        example: "- { on: bytes, slow-accept: 4s, count: 1 }"
    ) { input in input.value { $0.duration($1) }.map { .connection(.slowAccept($0)) } }
}
