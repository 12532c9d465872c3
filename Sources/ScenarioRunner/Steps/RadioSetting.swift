internal import CompanionProtocol
internal import MeshCoreClient
internal import MeshProtocol
internal import RigBase
internal import ScenarioModel

/// One setting of a radio that a client can change: how it is written in a file and how it is sent.
struct RadioSetting: Sendable {
    /// Writes the setting, once the step runs.
    typealias Change = @Sendable (MeshCoreSession) async throws -> Void

    var field: FieldDescriptor
    /// Nil when the value is wrong, which then is in the problem list.
    var read: @Sendable (MappingReader) -> Change?

    private init(
        _ name: String, _ type: ValueType, _ doc: String,
        _ read: @escaping @Sendable (MappingReader, String) -> Change?
    ) {
        field = FieldDescriptor(name, type, doc)
        self.read = { read($0, name) }
    }

    static let all: [RadioSetting] =
        [name, deviceTime, position, transmitPower, radio, tuning, pin, autoAdd, manualAdd, telemetry]
        + [advertLocation, multiAcks, pathHashMode, floodScope, defaultFloodScope, variables, channel, privateKey]

    private static let name = RadioSetting("name", .text, "the node's name") { reader, key in
        reader.text(key).map { name in change { try await $0.setName(name) } }
    }

    private static let deviceTime = RadioSetting(
        "device-time", .integer(0...4_294_967_295), "the radio's clock in Unix seconds"
    ) { reader, key in reader.integer(key).map { time in change { try await $0.setDeviceTime(UInt32(time)) } } }

    private static let position = RadioSetting("position", .position, "the position it advertises") { reader, key in
        reader.position(key).map { place in
            change { try await $0.setPosition(GeoPosition(latitude: place.latitudeE6, longitude: place.longitudeE6)) }
        }
    }

    private static let transmitPower = RadioSetting("transmit-power", .integer(-9...127), "dBm") { reader, key in
        reader.integer(key).map { power in change { try await $0.setTransmitPower(dBm: Int8(clamping: power)) } }
    }

    private static let radio = RadioSetting(
        "radio", .anything("a preset's name, or { frequency, bandwidth, spreading-factor, coding-rate }"),
        "radio parameters"
    ) { reader, key in
        guard let node = reader.node(key), let document = RadioDocument.read(node, reader.problems) else { return nil }
        let settings: RadioSettings
        switch document {
        case .explicit(let frequency, let bandwidth, let spreading, let coding):
            settings = RadioSettings(
                frequencyKHz: frequency, bandwidthHz: bandwidth, spreadingFactor: spreading, codingRate: coding)
        case .preset(let name):
            guard let preset = RadioParameters.preset(named: name.name) else {
                name.check(among: RadioParameters.presets.map(\.name), what: "radio preset", reader.problems)
                return nil
            }
            settings = RadioSettings(
                frequencyKHz: preset.frequencyKHz, bandwidthHz: preset.bandwidthHz,
                spreadingFactor: preset.spreadingFactor, codingRate: preset.codingRate)
        }
        return { try await $0.setRadio(settings) }
    }

    private static let tuningShape = ShapeDescriptor(
        "tuning",
        [
            FieldDescriptor("receive-delay", .decimal(places: 3, 0...4_294_967_295), "base of the delay of floods"),
            FieldDescriptor("airtime-factor", .decimal(places: 3, 0...4_294_967_295), "silence per time on the air"),
        ])

    private static let tuning = RadioSetting(
        "tuning", .shape(tuningShape), "delays and share of air time; what is left out stays as it is"
    ) { reader, key in
        reader.nested(key).map { inner in
            let (delay, factor) = (inner.decimal("receive-delay"), inner.decimal("airtime-factor"))
            return { session in
                var tuning = try await session.getTuning()
                if let delay { tuning.receiveDelayThousandths = UInt32(clamping: delay) }
                if let factor { tuning.airtimeFactorThousandths = UInt32(clamping: factor) }
                try await session.setTuning(tuning)
            }
        }
    }

    private static let pin = RadioSetting("pin", .integer(0...999_999), "PIN for Bluetooth; in no report") {
        reader, key in reader.integer(key).map { pin in change { try await $0.setDevicePin(UInt32(pin)) } }
    }

    private static let autoAddKinds: [(name: String, mask: AutoAddMask)] = [
        ("chat", .chat), ("repeater", .repeater), ("room", .room), ("sensor", .sensor),
        ("overwrite-oldest", .overwriteOldest),
    ]

    private static let autoAddShape = ShapeDescriptor(
        "automatic contacts", shorthand: "kinds",
        [
            FieldDescriptor(
                "kinds", .list(.choice(autoAddKinds.map(\.name))),
                "which nodes become contacts, and whether the oldest gives way when the table is full"),
            FieldDescriptor("max-hops", .integer(0...255), "only from so near"),
        ])

    private static let autoAdd = RadioSetting(
        "auto-add", .shape(autoAddShape), "which nodes become contacts by themselves"
    ) { reader, key in
        reader.nested(key).map { inner in
            let names = inner.names("kinds")
            for name in names { name.check(among: autoAddKinds.map(\.name), what: "kind", inner.problems) }
            let mask = autoAddKinds.reduce(into: AutoAddMask()) { mask, kind in
                if names.contains(where: { $0.name == kind.name }) { mask.insert(kind.mask) }
            }
            let hops = inner.integer("max-hops").map { UInt8($0) }
            return { try await $0.setAutoAdd(mask, maxHops: hops) }
        }
    }

    private static let manualAdd = RadioSetting("manual-add", .bool, "contacts are added by hand only") { reader, key in
        reader.bool(key).map { isManual in
            other { $0.manualAddContacts = isManual ? 1 : 0 }
        }
    }

    private static let modes: [(name: String, mode: TelemetryModes.Mode)] = [
        ("deny", .deny), ("by-contact", .byContactFlags), ("all", .all),
    ]

    private static let telemetryShape = ShapeDescriptor(
        "who gets telemetry",
        ["base", "location", "environment"].map {
            FieldDescriptor($0, .choice(modes.map(\.name)), "who may read this part", default: "deny")
        })

    private static let telemetry = RadioSetting(
        "telemetry", .shape(telemetryShape), "who may read its telemetry"
    ) { reader, key in
        reader.nested(key).map { inner in
            func mode(_ key: String) -> TelemetryModes.Mode {
                modes.first { $0.name == inner.text(key) }?.mode ?? .deny
            }
            let chosen = TelemetryModes(
                base: mode("base"), location: mode("location"), environment: mode("environment"))
            return other { $0.telemetryModes = chosen }
        }
    }

    private static let advertLocation = RadioSetting(
        "advert-location", .integer(0...255), "whether adverts hold a position: 0 no, 1 yes, 2 that of the settings"
    ) { reader, key in
        reader.integer(key).map { policy in other { $0.advertLocationPolicy = UInt8(clamping: policy) } }
    }

    private static let multiAcks = RadioSetting("multi-acks", .integer(0...255), "further acks per message") {
        reader, key in reader.integer(key).map { count in other { $0.multiAcks = UInt8(clamping: count) } }
    }

    private static let pathHashMode = RadioSetting(
        "path-hash-mode", .integer(0...2), "bytes of a hash in the paths of its floods, less one"
    ) { reader, key in
        reader.integer(key).map { mode in change { try await $0.setPathHashMode(UInt8(clamping: mode)) } }
    }

    private static let floodScope = RadioSetting(
        "flood-scope", .text, "region of floods from now on: its name, none, or standard"
    ) { reader, key in
        reader.text(key).map { name in
            switch name {
            case "none": change { try await $0.setFloodScope(.none) }
            case "standard": change { try await $0.setFloodScope(.standard) }
            default: change { try await $0.setFloodScope(.key(Secret(RegionKey(named: name).bytes))) }
            }
        }
    }

    private static let defaultFloodScope = RadioSetting(
        "default-flood-scope", .text, "region of floods after each start: its name, or none"
    ) { reader, key in
        reader.text(key).map { name in
            let scope = FloodScope(name: WireText(name), key: Secret(RegionKey(named: name).bytes))
            return { try await $0.setDefaultFloodScope(name == "none" ? nil : scope) }
        }
    }

    private static let variables = RadioSetting("variables", .table(.text), "variables of its sensors, by name") {
        reader, key in
        let pairs = reader.table(key).compactMap { entry in
            ValueReader(.text, entry.key, reader.problems).text(entry.value).map { (entry.key, $0) }
        }
        return { session in
            for (name, value) in pairs { try await session.setCustomVariable(name, to: value) }
        }
    }

    private static let channelShape = ShapeDescriptor(
        "a channel slot",
        [
            FieldDescriptor("slot", .integer(0...254), "which slot", required: true),
            FieldDescriptor("name", .text, "public, a name with #, or any name with a secret; clears it when missing"),
            FieldDescriptor("secret", .bytes(16...16), "16 bytes in hex; in no report"),
        ])

    private static let channel = RadioSetting("channel", .shape(channelShape), "what is in a channel slot") {
        reader, key in
        guard let inner = reader.nested(key), let slot = inner.integer("slot") else { return nil }
        let index = UInt8(clamping: slot)
        guard let name = inner.text("name") else {
            return { try await $0.setChannel(index, name: "", secret: Secret([UInt8](repeating: 0, count: 16))) }
        }
        let secret: [UInt8]
        if let given = inner.bytes("secret") {
            secret = given
        } else if name == "public" {
            secret = ChannelSecret.publicChannel.key16
        } else if name.hasPrefix("#") {
            secret = ChannelSecret.hashtag(name).key16
        } else {
            inner.problems.add(
                inner.spot, "channel \"\(YAMLNode.shortened(name))\" needs a secret",
                hint: "only public and names that begin with # have one by themselves")
            return nil
        }
        return { try await $0.setChannel(index, name: ChannelNames.stored(name), secret: Secret(secret)) }
    }

    private static let privateKey = RadioSetting(
        "private-key", .bytes(64...64), "its private key, 64 bytes; in no report"
    ) { reader, key in reader.bytes(key).map { bytes in change { try await $0.importPrivateKey(Secret(bytes)) } } }

    private static func change(_ body: @escaping Change) -> Change { body }

    /// A change of one of the parameters that are always written together.
    private static func other(_ change: @escaping @Sendable (inout OtherParameters) -> Void) -> Change {
        { try await $0.changeOtherParameters(change) }
    }
}

/// `set: { name: Alice }`: the client changes settings of its radio; done when each is confirmed.
struct SetStep: Step {
    private let changes: [(name: String, write: RadioSetting.Change)]

    static let kind = StepKind(
        keyword: "set", summary: "change settings of the radio, in the order of the file; done when each is confirmed",
        type: .shape(ShapeDescriptor("settings", RadioSetting.all.map(\.field))),
        example: "set: { name: \"Alice\" }", effect: .changesRadio
    ) { input in
        let reader = input.mapping
        return Self(
            changes: reader.keys.compactMap { key in
                RadioSetting.all.first { $0.field.name == key }?.read(reader).map { (key, $0) }
            })
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let session = try await scene.session()
        for change in changes {
            do { try await change.write(session) } catch {
                throw StepFailure(ErrorNames.name(of: error), "setting \(change.name): \(error)")
            }
        }
        return ""
    }
}
