internal import RigBase
internal import RigRuntime
internal import ScenarioModel

/// `message: { from: bob, to: alice, text: hi }`: a node without a client sends, as if its app had asked. Done at once.
struct MessageStep: Step {
    let message: PeerMessage

    static let kind = StepKind(
        keyword: "message", summary: "let a node without a client send a message; done when its radio has taken it",
        type: .shape(
            ShapeDescriptor(
                "a message of a peer",
                [
                    FieldDescriptor("from", .text, "the node that sends", required: true),
                    FieldDescriptor("to", .text, "the node it goes to"),
                    FieldDescriptor("channel", .text, "the channel, by name or slot"),
                    FieldDescriptor("text", .text, "its text", required: true),
                    FieldDescriptor("attempt", .integer(0...255), "the attempt number", default: "0"),
                    FieldDescriptor(
                        "timestamp", .integer(0...4_294_967_295), "Unix seconds (the sender's clock when missing)"),
                ])),
        example: "message: { from: bob, to: alice, text: \"hi\" }", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let from = reader.text("from"), let text = reader.text("text") else { return nil }
        let target: PeerMessage.Target
        switch (reader.text("to"), reader.text("channel")) {
        case (let node?, nil): target = .node(node)
        case (nil, let channel?): target = .channel(channel)
        default:
            input.problems.add(reader.spot, "message needs either \"to\" or \"channel\"")
            return nil
        }
        return Self(
            message: PeerMessage(
                from: from, target: target, text: text, attempt: UInt8(reader.integer("attempt") ?? 0),
                timestamp: reader.integer("timestamp").map { UInt32($0) }))
    }

    func run(_ scene: StepScene) async throws -> String {
        try await scene.testbed.say(message)
        return ""
    }
}

/// `advertise: bob`: a node sends its advert. Done at once.
struct AdvertiseStep: Step {
    let node: String
    let flood: Bool

    static let kind = StepKind(
        keyword: "advertise", summary: "let a node send its advert, to neighbours or by flood; done at once",
        type: .shape(
            ShapeDescriptor(
                "an advert", shorthand: "node",
                [
                    FieldDescriptor("node", .text, "the node", required: true),
                    FieldDescriptor("flood", .bool, "through repeaters, not only to neighbours", default: "false"),
                ])),
        example: "advertise: bob", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let node = reader.text("node") else { return nil }
        return Self(node: node, flood: reader.bool("flood") ?? false)
    }

    func run(_ scene: StepScene) async throws -> String {
        try await scene.testbed.advertise(node, flood: flood)
        return ""
    }
}

/// `cut`, `heal` and `degrade`: change a radio link from now on. Done at once.
struct ChangeLinkStep: Step {
    let link: String
    let bothWays: Bool
    let kind: LinkChange.Kind

    private static func shape(_ doc: String, _ more: [FieldDescriptor]) -> ShapeDescriptor {
        ShapeDescriptor(
            doc, shorthand: "link",
            [
                FieldDescriptor("link", .text, "its two nodes, joined by a dash", required: true),
                FieldDescriptor("one-way", .bool, "only from the first to the second", default: "false"),
            ] + more)
    }

    private static func decode(
        _ input: StepInput, _ kind: (MappingReader) -> LinkChange.Kind
    ) -> (any Step)? {
        let reader = input.mapping
        guard let link = reader.text("link") else { return nil }
        return Self(link: link, bothWays: reader.bool("one-way") != true, kind: kind(reader))
    }

    static let cut = StepKind(
        keyword: "cut", summary: "take a radio link away; done at once", type: .shape(shape("a link to cut", [])),
        example: "cut: hill-bob"
    ) { input in decode(input) { _ in .cut } }

    static let heal = StepKind(
        keyword: "heal", summary: "bring a radio link back as the file describes it; done at once",
        type: .shape(shape("a link to heal", [])), example: "heal: hill-bob"
    ) { input in decode(input) { _ in .heal } }

    static let degrade = StepKind(
        keyword: "degrade", summary: "change the quality of a radio link; done at once",
        type: .shape(
            shape(
                "a link to degrade",
                [
                    FieldDescriptor("snr", .decibel, "signal to noise in dB"),
                    FieldDescriptor("loss", .ratio, "share of frames that are lost"),
                ])),
        example: "degrade: { link: hill-bob, loss: 30% }"
    ) { input in
        decode(input) { .degrade(snrQuarterDB: $0.decibel("snr"), loss: $0.ratio("loss")) }
    }

    func run(_ scene: StepScene) async throws -> String {
        let testbed = scene.testbed
        guard let (from, to) = LinkNames.split(link, among: { testbed.publicKey(of: $0) != nil }) else {
            throw StepFailure("unknown-link", "\"\(link)\" does not join two nodes of the world")
        }
        try testbed.changeLink(LinkChange(from: from, to: to, bothWays: bothWays, kind: kind))
        return ""
    }
}

/// `reboot: bob`, `power-off: bob` and `power-on: bob`: what a node forgets, it forgets. Done at once.
struct PowerStep: Step {
    enum Action: Sendable { case reboot, off, on }

    let node: String
    let action: Action

    private static func kind(_ keyword: String, _ action: Action, _ summary: String) -> StepKind {
        StepKind(keyword: keyword, summary: summary, type: .text, example: "\(keyword): bob") { input in
            input.value { $0.text($1) }.map { Self(node: $0, action: action) }
        }
    }

    static let reboot = kind("reboot", .reboot, "restart a node; done at once")
    static let powerOff = kind("power-off", .off, "switch a node off without warning; done at once")
    static let powerOn = kind("power-on", .on, "switch a node on; done at once")

    func run(_ scene: StepScene) async throws -> String {
        switch action {
        case .reboot: try scene.testbed.reboot(node)
        case .off: try scene.testbed.setPower(node, on: false)
        case .on: try scene.testbed.setPower(node, on: true)
        }
        return ""
    }
}
