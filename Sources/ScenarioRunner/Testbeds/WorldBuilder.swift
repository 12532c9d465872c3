internal import MeshProtocol
package import RadioSimulator
internal import RigBase
internal import RunRecord
package import ScenarioModel

/// Turns the world of a file into the description a simulated world is built from.
package struct WorldBuilder {
    let document: WorldDocument
    let problems: ProblemList

    /// What is wrong goes to `problems`, with its place in the file.
    package init(_ document: WorldDocument, _ problems: ProblemList) {
        self.document = document
        self.problems = problems
    }

    /// The world with this seed; `hostOf` chooses the kind of host link a companion has.
    package func build(
        seed: UInt64, isAutonomous: (String) -> Bool = { _ in false },
        hostOf: (String) -> HostInterfaceKind = { _ in .serial }
    ) -> WorldSpec {
        let losesFrames = document.links.contains { link in
            link.loss != .never || link.bursts != nil || link.fading != nil
                || link.schedule.contains { $0.loss ?? .never != .never }
        }
        var spec = WorldSpec(
            epoch: document.epoch ?? WorldDocument.defaultEpoch, seed: seed, radio: radio(),
            medium: medium(losesFrames: losesFrames))
        spec.nodes = document.nodes.map { node($0, isAutonomous: isAutonomous($0.name), host: hostOf($0.name)) }
        spec.links = document.links.flatMap { link in
            link.directions.map { from, to in Self.link(link, from: from, to: to) }
        }
        spec.senseMiss = document.carrierSense.map {
            SenseMiss($0.misses, sureQuarterDB: $0.sureQuarterDB, deafQuarterDB: $0.deafQuarterDB)
        }
        spec.links += geometryLinks(spec)
        return spec
    }

    /// The links that follow from where the nodes stand, beside those listed.
    func geometryLinks(_ spec: WorldSpec) -> [LinkSpec] {
        guard let geometry = document.geometry else { return [] }
        let listed = Set(document.links.flatMap { [[$0.from, $0.to], [$0.to, $0.from]] })
        var looks = 0
        return GeometryLinks(geometry, document, spec.radio, spec.medium, problems)
            .links(except: listed, looks: &looks)
    }

    /// Throws what is wrong with a world beyond the form of its file, by building it.
    package static func check(_ document: WorldDocument) throws(ScenarioErrors) {
        let problems = ProblemList()
        let spec = WorldBuilder(document, problems).build(seed: 1)
        try problems.throwIfAny()
        do {
            _ = try World(spec, journal: Journal())
        } catch {
            throw document.explaining(error)
        }
    }

    /// One direction of a link; without an RSSI of its own, the noise floor plus its SNR.
    package static func link(_ link: LinkDocument, from: String, to: String) -> LinkSpec {
        func strength(_ snr: Int) -> Int8 { Int8(clamping: noiseFloor + snr / 4) }
        var spec = LinkSpec(
            from: from, to: to, snrQuarterDB: Int8(clamping: link.snrQuarterDB),
            rssi: link.rssi.map { Int8(clamping: $0) } ?? strength(link.snrQuarterDB), loss: link.loss,
            bursts: link.bursts.map { BurstLoss(begin: $0.begin, end: $0.end, loss: $0.loss) })
        spec.fading = link.fading.map {
            FadingSpec(
                sigmaQuarterDB: $0.sigmaQuarterDB, correlationMillis: Int64($0.correlation.wholeMilliseconds))
        }
        spec.schedule = link.schedule.map { entry in
            ScheduledLink(
                atMillis: Int64(entry.at.wholeMilliseconds),
                entry.isCut
                    ? .cut
                    : .quality(
                        snrQuarterDB: entry.snrQuarterDB.map { Int8(clamping: $0) },
                        rssi: entry.rssi.map { Int8(clamping: $0) } ?? entry.snrQuarterDB.map(strength),
                        loss: entry.loss))
        }
        return spec
    }

    /// dBm; what a quiet site with 62.5 kHz of bandwidth has.
    private static let noiseFloor = -110

    private func radio() -> RadioParameters {
        switch document.radio {
        case nil: return .firmwareDefault
        case .explicit(let frequency, let bandwidth, let spreading, let coding):
            return RadioParameters(
                frequencyKHz: frequency, bandwidthHz: bandwidth, spreadingFactor: spreading, codingRate: coding)
        case .preset(let name):
            if let preset = RadioParameters.preset(named: name.name) { return preset }
            name.check(among: RadioParameters.presets.map(\.name), what: "radio preset", problems)
            return .firmwareDefault
        }
    }

    private func medium(losesFrames: Bool) -> MediumSpec {
        let name = document.medium?.name
        // A share of loss that nothing reads would be a trap for the author.
        if losesFrames, name == "ideal" || name == "recorder", let spot = document.medium?.spot {
            problems.add(
                spot, "links have losses, bursts or fading, which the medium \(name ?? "") does not know",
                hint: "leave medium out, or take lossy or contention")
        }
        return switch name {
        case "lossy": .lossy
        case "contention": .contention
        case "recorder": .recorder(chunkMillis: 10)
        default: losesFrames ? .lossy : .ideal
        }
    }

    private func node(_ document: NodeDocument, isAutonomous: Bool, host: HostInterfaceKind) -> NodeSpec {
        var node = NodeSpec(name: document.name, isAutonomous: isAutonomous)
        switch document.role {
        case .companion: node.role = .companion
        case .repeater: node.role = .repeater
        case .room: node.role = .room
        case .sensor: node.role = .sensor
        }
        if let profile = document.profile {
            node.profile = FirmwareProfile.named(profile.name) ?? node.profile
            profile.check(among: FirmwareProfile.catalogue.map(\.name), what: "firmware profile", problems)
        }
        if document.role != .companion, let quirk = document.quirks.first {
            problems.add(
                quirk.name.spot, "\(document.name) is a \(document.role.rawValue); only companions have quirks")
        }
        for quirk in document.quirks where !node.profile.quirks.set(quirk.name.name, to: quirk.isOn) {
            quirk.name.check(among: Quirks.switches.map(\.name), what: "quirk", problems)
        }
        if let board = document.board {
            node.board = BoardProfile.named(board.name) ?? node.board
            board.check(among: BoardProfile.catalogue.map(\.name), what: "board", problems)
        }
        if let key = document.key {
            node.identity = key.count == 32 ? Identity(seed: key) : Identity(privateKey: key)
            if key.count == 64, !Identity.isAcceptable(privateKey: key) {
                problems.add(document.spot, "the key of \(document.name) is none that a radio accepts")
            }
        }
        checkTables(document)
        node.displayName = document.displayName
        node.position = document.position.map { Position(latitude: $0.latitudeE6, longitude: $0.longitudeE6) }
        node.settings.advertLocationPolicy = document.position == nil ? nil : 1
        node.contacts = contacts(document)
        node.channels = zip(document.channels, slots(of: document)).map { channel($0, slot: $1) }
        node.queuedMessages = document.queued.flatMap { queued($0, of: document) }
        node.clockOffset = Int32(clamping: (document.clockOffset ?? .zero).components.seconds)
        node.battery = document.batteryMillivolts.map { UInt16($0) }
        node.readings = readings(of: document)
        node.fix = document.readings?.fix
        if let script = document.script { apply(script, of: document, to: &node) }
        node.hostInterface = host
        node.isPowered = !document.isOff
        node.isReady = true
        NodeSettingsReader(document.settings, problems).apply(to: &node.settings)
        return node
    }

    private func readings(of document: NodeDocument) -> [SensorReading] {
        guard let readings = document.readings else { return [] }
        if document.role != .sensor {
            problems.add(document.spot, "\(document.name) is no sensor; only sensors have readings")
        }
        return readings.sensorReadings
    }

    /// Bytes of a name that a radio keeps.
    private static let nameLimit = 31

    /// Reports what a radio could not hold, or would drop without a word.
    private func checkTables(_ node: NodeDocument) {
        let name = node.displayName ?? node.name
        if name.utf8.count > Self.nameLimit {
            problems.add(
                node.spot, "the name of \(node.name) has \(name.utf8.count) bytes; a radio keeps \(Self.nameLimit)")
        }
        if node.role != .companion {
            for (what, isGiven) in [
                ("channels", !node.channels.isEmpty), ("queued messages", !node.queued.isEmpty), ("echo", node.isEcho),
            ] where isGiven {
                problems.add(node.spot, "\(node.name) is a \(node.role.rawValue); only companions have \(what)")
            }
        }
        for (position, contact) in node.contacts.enumerated() {
            guard case .node(let name) = contact.who,
                node.contacts[..<position].contains(where: { $0.who == contact.who })
            else { continue }
            problems.add(contact.spot, "\(name) is a contact already")
        }
        let slots = slots(of: node)
        for (position, channel) in node.channels.enumerated() {
            let size = channel.name.utf8.count
            if size > Self.nameLimit {
                problems.add(
                    channel.spot, "the channel's name has \(size) bytes; a radio keeps \(Self.nameLimit)")
            }
            if let secret = channel.secret, secret.dropFirst(16).contains(where: { $0 != 0 }) {
                problems.add(
                    channel.spot, "the simulator has no secrets above 16 bytes yet; the other 16 have to be zero")
            }
            if slots[..<position].contains(slots[position]) {
                problems.add(channel.spot, "slot \(slots[position]) of \(node.name) is taken already")
            }
        }
    }

    private func contacts(_ node: NodeDocument) -> [ContactSpec] {
        var groups = 0
        return node.contacts.map { document in
            if case .generated = document.who { groups += 1 }
            // Each group has names of its own, and so keys of its own.
            return contact(document, prefix: groups > 1 ? "contact \(groups)-" : "contact")
        }
    }

    private func contact(_ document: ContactDocument, prefix: String) -> ContactSpec {
        let source: ContactSpec.Source =
            switch document.who {
            case .node(let name): .node(name)
            case .generated(let count): .generated(count: count, prefix: prefix)
            }
        let route: ContactSpec.Route =
            switch document.path {
            case .flood: .flood
            case .via(let names): .through(names)
            }
        return ContactSpec(source, flags: document.isFavourite ? 1 : 0, route: route)
    }

    private func channel(_ document: ChannelDocument, slot: Int) -> ChannelSpec {
        if document.name == "public", document.secret == nil {
            return ChannelSpec(index: slot, name: "Public", key: ChannelSecret.publicChannel.key16)
        }
        return ChannelSpec(index: slot, name: document.name, key: document.secret.map { Array($0.prefix(16)) })
    }

    /// Where each channel of a node goes: its own choice, else slot 0 for the public one, which every companion has there
    /// from the start, else the next slot that nobody chose.
    func slots(of node: NodeDocument) -> [Int] {
        var taken = Set(node.channels.compactMap(\.index)).union([0])
        return node.channels.map { channel in
            if let index = channel.index { return index }
            if channel.name == "public", channel.secret == nil { return 0 }
            var slot = 1
            while taken.contains(slot) { slot += 1 }
            taken.insert(slot)
            return slot
        }
    }

    private func queued(_ message: QueuedMessageDocument, of node: NodeDocument) -> [QueuedMessageSpec] {
        let age = Int64(document.epoch ?? WorldDocument.defaultEpoch) - message.age.components.seconds
        return (0..<message.count).compactMap { number in
            let text = message.count == 1 ? message.text : "\(message.text) \(number + 1)"
            let timestamp = UInt32(clamping: age + Int64(number))
            guard let channel = message.channel else {
                return .direct(from: message.from ?? "", text: text, timestamp: timestamp)
            }
            guard let index = slot(of: channel, in: node) else {
                NameAtSpot(channel, message.spot).check(
                    among: node.channels.map(\.name), what: "channel", problems)
                return nil
            }
            return .channel(index: index, sender: message.from ?? "", text: text, timestamp: timestamp)
        }
    }

    private func slot(of name: String, in node: NodeDocument) -> Int? {
        zip(node.channels, slots(of: node)).first { $0.0.name == name }?.1
    }
}

/// Reads the `settings` of a node.
struct NodeSettingsReader {
    private let entries: [YAMLEntry]
    private let problems: ProblemList

    init(_ entries: [YAMLEntry], _ problems: ProblemList) {
        self.entries = entries
        self.problems = problems
    }

    static let fields = [
        FieldDescriptor("multi-acks", .integer(0...1), "send acknowledgements twice"),
        FieldDescriptor("path-hash-mode", .integer(0...2), "bytes of a path entry, less one"),
        FieldDescriptor("manual-add", .bool, "adverts do not become contacts by themselves"),
        FieldDescriptor("auto-add-max-hops", .integer(0...64), "adverts from farther away do not become contacts"),
        FieldDescriptor("flood-max", .integer(0...64), "a repeater passes on floods with fewer hops"),
        FieldDescriptor("forwarding", .bool, "whether a repeater forwards"),
        FieldDescriptor("admin-password", .text, "of a server's admins; password when missing"),
        FieldDescriptor(
            "guest-password", .text, "of a server's guests; hello for a room and none for others when missing"),
        FieldDescriptor("local-advert-minutes", .integer(0...240), "time between a repeater's adverts; 0 for none"),
    ]

    static let shape = ShapeDescriptor("settings of a node", fields)

    func apply(to settings: inout NodeSettings) {
        for entry in entries {
            guard let field = Self.fields.first(where: { $0.name == entry.key }) else {
                MappingReader.reportUnknown(
                    entry.key, what: "setting", at: entry.keySpot, among: Self.fields.map(\.name), problems)
                continue
            }
            let reader = ValueReader(field.type, entry.key, problems)
            if case .bool = field.type {
                guard let flag = reader.bool(entry.value) else { continue }
                switch entry.key {
                case "manual-add": settings.manualAddContacts = flag ? 1 : 0
                default: settings.forwarding.isEnabled = flag
                }
                continue
            }
            if case .text = field.type {
                let text = reader.text(entry.value)
                if entry.key == "admin-password" {
                    settings.adminPassword = text
                } else {
                    settings.guestPassword = text
                }
                continue
            }
            guard let number = reader.integer(entry.value) else { continue }
            switch entry.key {
            case "multi-acks": settings.multiAcks = UInt8(number)
            case "path-hash-mode": settings.pathHashMode = UInt8(number)
            case "auto-add-max-hops": settings.autoAddMaxHops = UInt8(number)
            case "flood-max": settings.forwarding.floodMax = number
            default: settings.forwarding.localAdvertMinutes = number
            }
        }
    }
}

extension ReadingsDocument {
    /// What a simulated sensor's GPS tells.
    var fix: GPSFix? {
        place.map {
            GPSFix(latitude: $0.latitudeE6, longitude: $0.longitudeE6, altitude: Int32(clamping: altitude))
        }
    }

    /// What a simulated sensor measures.
    var sensorReadings: [SensorReading] {
        let values: [(SensorReading.Quantity, Int?)] = [
            (.temperature, temperature), (.humidity, humidity), (.pressure, pressure),
        ]
        return values.compactMap { quantity, value in
            value.map { SensorReading(quantity, milli: Int32(clamping: $0)) }
        }
    }
}

extension WorldDocument {
    /// What a simulated world could not be made of, at the node it is about.
    func explaining(_ error: WorldError) -> ScenarioErrors {
        let node = error.node.flatMap(node(named:))
        return ScenarioErrors([ScenarioError(node?.spot ?? spot, error.description)])
    }
}
