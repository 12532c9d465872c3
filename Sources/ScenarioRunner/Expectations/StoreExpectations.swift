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

/// `messages: { from: bob, text: hi, count: 1 }`: messages in the client's store.
struct MessagesExpectation: Expectation {
    let from: String?
    let to: String?
    let channel: String?
    let sender: String?
    let text: NamePattern?
    let rule: CountRule

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
                ] + CountRule.fields))
    ) { input in
        let reader = input.mapping
        return Self(
            from: reader.text("from"), to: reader.text("to"), channel: reader.text("channel"),
            sender: reader.text("sender"), text: reader.pattern("text"), rule: CountRule(reader))
    }

    var expected: String {
        var words = ["\(rule.text) message\(rule.exact == 1 ? "" : "s")"]
        if let from { words.append("from \(from)") }
        if let to { words.append("to \(to)") }
        if let channel { words.append("on channel \(channel)") }
        if let sender { words.append("by \(sender)") }
        if let text { words.append("\"\(text)\"") }
        return words.joined(separator: " ") + " stored"
    }

    /// A count of stored messages is watched like a state: it is what the user sees at the moment. To make sure that it
    /// stays so, the file puts it under the run's own `expect`.
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool {
        event.kind == .messageStored || event.kind == .messageDuplicate
    }

    func judge(_ scene: Scene) async -> Judgement {
        let messages = await scene.testbed.storedMessages()
        let testbed = scene.testbed
        func isWith(_ name: String, _ message: SeenMessage) -> Bool {
            guard let key = message.contactKey else { return false }
            return message.contactName == name || testbed.publicKey(of: name) == key
        }
        let matching = messages.filter { message in
            if let from, !isWith(from, message) || message.isOutgoing { return false }
            if let to, !isWith(to, message) || !message.isOutgoing { return false }
            if let channel, message.channelName != ChannelNames.stored(channel),
                message.channelIndex.map({ "\($0)" }) != channel
            {
                return false
            }
            if let sender, message.senderName != sender { return false }
            if let text, !text.matches(message.text) { return false }
            return true
        }
        let others = messages.count - matching.count
        return Judgement(
            rule.holds(matching.count),
            "\(matching.count) stored" + (others > 0 ? ", and \(others) other\(others == 1 ? "" : "s")" : ""))
    }
}
