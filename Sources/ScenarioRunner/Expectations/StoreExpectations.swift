internal import ClientStore
internal import RigBase
internal import RunRecord
internal import ScenarioModel

/// `contacts: 3`: how many contacts the client has stored for this radio.
struct ContactsExpectation: Expectation {
    let count: Int

    static let kind = ExpectationKind(
        keyword: "contacts", summary: "the client has stored so many contacts of this radio",
        type: .integer(0...100_000)
    ) { input in input.value.integer(input.argument).map { Self(count: $0) } }

    var expected: String { "\(count) contact\(count == 1 ? "" : "s") stored" }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool { event.kind == .contactStored || event.kind == .syncPhase }

    func judge(_ scene: Scene) async -> Judgement {
        let stored = await scene.testbed.storedContacts().count
        return Judgement(stored == count, "\(stored) stored")
    }
}

/// `channels: 2`: how many channels the client has stored for this radio.
struct ChannelsExpectation: Expectation {
    let count: Int

    static let kind = ExpectationKind(
        keyword: "channels", summary: "the client has stored so many channels of this radio",
        type: .integer(0...1_000)
    ) { input in input.value.integer(input.argument).map { Self(count: $0) } }

    var expected: String { "\(count) channel\(count == 1 ? "" : "s") stored" }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool { event.kind == .channelStored || event.kind == .syncPhase }

    func judge(_ scene: Scene) async -> Judgement {
        let stored = await scene.testbed.storedChannels()
        return Judgement(
            stored.count == count, "\(stored.count) stored: \(stored.map(\.name).joined(separator: ", "))")
    }
}

/// `contact: { name: bob, where: { hops: 2 } }`: one contact as the client has stored it.
struct ContactExpectation: Expectation {
    let name: String
    let isAbsent: Bool
    let conditions: [FieldCondition]

    static let kind = ExpectationKind(
        keyword: "contact", summary: "a contact as the client has stored it",
        type: .shape(
            ShapeDescriptor(
                "a stored contact", shorthand: "name",
                [
                    FieldDescriptor("name", .text, "its name, or the node's", required: true),
                    FieldDescriptor("absent", .bool, "that there is no such contact", default: "false"),
                    .comparingConditions(
                        "type, favourite, blocked, muted, hops (-1 without a path), path, last-advert, latitude, longitude, modified, unread, mentions"
                    ),
                ]))
    ) { input in
        let reader = input.mapping
        guard let name = input.references.name(.contact, "name", of: reader) else { return nil }
        return Self(
            name: name, isAbsent: reader.bool("absent") ?? false,
            conditions: input.conditions(reader.table("where"), among: StoredContact.valueNames))
    }

    var expected: String {
        let words = conditions.isEmpty ? "" : " with " + conditions.map(\.expected).joined(separator: ", ")
        return (isAbsent ? "no contact " : "contact ") + name + words
    }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool {
        [.contactStored, .contactRemoved, .syncPhase, .messageStored, .stepEnded].contains(event.kind)
    }

    func judge(_ scene: Scene) async -> Judgement {
        let key = scene.testbed.publicKey(of: name)
        let found = await scene.testbed.storedContacts().filter { $0.name == name || $0.key == key }
        let matching = found.filter { scene.hold(conditions, $0.values) }
        let seen = found.first.map { $0.values.map { $0.name + "=" + $0.value }.joined(separator: " ") }
        return Judgement(matching.isEmpty == isAbsent, seen ?? "no such contact")
    }
}

/// `channel: { name: "#hike", where: { unread: 2 } }`: one channel as the client has stored it.
struct ChannelExpectation: Expectation {
    let name: String
    let isAbsent: Bool
    let conditions: [FieldCondition]

    static let kind = ExpectationKind(
        keyword: "channel", summary: "a channel as the client has stored it",
        type: .shape(
            ShapeDescriptor(
                "a stored channel", shorthand: "name",
                [
                    FieldDescriptor("name", .text, "its name or slot", required: true),
                    FieldDescriptor("absent", .bool, "that there is no such channel", default: "false"),
                    .comparingConditions("slot, muted, unread, mentions"),
                ]))
    ) { input in
        let reader = input.mapping
        guard let name = input.references.name(.channel, "name", of: reader) else { return nil }
        return Self(
            name: name, isAbsent: reader.bool("absent") ?? false,
            conditions: input.conditions(reader.table("where"), among: StoredChannel.valueNames))
    }

    var expected: String {
        let words = conditions.isEmpty ? "" : " with " + conditions.map(\.expected).joined(separator: ", ")
        return (isAbsent ? "no channel " : "channel ") + name + words
    }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool {
        [.channelStored, .channelRemoved, .syncPhase, .messageStored, .stepEnded].contains(event.kind)
    }

    func judge(_ scene: Scene) async -> Judgement {
        let stored = ChannelNames.stored(name)
        let found = await scene.testbed.storedChannels().filter { $0.name == stored || "\($0.index)" == name }
        let matching = found.filter { scene.hold(conditions, $0.values) }
        let seen = found.first.map { $0.values.map { $0.name + "=" + $0.value }.joined(separator: " ") }
        return Judgement(matching.isEmpty == isAbsent, seen ?? "no such channel")
    }
}

/// `store: { messages: 3, digest: { same-as: before } }`: the whole of what the client has stored for this radio.
struct StoreExpectation: Expectation {
    let conditions: [FieldCondition]

    static let kind = ExpectationKind(
        keyword: "store",
        summary: "counts and digest of all that the client has stored, as the step `snapshot` gives them",
        type: .table(.shape(FieldCondition.comparingShape))
    ) { input in
        guard let entries = input.argument.mapping else {
            input.problems.add(
                input.argument.spot, "store takes values, found \(input.argument.kindName)",
                hint: "as in: store: { messages: 3, digest: { same-as: before } }")
            return nil
        }
        for entry in entries {
            NameAtSpot(entry.key, entry.keySpot).check(among: StoreFacts.names, what: "value", input.problems)
        }
        return Self(conditions: input.conditions(entries))
    }

    var expected: String { "store: " + conditions.map(\.expected).joined(separator: ", ") }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool {
        [
            .contactStored, .contactRemoved, .channelStored, .channelRemoved, .syncPhase, .messageStored,
            .messageStatus, .messageDuplicate, .stepEnded,
        ].contains(event.kind)
    }

    func judge(_ scene: Scene) async -> Judgement {
        let values = await scene.testbed.storeFacts()
        return Judgement(
            scene.hold(conditions, values), values.map { $0.name + "=" + $0.value }.joined(separator: " "))
    }
}

/// `messages: { from: bob, text: hi, count: 1 }`: messages in the client's store.
struct MessagesExpectation: Expectation {
    let from: String?
    let to: String?
    let channel: String?
    let sender: String?
    let text: NamePattern?
    let conditions: [FieldCondition]
    let rule: CountRule
    /// Only those stored in the phase it is about count.
    let isLimited: Bool
    private var observed: Set<String> = []

    static let kind = ExpectationKind(
        keyword: "messages", summary: "messages in the client's store",
        type: .shape(
            ShapeDescriptor(
                "messages in the store",
                [
                    FieldDescriptor("from", .text, "received from this contact"),
                    FieldDescriptor("to", .text, "sent to this contact"),
                    FieldDescriptor("channel", .text, "on this channel, by name or slot"),
                    FieldDescriptor("sender", .text, "the sender's name in channel text"),
                    FieldDescriptor("text", .pattern, "their text"),
                    .comparingConditions(
                        "status, timestamp, original-timestamp, send-count, attempt, hops, snr, trip-time, read, mention"
                    ),
                ] + CountRule.fields))
    ) { input in
        let reader = input.mapping
        return Self(
            from: input.references.name(.contact, "from", of: reader),
            to: input.references.name(.contact, "to", of: reader),
            channel: input.references.name(.channel, "channel", of: reader), sender: reader.text("sender"),
            text: reader.pattern("text"),
            conditions: input.conditions(reader.table("where"), among: StoredMessage.valueNames),
            rule: CountRule(reader), isLimited: input.phase != nil)
    }

    var expected: String {
        var words = ["\(rule.text) message\(rule.exact == 1 ? "" : "s")"]
        if let from { words.append("from \(from)") }
        if let to { words.append("to \(to)") }
        if let channel { words.append("on channel \(channel)") }
        if let sender { words.append("by \(sender)") }
        if let text { words.append("\"\(text)\"") }
        if !conditions.isEmpty { words.append("with " + conditions.map(\.expected).joined(separator: ", ")) }
        return words.joined(separator: " ") + " stored"
    }

    var isExact: Bool { rule.isExact }

    private init(
        from: String?, to: String?, channel: String?, sender: String?, text: NamePattern?,
        conditions: [FieldCondition], rule: CountRule, isLimited: Bool
    ) {
        self.from = from
        self.to = to
        self.channel = channel
        self.sender = sender
        self.text = text
        self.conditions = conditions
        self.rule = rule
        self.isLimited = isLimited
    }

    mutating func observe(_ event: RunEvent) -> Bool {
        if event.kind == .messageStored, case .text(let id)? = event["id"] { observed.insert(id) }
        return event.kind == .messageStored || event.kind == .messageDuplicate || event.kind == .messageStatus
    }

    func judge(_ scene: Scene) async -> Judgement {
        let messages = await scene.testbed.storedMessages()
        let testbed = scene.testbed
        func isWith(_ name: String, _ message: SeenMessage) -> Bool {
            guard let key = message.contactKey else { return false }
            return message.contactName == name || testbed.publicKey(of: name) == key
        }
        let similar = messages.filter { message in
            if isLimited, !observed.contains(message.id) { return false }
            if let from, !isWith(from, message) || message.isOutgoing { return false }
            if let to, !isWith(to, message) || !message.isOutgoing { return false }
            if let channel, message.channelName != ChannelNames.stored(channel),
                message.channelIndex.map({ "\($0)" }) != channel
            {
                return false
            }
            if let sender, message.senderName != sender { return false }
            return text.map { $0.matches(message.text) } ?? true
        }
        let matching = similar.filter { scene.hold(conditions, $0.values) }
        // What the conditions were not met by says more than a count.
        if matching.isEmpty, !conditions.isEmpty, let nearest = similar.last {
            let values = nearest.values.map { $0.name + "=" + $0.value }.joined(separator: " ")
            return Judgement(rule.holds(0), "\"\(nearest.text)\" with " + values)
        }
        let others = messages.count - matching.count
        return Judgement(
            rule.holds(matching.count),
            "\(matching.count) stored" + (others > 0 ? ", and \(others) other\(others == 1 ? "" : "s")" : ""))
    }
}
