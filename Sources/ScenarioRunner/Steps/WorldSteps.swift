internal import CompanionProtocol
internal import MeshCoreClient
internal import RadioSimulator
internal import RigBase
internal import RigRuntime
internal import RunRecord
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
        guard let from = input.references.name(.node, "from", of: reader), let text = reader.text("text") else {
            return nil
        }
        let target: PeerMessage.Target
        switch (input.references.name(.node, "to", of: reader), reader.text("channel")) {
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

    func run(_ scene: StepScene) async throws -> StepValue {
        let begin = scene.testbed.runtime.journal.count
        try await scene.testbed.say(message)
        if let refusal = try await refusal(in: scene, from: begin) { throw refusal }
        return ""
    }

    /// What the node's radio answered, when it refused; looked for until it has answered.
    private func refusal(in scene: StepScene, from begin: Int) async throws -> StepFailure? {
        let runtime = scene.testbed.runtime
        for _ in 0..<Self.patience where scene.testbed is SimulatedTestbed {
            let answer = runtime.journal.events(from: begin).first {
                $0.kind == .peerCommand && $0.subject == message.from
            }
            if let answer {
                guard case .list(let frames)? = answer["answers"], case .bytes(let frame)? = frames.first,
                    case .error(let reply) = RadioFrame.decode(frame)
                else { return nil }
                return StepFailure(
                    ErrorNames.name(of: SessionError.device(reply.errorCode)),
                    "the radio of \(message.from) refused the message: \(reply.errorCode)")
            }
            try await runtime.sleep(for: .milliseconds(1))
        }
        return nil
    }

    /// Milliseconds after which a radio that does not answer is taken to be busy with something else.
    private static let patience = 100
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
        guard let node = input.references.name(.node, "node", of: reader) else { return nil }
        return Self(node: node, flood: reader.bool("flood") ?? false)
    }

    func run(_ scene: StepScene) async throws -> StepValue {
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
        input.references.addLink(NameAtSpot(link, reader.spot(of: "link")))
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
        decode(input) { reader in
            let (snr, loss) = (reader.decibel("snr"), reader.ratio("loss"))
            if let snr, !(-128...127).contains(snr) {
                input.problems.add(reader.spot(of: "snr"), "an SNR lies between -32 and 31.75 dB, as radios report it")
            }
            if !reader.has("snr"), !reader.has("loss") {
                input.problems.add(reader.spot, "degrade needs \"snr\" or \"loss\"")
            }
            return .degrade(snrQuarterDB: snr, loss: loss)
        }
    }

    func run(_ scene: StepScene) async throws -> StepValue {
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
            input.name(.node).map { Self(node: $0, action: action) }
        }
    }

    static let reboot = kind("reboot", .reboot, "restart a node; done at once")
    static let powerOff = kind("power-off", .off, "switch a node off without warning; done at once")
    static let powerOn = kind("power-on", .on, "switch a node on; done at once")

    func run(_ scene: StepScene) async throws -> StepValue {
        switch action {
        case .reboot: try scene.testbed.reboot(node)
        case .off: try scene.testbed.setPower(node, on: false)
        case .on: try scene.testbed.setPower(node, on: true)
        }
        return ""
    }
}

/// `partition: [[alice, hill], [bob]]`: nodes of different groups no longer hear each other. Done at once.
struct PartitionStep: Step {
    let groups: [[String]]

    static let kind = StepKind(
        keyword: "partition",
        summary: "take all links between groups of nodes away; nodes in no group keep theirs; done at once",
        type: .list(.list(.text)), example: "partition: [[alice, hill], [bob]]"
    ) { input in
        guard let groups = input.argument?.sequence, groups.count >= 2 else {
            input.problems.add(
                input.spot, "a partition needs two groups of nodes", hint: "as in: - partition: [[alice, hill], [bob]]")
            return nil
        }
        let reader = ValueReader(.text, "partition", input.problems)
        var seen: Set<String> = []
        return Self(
            groups: groups.map { group in
                group.oneOrMany.compactMap { node in
                    guard let name = reader.text(node) else { return nil }
                    input.references.add(.node, NameAtSpot(name, node.spot))
                    if !seen.insert(name).inserted { input.problems.add(node.spot, "\(name) is in two groups") }
                    return name
                }
            })
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        for (number, group) in groups.enumerated() {
            for other in groups[(number + 1)...] {
                for from in group {
                    for to in other {
                        try scene.testbed.changeLink(LinkChange(from: from, to: to, bothWays: true, kind: .cut))
                    }
                }
            }
        }
        return ""
    }
}

/// `heal-all`: every radio link is again as the file describes it. Done at once.
struct HealAllStep: Step {
    static let kind = StepKind(
        keyword: "heal-all", summary: "bring every radio link back as the file describes it; done at once", type: nil,
        example: "heal-all"
    ) { _ in Self() }

    func run(_ scene: StepScene) async throws -> StepValue {
        try scene.testbed.healAllLinks()
        return ""
    }
}

/// `node: { node: bob, clock-jump: -1h }`: changes a node from outside. Done at once.
struct NodeStep: Step {
    let node: String
    let changes: [NodeChange]

    static let kind = StepKind(
        keyword: "change-node", summary: "change a node from outside, as a bench would; done at once",
        type: .shape(
            ShapeDescriptor(
                "a change of a node",
                [
                    FieldDescriptor("node", .text, "the node", required: true),
                    FieldDescriptor("clock", .integer(0...4_294_967_295), "its clock, in Unix seconds"),
                    FieldDescriptor("clock-jump", .signedDuration, "its clock goes forward, or back"),
                    FieldDescriptor("battery", .integer(0...65_535), "its battery's voltage in mV"),
                    FieldDescriptor(
                        "position", .position, "where it stands; links from positions are worked out anew"),
                    FieldDescriptor("quirks", .table(.bool), "switches of its firmware's behaviour"),
                    FieldDescriptor("readings", .shape(ReadingsDocument.shape), "what a sensor measures"),
                ])),
        example: "change-node: { node: bob, clock-jump: -1h }"
    ) { input in
        let reader = input.mapping
        guard let node = input.references.name(.node, "node", of: reader) else { return nil }
        var changes: [NodeChange] = []
        if let seconds = reader.integer("clock") { changes.append(.clock(UInt32(seconds))) }
        if let jump = reader.duration("clock-jump") { changes.append(.clockJump(jump.components.seconds)) }
        if let millivolts = reader.integer("battery") { changes.append(.battery(UInt16(millivolts))) }
        if let position = reader.position("position") { changes.append(.position(position)) }
        for entry in reader.table("quirks") {
            guard let isOn = ValueReader(.bool, entry.key, input.problems).bool(entry.value) else { continue }
            NameAtSpot(entry.key, entry.keySpot)
                .check(among: Quirks.switches.map(\.name), what: "quirk", input.problems)
            changes.append(.quirk(entry.key, isOn))
        }
        if let readings = reader.nested("readings") { changes.append(.readings(ReadingsDocument.read(readings))) }
        if changes.isEmpty, input.problems.isEmpty {
            input.problems.add(reader.spot, "change-node does not say what changes")
        }
        return Self(node: node, changes: changes)
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        for change in changes { try scene.testbed.change(node, change) }
        return ""
    }
}
