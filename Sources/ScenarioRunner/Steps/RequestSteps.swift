internal import RigRuntime
internal import ClientStore
internal import ClientServices
internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import ScenarioModel

/// `login: { to: hill, password: "…" }`: the client logs in at a server.
struct LoginStep: Step {
    let server: String
    let password: Secret
    let limit: Duration

    static let kind = StepKind(
        keyword: "login",
        summary:
            "log in at a repeater, room or sensor; done when it has answered, which a wrong password never gets (timeout); gives `rights` (admin, readWrite, guest) and what the answer holds",
        type: .shape(
            ShapeDescriptor(
                "a login",
                [
                    FieldDescriptor("to", .text, "the server, by name", required: true),
                    FieldDescriptor("password", .text, "its password; in no report", required: true),
                    FieldDescriptor("limit", .duration, "how long it is tried", default: "30s"),
                ])),
        example: "login: { to: hill, password: \"password\" }", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let server = reader.text("to"), let password = reader.text("password") else { return nil }
        return Self(
            server: server, password: Secret(utf8: password), limit: reader.duration("limit") ?? .seconds(30))
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let key = await scene.key(of: server)
        switch try await scene.session().login(key: key, password: password, limit: limit) {
        case .accepted(let push):
            var value = StepValue(push)
            value.fields.append(NamedValue("rights", "\(push.permission)"))
            return value
        case .refused: throw StepFailure("refused", "\(server) refused the login")
        }
    }
}

/// `logout: hill`: the radio forgets a login.
struct LogoutStep: Step {
    let server: String

    static let kind = StepKind(
        keyword: "logout", summary: "let the radio forget a login; done when it has answered", type: .text,
        example: "logout: hill"
    ) { input in input.value { $0.text($1) }.map { Self(server: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await scene.session().logout(key: await scene.key(of: server))
        return ""
    }
}

/// `command-line: { to: hill, text: ver }`: a command line to a server.
struct CommandLineStep: Step {
    let server: String
    let text: String

    static let kind = StepKind(
        keyword: "command-line",
        summary:
            "send a command line to a server one is logged in at; done when the radio has taken it, the reply is for `frames`",
        type: .shape(
            ShapeDescriptor(
                "a command line",
                [
                    FieldDescriptor("to", .text, "the server, by name", required: true),
                    FieldDescriptor("text", .text, "the command", required: true),
                ])),
        example: "command-line: { to: hill, text: \"ver\" }", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let server = reader.text("to"), let text = reader.text("text") else { return nil }
        return Self(server: server, text: text)
    }

    var safeSummary: String? { "command-line: { to: \(server), text: \"\(SecretCommands.masked(text))\" }" }

    func run(_ scene: StepScene) async throws -> StepValue {
        let key = await scene.key(of: server)
        let now = scene.testbed.runtime.wallSeconds()
        return StepValue(try await scene.session().sendCommandLine(text, to: key, timestamp: now))
    }
}

/// `request: { what: status, of: hill }`: asks another node over the air.
struct RequestStep: Step {
    enum What: String, CaseIterable {
        case status, telemetry, access, neighbours, owner, regions, series, raw
    }

    /// The values each gives, for the reference.
    static let values: [(what: String, values: String)] = [
        (
            "status",
            "`battery` (mV), `queue-length`, `noise-floor` and `last-rssi` (dBm), `last-snr` (dB), `received`, `sent`, `transmit-time` and `uptime` (s), `flood-sent`, `direct-sent`, `flood-received`, `direct-received`, `error-flags`, `direct-duplicates`, `flood-duplicates`; of a repeater `receive-time` (s) and `receive-errors`, of a room `posts` and `post-pushes`"
        ),
        ("telemetry", "`count`, and each record as `CHANNEL KIND` with its value and unit: `1 voltage` is `4.1 V`"),
        ("access", "`count`, and the first 6 bytes of each key in hex with the permission"),
        ("neighbours", "`total`, `count`, and each neighbour by name with its SNR in dB"),
        ("owner", "`version`, `name`, `info`"), ("regions", "`count`, `names`"),
        ("series", "`count`, and `CHANNEL KIND least`, `… most`, `… mean` with unit"),
        ("raw", "`data` in hex"),
    ]

    private let what: What
    private let node: String
    private let bytes: [UInt8]
    private let from: Duration
    private let to: Duration

    static let kind = StepKind(
        keyword: "request", summary: "ask another node over the air; done when its answer is there, which it gives",
        type: .shape(
            ShapeDescriptor(
                "a request to a node",
                [
                    FieldDescriptor(
                        "what", .choice(What.allCases.map(\.rawValue)),
                        "status, telemetry, access (its access list), neighbours, owner, regions, series (smallest, largest and mean values of a sensor), or raw bytes",
                        required: true),
                    FieldDescriptor("of", .text, "the node, by name", required: true),
                    FieldDescriptor("bytes", .bytes(1...160), "the request, for `raw`"),
                    FieldDescriptor("from", .duration, "for `series`: begins so long before now", default: "1h"),
                    FieldDescriptor("to", .duration, "for `series`: ends so long before now", default: "0s"),
                ])),
        example: "request: { what: status, of: hill }", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let what = reader.choice("what", What.self), let node = reader.text("of") else { return nil }
        let bytes = reader.bytes("bytes")
        if (bytes != nil) != (what == .raw) {
            input.problems.add(reader.spot, "\"bytes\" belongs to a raw request, and a raw request needs it")
        }
        return Self(
            what: what, node: node, bytes: bytes ?? [], from: reader.duration("from") ?? .seconds(3600),
            to: reader.duration("to") ?? .zero)
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let session = try await scene.session()
        let key = await scene.key(of: node)
        switch what {
        case .status:
            let isRoom = await scene.testbed.storedContacts().first { $0.key == key }?.fields.type == 3
            return StepValue(status: try await session.requestStatus(key: key, isRoom: isRoom))
        case .telemetry: return StepValue(telemetry: try await session.requestTelemetry(key: key))
        case .access:
            let list = try await session.requestAccessList(key: key)
            return StepValue(
                "",
                [NamedValue("count", "\(list.count)")]
                    + list.map { NamedValue(Hex.encode($0.keyPrefix), "\($0.permission)") })
        case .neighbours:
            let listing = try await session.requestNeighbours(key: key)
            return StepValue(
                "",
                [NamedValue("total", "\(listing.total)"), NamedValue("count", "\(listing.neighbours.count)")]
                    + listing.neighbours.map { neighbour in
                        let name = scene.testbed.name(ofKeyBeginning: neighbour.keyPrefix)
                        let snr = ScalarText.decimalText(Int(neighbour.snrQuarterDB) * 25, places: 2)
                        return NamedValue(name ?? Hex.encode(neighbour.keyPrefix), snr)
                    })
        case .owner:
            let info = try await session.requestOwnerInfo(key: key)
            return StepValue(
                "",
                [NamedValue("version", info.version), NamedValue("name", info.name), NamedValue("info", info.info)])
        case .regions:
            let names = try await session.requestRegions(of: try await scene.contact(node))
            return StepValue(
                "",
                [
                    NamedValue("count", "\(names.count)"), NamedValue("names", names.joined(separator: ",")),
                ])
        case .series:
            let series = try await session.requestSeries(
                key: key, from: UInt32(clamping: from.components.seconds),
                to: UInt32(clamping: to.components.seconds))
            return StepValue("", [NamedValue("count", "\(series.count)")] + series.flatMap(Self.values))
        case .raw:
            return StepValue(
                "", [NamedValue("data", Hex.encode(try await session.requestBinary(key: key, bytes)))])
        }
    }

    private static func values(_ series: SensorSeries) -> [NamedValue] {
        let numbers = [("least", series.minimum), ("most", series.maximum), ("mean", series.mean)]
        let kind = series.type.format?.name ?? "type \(series.type.rawValue)"
        return numbers.map { name, number in
            let record = TelemetryRecord(channel: series.channel, type: series.type, values: [number])
            return NamedValue("\(series.channel) \(kind) \(name)", record.text)
        }
    }
}

extension StepValue {
    init(status: NodeStatus) {
        let numbers: [(String, any BinaryInteger)] = [
            ("battery", status.batteryMillivolts), ("queue-length", status.queueLength),
            ("noise-floor", status.noiseFloor), ("last-rssi", status.lastRSSI), ("received", status.received),
            ("sent", status.sent), ("transmit-time", status.transmitSeconds), ("uptime", status.uptimeSeconds),
            ("flood-sent", status.floodSent), ("direct-sent", status.directSent),
            ("flood-received", status.floodReceived), ("direct-received", status.directReceived),
            ("error-flags", status.errorFlags), ("direct-duplicates", status.directDuplicates),
            ("flood-duplicates", status.floodDuplicates),
        ]
        var fields = numbers.map { NamedValue($0, "\($1)") }
        fields.append(NamedValue("last-snr", ScalarText.decimalText(Int(status.lastSNRQuarterDB) * 25, places: 2)))
        switch status.extra {
        case .repeater(let seconds, let errors):
            fields.append(NamedValue("receive-time", "\(seconds)"))
            if let errors { fields.append(NamedValue("receive-errors", "\(errors)")) }
        case .room(let posts, let pushes):
            fields += [NamedValue("posts", "\(posts)"), NamedValue("post-pushes", "\(pushes)")]
        case .none: break
        }
        self.init("", fields)
    }
}

/// `trace: [hill]`: a packet goes along nodes and comes back, gathering how well each heard it.
struct TraceStep: Step {
    let nodes: [String]
    let hashSize: Int
    let limit: Duration?

    static let kind = StepKind(
        keyword: "trace",
        summary: "send a trace along nodes; done when it has come back; gives `hashes`, `hop-snrs`, `final-snr`",
        type: .shape(
            ShapeDescriptor(
                "a trace", shorthand: "along",
                [
                    FieldDescriptor("along", .list(.text), "the nodes, in order; the last leads back", required: true),
                    FieldDescriptor("hash-size", .choice(["1", "2", "4", "8"]), "bytes of each hash", default: "1"),
                    FieldDescriptor("limit", .duration, "how long it may take; as the radio suggests when missing"),
                ])),
        example: "trace: [hill]", effect: .transmits
    ) { input in
        let reader = input.mapping
        let nodes = reader.names("along").map(\.name)
        guard !nodes.isEmpty else { return nil }
        return Self(
            nodes: nodes, hashSize: reader.text("hash-size").flatMap { Int($0) } ?? 1, limit: reader.duration("limit"))
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let path = await scene.hashes(of: nodes, size: hashSize)
        let flags = UInt8(hashSize.trailingZeroBitCount)
        return StepValue(try await scene.session().trace(path: path, flags: flags, limit: limit))
    }
}

/// `discover-path: bob`: asks for the ways to and from a node.
struct DiscoverPathStep: Step {
    let node: String

    static let kind = StepKind(
        keyword: "discover-path",
        summary: "ask for the ways to and from a node; done when it has answered; gives `out-path`, `in-path`",
        type: .text, example: "discover-path: bob", effect: .transmits
    ) { input in input.value { $0.text($1) }.map { Self(node: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        StepValue(try await scene.session().discoverPath(key: await scene.key(of: node)))
    }
}

/// `discover-nodes: [repeater]`: asks who is near; the answers are `control-data` frames.
struct DiscoverNodesStep: Step {
    let types: [String]

    private static let words = ["chat", "repeater", "room", "sensor"]

    static let kind = StepKind(
        keyword: "discover-nodes",
        summary:
            "ask direct neighbours who they are; done when the radio has sent it, answers are `control-data` frames",
        type: .list(.choice(words)), example: "discover-nodes: [repeater]", effect: .transmits
    ) { input in
        guard let argument = input.argument else { return Self(types: words) }
        let reader = ValueReader(.choice(words), "discover-nodes", input.problems)
        return Self(types: argument.oneOrMany.compactMap { reader.text($0) })
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let filter = types.reduce(into: UInt8(0)) { filter, type in
            if let position = Self.words.firstIndex(of: type) { filter |= 1 << UInt8(position + 1) }
        }
        let tag = try await scene.session().discoverNodes(filter: filter)
        return StepValue("", [NamedValue("tag", "\(tag)")])
    }
}
