/// What a node of a scenario does by itself; each part is there or not.
package struct BehaviourDocument: Sendable, Hashable {
    package struct Chatter: Sendable, Hashable {
        package var to: NameAtSpot?
        package var channel: NameAtSpot?
        package var text: String
        package var pace: Pace
        package var isRandom: Bool
    }

    package struct Reply: Sendable, Hashable {
        package var text: String
        package var pace: Pace
    }

    /// A pace and how often.
    package struct Pace: Sendable, Hashable {
        package var interval: Duration
        package var count: Int
    }

    package var autoReply: Reply?
    package var chatter: Chatter?
    package var forgedAckDelay: Duration?
    package var replay: Pace?
    package var twinOf: NameAtSpot?
    package var advertFlood: Pace?

    private static let countField = FieldDescriptor(
        "count", .integer(1...1_000_000), "at most so often", default: "1000")

    private static let replyShape = ShapeDescriptor(
        "an answer", shorthand: "text",
        [
            FieldDescriptor("text", .text, "what it answers", required: true),
            FieldDescriptor("delay", .duration, "how long it takes to answer", default: "2s"), countField,
        ])
    private static let chatterShape = ShapeDescriptor(
        "chatter",
        [
            FieldDescriptor("text", .text, "what it says; a number is put behind it", default: "hello"),
            FieldDescriptor("to", .text, "the contact it talks to"),
            FieldDescriptor("channel", .text, "or the channel, by name or slot"),
            FieldDescriptor("every", .duration, "time between two texts", required: true),
            FieldDescriptor("random", .bool, "as of a Poisson process with that mean", default: "false"),
            countField,
        ])
    private static let forgedShape = ShapeDescriptor(
        "forged acknowledgements", shorthand: "delay",
        [FieldDescriptor("delay", .duration, "after the text it answers", default: "50ms")])
    private static let replayShape = ShapeDescriptor(
        "a replay", shorthand: "delay",
        [FieldDescriptor("delay", .duration, "after the packet it repeats", default: "30s"), countField])
    private static let twinShape = ShapeDescriptor(
        "an evil twin", shorthand: "of",
        [FieldDescriptor("of", .text, "the node whose first key byte it shares", required: true)])
    private static let floodShape = ShapeDescriptor(
        "a flood of adverts", shorthand: "every",
        [FieldDescriptor("every", .duration, "time between two adverts", default: "1s"), countField])

    package static let shape = ShapeDescriptor(
        "what a node does by itself",
        [
            FieldDescriptor("auto-reply", .shape(replyShape), "answers direct texts of contacts, once each"),
            FieldDescriptor("chatter", .shape(chatterShape), "sends texts at a pace of its own"),
            FieldDescriptor(
                "forged-ack", .shape(forgedShape), "answers texts between others with acknowledgements of made-up codes"
            ),
            FieldDescriptor("replay", .shape(replayShape), "sends again what it overhears, byte for byte"),
            FieldDescriptor(
                "evil-twin", .shape(twinShape), "has a key that begins with the same byte as another node's"),
            FieldDescriptor("advert-flood", .shape(floodShape), "adverts of nodes that do not exist, rightly signed"),
        ])

    /// The shapes of the parts, for the reference.
    package static let parts: [(name: String, shape: ShapeDescriptor)] = shape.fields.compactMap { field in
        if case .shape(let shape) = field.type { (field.name, shape) } else { nil }
    }

    static func read(_ reader: MappingReader, among names: [String]) -> BehaviourDocument {
        var document = BehaviourDocument()
        if let part = reader.nested("auto-reply"), let text = part.text("text"), let pace = pace(part, "delay") {
            checkText(part)
            document.autoReply = Reply(text: text, pace: pace)
        }
        document.chatter = reader.nested("chatter").flatMap { chatter($0, among: names) }
        document.forgedAckDelay = reader.nested("forged-ack").flatMap { $0.duration("delay") }
        document.replay = reader.nested("replay").flatMap { pace($0, "delay") }
        document.advertFlood = reader.nested("advert-flood").flatMap { pace($0, "every") }
        if let part = reader.nested("evil-twin"), let name = part.text("of") {
            document.twinOf = NameAtSpot(name, part.spot(of: "of"))
            document.twinOf?.check(among: names, what: "node", reader.problems)
        }
        return document
    }

    /// Bytes of a text that a radio takes.
    private static let textLimit = 160

    private static func checkText(_ reader: MappingReader) {
        guard let text = reader.text("text") else { return }
        if text.isEmpty || text.utf8.count > textLimit {
            reader.problems.add(
                reader.spot(of: "text"), "the text has \(text.utf8.count) bytes; a radio takes 1 to \(textLimit)")
        }
    }

    private static func pace(_ reader: MappingReader, _ key: String) -> Pace? {
        guard let interval = reader.duration(key), let count = reader.integer("count") else { return nil }
        if interval < .milliseconds(1) { reader.problems.add(reader.spot(of: key), "\(key) is at least 1ms") }
        return Pace(interval: interval, count: count)
    }

    private static func chatter(_ reader: MappingReader, among names: [String]) -> Chatter? {
        guard let pace = pace(reader, "every"), let text = reader.text("text") else { return nil }
        checkText(reader)
        func named(_ key: String) -> NameAtSpot? { reader.text(key).map { NameAtSpot($0, reader.spot(of: key)) } }
        let (to, channel) = (named("to"), named("channel"))
        to?.check(among: names, what: "node", reader.problems)
        if (to == nil) == (channel == nil) {
            reader.problems.add(reader.spot, "chatter needs either \"to\" or \"channel\"")
        }
        return Chatter(
            to: to, channel: channel, text: text, pace: pace, isRandom: reader.bool("random") ?? false)
    }
}
