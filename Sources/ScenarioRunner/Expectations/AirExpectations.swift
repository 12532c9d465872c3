internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase
internal import RunRecord
internal import ScenarioModel

/// `packets: { from: alice, type: text, route: direct, count: 1 }`: packets that went on the air.
struct PacketsExpectation: Expectation {
    private let from: String?
    private let type: String?
    private let route: String?
    private let bytes: [UInt8]?
    private let conditions: [FieldCondition]
    private let rule: CountRule
    private var found: [EventID] = []

    static let kind = ExpectationKind(
        keyword: "packets", summary: "packets that a node put on the air",
        type: .shape(
            ShapeDescriptor(
                "packets on the air",
                [
                    FieldDescriptor("from", .text, "sent by this node"),
                    FieldDescriptor(
                        "type", .choice((0..<16).map { PayloadType(rawValue: $0).name }), "of this payload type"),
                    FieldDescriptor("route", .choice(["flood", "direct"]), "with this kind of route"),
                    FieldDescriptor("bytes", .bytes(1...255), "that begin with these bytes"),
                    .conditions("whose `hops`, `size`, `airtime` (µs), `route` or `type` meet these conditions"),
                ] + CountRule.fields)),
        needsSimulator: true
    ) { input in
        let reader = input.mapping
        return Self(
            from: input.references.name(.node, "from", of: reader), type: reader.text("type"),
            route: reader.text("route"), bytes: reader.bytes("bytes"),
            conditions: input.conditions(where: reader, among: EventKind.packetSent.fieldNames),
            rule: CountRule(reader))
    }

    private init(
        from: String?, type: String?, route: String?, bytes: [UInt8]?, conditions: [FieldCondition], rule: CountRule
    ) {
        self.bytes = bytes
        self.conditions = conditions
        self.from = from
        self.type = type
        self.route = route
        self.rule = rule
    }

    var isExact: Bool { rule.isExact }
    var expected: String {
        let kind = [route, type].compactMap { $0 }.joined(separator: " ")
        return "\(rule.text) \(kind.isEmpty ? "" : kind + " ")packet\(rule.plural)" + (from.map { " from \($0)" } ?? "")
            + (conditions.isEmpty ? "" : " with " + conditions.map(\.expected).joined(separator: ", "))
    }

    mutating func observe(_ event: RunEvent) -> Bool {
        guard event.kind == .packetSent else { return false }
        if let from, event.subject != from { return false }
        if let type, event["type"] != .text(type) { return false }
        if let route {
            guard case .text(let name)? = event["route"], name.hasSuffix(route) else { return false }
        }
        if let bytes {
            guard case .bytes(let packet)? = event["bytes"], packet.starts(with: bytes) else { return false }
        }
        guard event.meets(conditions) else { return false }
        found.append(event.id)
        return true
    }

    func judge(_ scene: Scene) async -> Judgement {
        Judgement(rule.holds(found.count), "\(found.count) of them", evidence: found.last)
    }
}

/// `received: { by: bob, from: alice, text: hi }`: text messages that wait in a node's radio for its app.
struct ReceivedExpectation: Expectation {
    let by: String
    let from: String?
    let channel: String?
    let text: NamePattern?
    let rule: CountRule
    /// Only those that arrived in the phase it is about count.
    let isLimited: Bool
    private var arrived = 0

    static let kind = ExpectationKind(
        keyword: "received", summary: "text messages that arrived at a node without a client",
        type: .shape(
            ShapeDescriptor(
                "messages that arrived",
                [
                    FieldDescriptor("by", .text, "the node that received them", required: true),
                    FieldDescriptor("from", .text, "direct messages of this node"),
                    FieldDescriptor("channel", .text, "messages on this channel, by name or slot"),
                    FieldDescriptor("text", .pattern, "their text"),
                ] + CountRule.fields))
    ) { input in
        let reader = input.mapping
        guard let by = input.references.name(.node, "by", of: reader) else { return nil }
        return Self(
            by: by, from: input.references.name(.node, "from", of: reader),
            channel: input.references.name(.channel, "channel", of: reader), text: reader.pattern("text"),
            rule: CountRule(reader), isLimited: input.phase != nil)
    }

    var isExact: Bool { rule.isExact }
    var expected: String {
        "\(rule.text) message\(rule.plural)" + (text.map { " \"\($0)\"" } ?? "") + (from.map { " from \($0)" } ?? "")
            + (channel.map { " on \($0)" } ?? "") + " at \(by)"
    }

    private init(by: String, from: String?, channel: String?, text: NamePattern?, rule: CountRule, isLimited: Bool) {
        self.by = by
        self.from = from
        self.channel = channel
        self.text = text
        self.rule = rule
        self.isLimited = isLimited
    }

    mutating func observe(_ event: RunEvent) -> Bool {
        guard event.subject == by else { return false }
        if event.kind == .messageQueued { arrived += 1 }
        return [.packetReceived, .peerMessage, .messageQueued].contains(event.kind)
    }

    func judge(_ scene: Scene) async -> Judgement {
        do {
            var waiting = try await scene.testbed.waitingMessages(of: by)
            // The newest stand last.
            if isLimited { waiting = waiting.suffix(arrived) }
            let channels = try await scene.testbed.radioState(of: by).channels
            let matching = waiting.filter { message in
                if let from {
                    guard let key = scene.testbed.publicKey(of: from), let prefix = message.senderPrefix,
                        key.starts(with: prefix)
                    else { return false }
                }
                if let channel {
                    guard let index = message.channelIndex else { return false }
                    let name = channels.first { $0.index == index }?.name
                    guard name == ChannelNames.stored(channel) || "\(index)" == channel else { return false }
                }
                return text.map { $0.matches(message.text) } ?? true
            }
            let texts = waiting.map { "\"\($0.text)\"" }.joined(separator: ", ")
            return Judgement(rule.holds(matching.count), waiting.isEmpty ? "nothing" : texts)
        } catch {
            return Judgement(false, "\(error)")
        }
    }
}

/// `radio: { node: bob, queue: 0 }`: counts of a node's radio, as the simulated world knows them.
struct RadioExpectation: Expectation {
    let node: String
    let contacts: Int?
    let queue: Int?
    let name: String?

    static let kind = ExpectationKind(
        keyword: "radio", summary: "what a node's radio holds, as the simulated world knows it",
        type: .shape(
            ShapeDescriptor(
                "the state of a radio",
                [
                    FieldDescriptor("node", .text, "the node", required: true),
                    FieldDescriptor("contacts", .integer(0...100_000), "entries of its contact table"),
                    FieldDescriptor("queue", .integer(0...100_000), "messages waiting for its app"),
                    FieldDescriptor("name", .text, "its own name"),
                ])),
        needsSimulator: true
    ) { input in
        let reader = input.mapping
        guard let node = input.references.name(.node, "node", of: reader) else { return nil }
        if ["contacts", "queue", "name"].allSatisfy({ !reader.has($0) }) {
            input.problems.add(reader.spot, "radio needs one of: contacts, queue, name")
        }
        return Self(
            node: node, contacts: reader.integer("contacts"), queue: reader.integer("queue"),
            name: reader.text("name"))
    }

    var isExact: Bool { false }
    var expected: String {
        let parts =
            (contacts.map { ["\($0) contacts"] } ?? []) + (queue.map { ["\($0) waiting"] } ?? [])
            + (name.map { ["name \"\($0)\""] } ?? [])
        return "radio of \(node): " + parts.joined(separator: ", ")
    }

    mutating func observe(_ event: RunEvent) -> Bool {
        event.kind == .frameFromRadio || event.kind == .packetReceived || event.kind == .stepEnded
    }

    func judge(_ scene: Scene) async -> Judgement {
        do {
            let state = try await scene.testbed.radioState(of: node)
            let holds =
                (contacts.map { $0 == state.contacts } ?? true) && (queue.map { $0 == state.queue } ?? true)
                && (name.map { $0 == state.name } ?? true)
            return Judgement(holds, "\(state.contacts) contacts, \(state.queue) waiting, name \"\(state.name)\"")
        } catch {
            return Judgement(false, "\(error)")
        }
    }
}

/// `event: { kind: packet-missed, who: bob }`: anything the journal tells, by its own words.
struct EventExpectation: Expectation {
    private let kind: EventKind
    private let who: String?
    private let conditions: [FieldCondition]
    private let rule: CountRule
    private var found: [EventID] = []

    static let kindOfExpectation = ExpectationKind(
        keyword: "event", summary: "any event of the journal, by its kind and fields",
        type: .shape(
            ShapeDescriptor(
                "an event of the journal",
                [
                    FieldDescriptor("kind", .text, "its kind", required: true),
                    FieldDescriptor("who", .text, "whom it concerns"),
                    .conditions("whose fields meet these conditions"),
                ] + CountRule.fields)),
        needsSimulator: true
    ) { input in
        let reader = input.mapping
        guard let kind = reader.text("kind") else { return nil }
        NameAtSpot(kind, reader.spot(of: "kind")).check(
            among: EventKind.known.map(\.rawValue), what: "event kind", input.problems)
        let conditions = input.conditions(where: reader)
        if let fields = EventKind(kind).fieldNames {
            for condition in conditions {
                NameAtSpot(condition.name, condition.spot)
                    .check(among: fields, what: "field", input.problems)
            }
        }
        return Self(
            kind: EventKind(kind), who: input.references.name(.node, "who", of: reader), conditions: conditions,
            rule: CountRule(reader))
    }

    private init(kind: EventKind, who: String?, conditions: [FieldCondition], rule: CountRule) {
        self.kind = kind
        self.who = who
        self.conditions = conditions
        self.rule = rule
    }

    var isExact: Bool { rule.isExact }
    var expected: String {
        "\(rule.text) × event \(kind)" + (who.map { " of \($0)" } ?? "")
            + (conditions.isEmpty ? "" : " with " + conditions.map(\.expected).joined(separator: ", "))
    }

    mutating func observe(_ event: RunEvent) -> Bool {
        guard event.kind == kind, who == nil || event.subject == who else { return false }
        guard event.meets(conditions) else { return false }
        found.append(event.id)
        return true
    }

    func judge(_ scene: Scene) async -> Judgement {
        Judgement(rule.holds(found.count), "\(found.count) of them", evidence: found.last)
    }
}

extension RunEvent {
    /// Whether its fields meet all conditions.
    fileprivate func meets(_ conditions: [FieldCondition]) -> Bool {
        conditions.allSatisfy { condition in
            plainText(of: condition.name).map { condition.holds($0) } ?? false
        }
    }
}
