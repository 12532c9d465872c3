/// A switch of a node's firmware.
package struct QuirkDocument: Sendable, Hashable {
    package var name: NameAtSpot
    package var isOn: Bool
}

/// One radio of the world.
package struct NodeDocument: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable, CaseIterable { case companion, repeater, room, sensor }

    /// How scenario and reports call it.
    package var name: String
    package var spot: SourceSpot
    package var role: Role
    /// Firmware profile and board profile, by name; the runner's defaults when nil.
    package var profile: NameAtSpot?
    package var board: NameAtSpot?
    /// The name it bears on the mesh, if that is not `name`.
    package var displayName: String?
    /// A 32-byte seed or a 64-byte expanded private key; made from `name` when nil.
    package var key: [UInt8]?
    package var position: PositionDocument?
    package var antenna: AntennaDocument
    package var contacts: [ContactDocument]
    package var channels: [ChannelDocument]
    package var queued: [QueuedMessageDocument]
    /// How far its clock is ahead of the world's.
    package var clockOffset: Duration?
    package var batteryMillivolts: Int?
    /// Starts switched off.
    package var isOff: Bool
    /// Answers every direct message with its own text.
    package var isEcho: Bool
    /// Switches of its firmware's behaviour that are not as its profile has them.
    package var quirks: [QuirkDocument]
    /// What it measures, in the order in which it reports.
    package var readings: ReadingsDocument?
    /// What it does by itself.
    package var script: BehaviourDocument?
    /// Settings the runner knows, by key, as written.
    package var settings: [YAMLEntry]

    package static let shape = ShapeDescriptor(
        "a node", shorthand: "role",
        [
            FieldDescriptor("role", .choice(Role.allCases.map(\.rawValue)), "what it is", default: "companion"),
            FieldDescriptor("profile", .text, "firmware version it behaves like"),
            FieldDescriptor("board", .text, "board it runs on"),
            FieldDescriptor("name", .text, "name on the mesh, when it is not the node's name here"),
            FieldDescriptor("key", .bytes(32...64), "private key: 32-byte seed or 64 bytes expanded"),
            FieldDescriptor("position", .position, "where it stands"),
            FieldDescriptor("antenna", .shape(AntennaDocument.shape), "for links from positions"),
            FieldDescriptor(
                "contacts", .list(.shape(ContactDocument.shape)),
                "whom it knows: names of nodes, or { generate: 350 }"),
            FieldDescriptor(
                "channels", .list(.shape(ChannelDocument.shape)), "its channels: public, \"#name\", { name, secret }"),
            FieldDescriptor(
                "queued-messages", .list(.shape(QueuedMessageDocument.shape)), "messages that wait for its app already"),
            FieldDescriptor("clock-offset", .signedDuration, "how far its clock is ahead"),
            FieldDescriptor("battery", .integer(0...65_535), "battery voltage in mV"),
            FieldDescriptor("echo", .bool, "in `serve`: answers every direct message by itself", default: "false"),
            FieldDescriptor(
                "script", .shape(BehaviourDocument.shape), "what a companion without a client does by itself"),
            FieldDescriptor(
                "quirks", .table(.bool), "switches of its firmware's behaviour: { confirms-twice: true }"),
            FieldDescriptor("readings", .shape(ReadingsDocument.shape), "what a sensor measures"),
            FieldDescriptor("off", .bool, "starts switched off", default: "false"),
            FieldDescriptor(
                "settings", .table(.anything("a setting's value")), "settings of the node, as its commands name them"),
        ])

    static func read(_ entry: YAMLEntry, among names: [String], _ problems: ProblemList) -> NodeDocument {
        let reader = MappingReader(entry.value, shape, at: entry.keySpot, problems)
        checkName(entry, problems)
        let key = reader.bytes("key")
        if let count = key?.count, count != 32, count != 64 {
            problems.add(reader.spot(of: "key"), "key has \(count) bytes; it takes 32 or 64")
        }
        func named(_ key: String) -> NameAtSpot? { reader.text(key).map { NameAtSpot($0, reader.spot(of: key)) } }
        return NodeDocument(
            name: entry.key, spot: entry.keySpot, role: reader.choice("role", Role.self) ?? .companion,
            profile: named("profile"), board: named("board"), displayName: reader.text("name"), key: key,
            position: reader.position("position"),
            antenna: reader.nested("antenna").flatMap(AntennaDocument.read) ?? .standard,
            contacts: reader.nestedList("contacts").compactMap {
                ContactDocument.read($0, of: entry.key, among: names)
            },
            channels: reader.nestedList("channels").compactMap { ChannelDocument.read($0) },
            queued: reader.nestedList("queued-messages").compactMap { QueuedMessageDocument.read($0, among: names) },
            clockOffset: reader.duration("clock-offset"), batteryMillivolts: reader.integer("battery"),
            isOff: reader.bool("off") ?? false, isEcho: reader.bool("echo") ?? false,
            quirks: reader.table("quirks").compactMap { entry in
                ValueReader(.bool, entry.key, problems).bool(entry.value).map {
                    QuirkDocument(name: NameAtSpot(entry.key, entry.keySpot), isOn: $0)
                }
            },
            readings: reader.nested("readings").map(ReadingsDocument.read),
            script: reader.nested("script").map { BehaviourDocument.read($0, among: names) },
            settings: reader.table("settings")
        )
    }

    private static func checkName(_ entry: YAMLEntry, _ problems: ProblemList) {
        let isPlain = entry.key.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
        }
        if !isPlain || !("a"..."z").contains(entry.key.first ?? " ") {
            problems.add(
                entry.keySpot, "\"\(YAMLNode.shortened(entry.key))\" cannot name a node",
                hint: "lower-case letters, digits, - and _, a letter first; what it is called on the mesh is \"name\"")
        }
    }
}

/// One contact, or a number of made-up ones.
package struct ContactDocument: Sendable, Hashable {
    package enum Who: Sendable, Hashable {
        case node(String)
        /// So many contacts that are no nodes of this world.
        case generated(Int)
    }

    /// The route stored with the contact.
    package enum Path: Sendable, Hashable {
        case flood
        /// Nodes that forward, nearest first; empty for a direct neighbour.
        case via([String])
    }

    package var who: Who
    package var path: Path
    package var isFavourite: Bool
    package var spot: SourceSpot

    package static let shape = ShapeDescriptor(
        "a contact", shorthand: "node",
        [
            FieldDescriptor("node", .text, "a node of this world"),
            FieldDescriptor("generate", .integer(1...4_000), "so many contacts that are no nodes of this world"),
            FieldDescriptor(
                "path", .list(.text), "flood, direct, or the nodes that forward, nearest first", default: "flood"),
            FieldDescriptor("favourite", .bool, "marked as favourite", default: "false"),
        ])

    static func read(_ reader: MappingReader, of owner: String, among names: [String]) -> ContactDocument? {
        let path = readPath(reader, among: names)
        let isFavourite = reader.bool("favourite") ?? false
        if let count = reader.integer("generate") {
            if reader.has("node") {
                reader.problems.add(reader.spot(of: "node"), "a contact has \"node\" or \"generate\", not both")
            }
            return ContactDocument(who: .generated(count), path: path, isFavourite: isFavourite, spot: reader.spot)
        }
        guard let name = reader.text("node") else {
            if !reader.has("generate"), !reader.has("node") {
                reader.problems.add(reader.spot, "a contact needs \"node\" or \"generate\"")
            }
            return nil
        }
        let place = NameAtSpot(name, reader.spot(of: "node"))
        place.check(among: names, what: "node", reader.problems)
        if name == owner { reader.problems.add(place.spot, "\(name) cannot be its own contact") }
        return ContactDocument(who: .node(name), path: path, isFavourite: isFavourite, spot: reader.spot)
    }

    private static func readPath(_ reader: MappingReader, among names: [String]) -> Path {
        let words = reader.names("path")
        switch words.first?.name {
        case "flood" where words.count == 1: return .flood
        case "direct" where words.count == 1: return .via([])
        default:
            for word in words {
                word.check(among: names + ["flood", "direct"], what: "node", reader.problems)
            }
            return .via(words.map(\.name))
        }
    }
}

/// One channel of a companion.
package struct ChannelDocument: Sendable, Hashable {
    /// `public`, a hashtag name, or any name when there is a secret.
    package var name: String
    /// 16 or 32 bytes; made from the name for `public` and hashtags.
    package var secret: [UInt8]?
    /// Its slot; the next free one when nil.
    package var index: Int?
    package var spot: SourceSpot

    package static let shape = ShapeDescriptor(
        "a channel", shorthand: "name",
        [
            FieldDescriptor(
                "name", .text, "public, a name that begins with #, or any name with a secret", required: true),
            FieldDescriptor("secret", .bytes(16...32), "16 bytes (or 32) in hex"),
            FieldDescriptor("index", .integer(0...254), "slot in the radio; the next free one when missing"),
        ])

    static func read(_ reader: MappingReader) -> ChannelDocument? {
        guard let name = reader.text("name") else { return nil }
        let secret = reader.bytes("secret")
        if secret == nil, !reader.has("secret"), name != "public", !name.hasPrefix("#") {
            reader.problems.add(
                reader.spot, "channel \"\(YAMLNode.shortened(name))\" needs a secret",
                hint: "only public and names that begin with # have one by themselves")
        }
        if let count = secret?.count, count != 16, count != 32 {
            reader.problems.add(reader.spot(of: "secret"), "secret has \(count) bytes; it takes 16 or 32")
        }
        return ChannelDocument(name: name, secret: secret, index: reader.integer("index"), spot: reader.spot)
    }
}

/// A message that a companion received before the run began and that its app has not fetched.
package struct QueuedMessageDocument: Sendable, Hashable {
    package var from: String?
    package var channel: String?
    package var text: String
    /// So many like it, numbered from 1 at the end of the text when more than one.
    package var count: Int
    /// How long before the run's beginning it was sent.
    package var age: Duration
    package var spot: SourceSpot

    package static let shape = ShapeDescriptor(
        "a queued message",
        [
            FieldDescriptor("from", .text, "the node that sent it"),
            FieldDescriptor("channel", .text, "the channel it came on; a direct message when missing"),
            FieldDescriptor("text", .text, "what it says", required: true),
            FieldDescriptor("count", .integer(1...256), "so many, numbered when more than one", default: "1"),
            FieldDescriptor("age", .duration, "how long ago it was sent", default: "1min"),
        ])

    static func read(_ reader: MappingReader, among names: [String]) -> QueuedMessageDocument? {
        let from = reader.text("from")
        if let from { NameAtSpot(from, reader.spot(of: "from")).check(among: names, what: "node", reader.problems) }
        let channel = reader.text("channel")
        if from == nil, channel == nil {
            reader.problems.add(reader.spot, "a queued message needs \"from\" or \"channel\"")
        }
        guard let text = reader.text("text") else { return nil }
        return QueuedMessageDocument(
            from: from, channel: channel, text: text, count: reader.integer("count") ?? 1,
            age: reader.duration("age") ?? .seconds(60), spot: reader.spot)
    }
}
