internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import ScenarioModel

/// One thing a client can ask its radio, with the names of the values that come back.
package struct RadioQuery: Sendable {
    /// What has to be said besides the name.
    package enum Need: Sendable, Hashable {
        case nothing
        /// `of: NAME`, and whether it may be left out.
        case node(isOptional: Bool)
        /// `slot: N`
        case slot
    }

    /// The rest of what was asked.
    struct Subject: Sendable {
        var node: String?
        var slot: Int?
    }

    package var name: String
    package var summary: String
    package var values: [String]
    package var need = Need.nothing
    var ask: @Sendable (StepScene, MeshCoreSession, Subject) async throws -> StepValue

    /// A question whose answer is one frame.
    private init<Payload: RadioPayload>(
        _ name: String, _ summary: String, _ type: Payload.Type, needs need: Need = .nothing,
        of form: RadioCode? = nil,
        _ ask: @escaping @Sendable (StepScene, MeshCoreSession, Subject) async throws -> Payload
    ) {
        self.name = name
        self.summary = summary
        self.need = need
        let layout = Payload.layout(of: form ?? Payload.codes[Payload.codes.count - 1])
        values = layout.fields.filter { $0.form != .reserved }.map {
            $0.name + ($0.unit.isEmpty ? "" : " (\($0.unit))")
        }
        self.ask = { StepValue(try await ask($0, $1, $2)) }
    }

    private init(
        _ name: String, _ summary: String, values: [String], needs need: Need = .nothing,
        _ ask: @escaping @Sendable (StepScene, MeshCoreSession, Subject) async throws -> StepValue
    ) {
        self.name = name
        self.summary = summary
        self.values = values
        self.need = need
        self.ask = ask
    }

    package static subscript(name: String) -> RadioQuery? { all.first { $0.name == name } }

    package static let all: [RadioQuery] = [
        RadioQuery("battery", "battery and storage", BatteryReply.self) { _, session, _ in
            try await session.getBattery()
        },
        RadioQuery("device-time", "the radio's clock", DeviceTimeReply.self) { _, session, _ in
            DeviceTimeReply(seconds: try await session.getDeviceTime())
        },
        RadioQuery("device-info", "what the radio is", DeviceInfoReply.self) { _, session, _ in
            try await session.queryDevice()
        },
        RadioQuery("self-info", "who the radio is, and its settings", SelfInfoReply.self) { _, session, _ in
            try await session.startApp()
        },
        RadioQuery("tuning", "delays and share of air time", TuningReply.self) { _, session, _ in
            TuningReply(try await session.getTuning())
        },
        statistics("core-statistics", "counters of the device", .core),
        statistics("radio-statistics", "counters of the radio chip", .radio),
        statistics("packet-statistics", "counters of packets", .packets),
        RadioQuery("auto-add", "which nodes become contacts by themselves", AutoAddReply.self) {
            _, session, _ in try await session.getAutoAdd()
        },
        RadioQuery("variables", "variables of its sensors", values: ["their names"]) { _, session, _ in
            StepValue("", try await session.getCustomVariables().map { NamedValue($0.name, $0.value) })
        },
        RadioQuery("repeat-frequencies", "where it may repeat for others", values: ["count", "ranges"]) {
            _, session, _ in
            let ranges = try await session.getRepeatFrequencies()
            let text = ranges.map { "\($0.low)-\($0.high)" }.joined(separator: ",")
            return StepValue("", [NamedValue("count", "\(ranges.count)"), NamedValue("ranges", text)])
        },
        RadioQuery("default-flood-scope", "the region its floods have", values: ["name"]) { _, session, _ in
            StepValue("", [NamedValue("name", try await session.getDefaultFloodScope()?.name.string ?? "")])
        },
        RadioQuery("telemetry", "its own telemetry", values: ["count", "channel and kind of each"]) {
            _, session, _ in StepValue(telemetry: try await session.requestOwnTelemetry())
        },
        RadioQuery("contacts", "its contacts, all of them", values: ["count", "last-modified", "names"]) {
            _, session, _ in
            let listing = try await session.getContacts()
            return StepValue(
                "",
                [
                    NamedValue("count", "\(listing.contacts.count)"),
                    NamedValue("last-modified", listing.lastModified.map { "\($0)" } ?? ""),
                    NamedValue("names", listing.contacts.map(\.name.string).joined(separator: ",")),
                ])
        },
        RadioQuery("contact", "one contact", ContactReply.self, needs: .node(isOptional: false)) { scene, _, subject in
            ContactReply(try await scene.contact(subject.node ?? ""))
        },
        RadioQuery("channel", "one channel slot", ChannelInfoReply.self, needs: .slot) { _, session, subject in
            try await session.getChannel(UInt8(clamping: subject.slot ?? 0))
        },
        RadioQuery(
            "advert-path", "the way a node's last advert came", AdvertPathReply.self, needs: .node(isOptional: false)
        ) { scene, session, subject in
            guard let path = try await session.getAdvertPath(key: await scene.key(of: subject.node ?? "")) else {
                throw StepFailure("not-found", "the radio remembers no advert of it")
            }
            return path
        },
        RadioQuery(
            "exported-contact", "an advert of a contact, or of the radio itself, as others can import it",
            ExportedContactReply.self, needs: .node(isOptional: true)
        ) { scene, session, subject in
            guard let node = subject.node else { return try await session.exportContact() }
            return try await session.exportContact(key: await scene.key(of: node))
        },
        RadioQuery(
            "connection", "whether a login at a server is alive", values: ["connected"],
            needs: .node(isOptional: false)
        ) { scene, session, subject in
            let isConnected = try await session.hasConnection(key: await scene.key(of: subject.node ?? ""))
            return StepValue("", [NamedValue("connected", "\(isConnected)")])
        },
        RadioQuery("private-key", "its private key, of which no report tells", values: ["size"]) { _, session, _ in
            StepValue("", [NamedValue("size", "\(try await session.exportPrivateKey().count)")])
        },
    ]

    private static func statistics(_ name: String, _ summary: String, _ kind: StatisticsKind) -> RadioQuery {
        let sample = StatisticsReply.samples.first { $0.kind == kind }
        let values = sample.map { StepValue($0).fields.map(\.name) } ?? []
        return RadioQuery(name, summary, values: values) { _, session, _ in
            StepValue(try await session.getStatistics(kind))
        }
    }
}

extension StepValue {
    /// Telemetry as one value a record: `1 voltage` = `4.1 V`.
    init(telemetry records: [TelemetryRecord]) {
        self.init(
            "",
            [NamedValue("count", "\(records.count)")]
                + records.map { record in
                    let kind = record.type.format?.name ?? "type \(record.type.rawValue)"
                    return NamedValue("\(record.channel) \(kind)", record.text)
                })
    }
}
