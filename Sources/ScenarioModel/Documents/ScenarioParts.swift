/// How fast the host link between client and radio is.
package struct LinkPacingDocument: Sendable, Hashable {
    package static let presets = ["usb-uart-115200", "usb-cdc", "ble-esp32", "ble-nrf52", "tcp", "unpaced"]

    package var pacing: NameAtSpot
    /// Instead of what the preset says.
    package var bytesPerSecond: Int?
    package var chunk: Int?

    package static let shape = ShapeDescriptor(
        "a host link", shorthand: "pacing",
        [
            FieldDescriptor("pacing", .choice(presets), "which kind of link it is", default: "unpaced"),
            FieldDescriptor("bytes-per-second", .integer(1...100_000_000), "speed, instead of the preset's"),
            FieldDescriptor("chunk", .integer(1...65_536), "bytes delivered at once, instead of the preset's"),
        ])

    static func read(_ reader: MappingReader) -> LinkPacingDocument? {
        guard let pacing = reader.text("pacing") else { return nil }
        return LinkPacingDocument(
            pacing: NameAtSpot(pacing, reader.spot(of: "pacing")), bytesPerSecond: reader.integer("bytes-per-second"),
            chunk: reader.integer("chunk"))
    }
}

/// The client under test.
package struct ClientDocument: Sendable, Hashable {
    /// The node whose app it is.
    package var role: NameAtSpot
    package var settings: ClientSettingsDocument
    /// What its store holds to begin with.
    package var stored: StoredStateDocument?

    package static let shape = ShapeDescriptor(
        "a client", shorthand: "role",
        [
            FieldDescriptor("role", .text, "the node whose app is under test", required: true),
            FieldDescriptor("settings", .shape(ClientSettingsDocument.shape), "habits of its services"),
            FieldDescriptor(
                "stored", .shape(StoredStateDocument.shape), "what it knows of the radio from an earlier connection"),
        ])

    static func read(_ reader: MappingReader, among names: [String]) -> ClientDocument? {
        guard let role = reader.text("role") else { return nil }
        let place = NameAtSpot(role, reader.spot(of: "role"))
        place.check(among: names, what: "node", reader.problems)
        return ClientDocument(
            role: place,
            settings: reader.nested("settings").map(ClientSettingsDocument.read) ?? ClientSettingsDocument(),
            stored: reader.nested("stored").map { StoredStateDocument.read($0, of: role, among: names) })
    }
}

/// Habits of the client's services; what the file does not say stays as the client has it.
package struct ClientSettingsDocument: Sendable, Hashable {
    package var fetchesAutomatically: Bool?
    package var isInBackground: Bool?
    /// Fixed wait for a confirmation, instead of what the radio suggests.
    package var confirmationLimit: Duration?
    package var giveUpAfter: Duration?
    package var heartbeat: Duration?

    package init() {}

    package static let shape = ShapeDescriptor(
        "settings of the client",
        [
            FieldDescriptor("auto-fetch", .bool, "whether it fetches messages when the radio tells that some wait"),
            FieldDescriptor("background", .bool, "whether it syncs as an app in the background does, without channels"),
            FieldDescriptor(
                "confirmation-limit", .duration, "fixed wait for a confirmation, instead of 1.2 × suggested"),
            FieldDescriptor("give-up-after", .duration, "when a message without confirmation has failed"),
            FieldDescriptor("heartbeat", .duration, "how often it asks whether the radio still answers"),
        ])

    static func read(_ reader: MappingReader) -> ClientSettingsDocument {
        var settings = ClientSettingsDocument()
        settings.fetchesAutomatically = reader.bool("auto-fetch")
        settings.isInBackground = reader.bool("background")
        settings.confirmationLimit = reader.duration("confirmation-limit")
        settings.giveUpAfter = reader.duration("give-up-after")
        settings.heartbeat = reader.duration("heartbeat")
        return settings
    }
}

/// A defect switch of the client that makes this scenario fail, and by which of its expectations.
package struct DefectDocument: Sendable, Hashable {
    package var name: NameAtSpot
    /// Name of the expectation that must fail; any when nil.
    package var catches: String?

    package static let shape = ShapeDescriptor(
        "a defect", shorthand: "switch",
        [
            FieldDescriptor("switch", .text, "which defect it is", required: true),
            FieldDescriptor("catches", .text, "the expectation that must fail; any of them when missing"),
        ])

    static func read(_ reader: MappingReader) -> DefectDocument? {
        guard let name = reader.text("switch") else { return nil }
        return DefectDocument(name: NameAtSpot(name, reader.spot(of: "switch")), catches: reader.text("catches"))
    }
}

/// The quiet end of a run: faults are off, and the world must come to rest.
package struct SettleDocument: Sendable, Hashable {
    package var within: WindowDocument
    package var expect: [YAMLNode]
    package var spot: SourceSpot

    package static let shape = ShapeDescriptor(
        "a settling phase", shorthand: "within",
        [
            FieldDescriptor("within", .window, "how soon", required: true),
            FieldDescriptor("expect", .list(.anything("an expectation")), "what must hold then"),
        ])

    static func read(_ reader: MappingReader) -> SettleDocument? {
        guard let within = reader.window("within") else { return nil }
        return SettleDocument(within: within, expect: reader.elements("expect"), spot: reader.spot)
    }
}

/// What a run may cost; exceeding it fails the run.
package struct BudgetDocument: Sendable, Hashable {
    package var virtualTime: Duration?
    package var events: Int?
    /// Sum of all transmissions of all nodes.
    package var airTime: Duration?

    package init() {}

    package static let shape = ShapeDescriptor(
        "a budget",
        [
            FieldDescriptor("virtual-time", .duration, "from the beginning to the end of the run"),
            FieldDescriptor("events", .integer(1...100_000_000), "events in the journal"),
            FieldDescriptor("air-time", .duration, "sum of all transmissions"),
        ])

    static func read(_ reader: MappingReader) -> BudgetDocument {
        var budget = BudgetDocument()
        budget.virtualTime = reader.duration("virtual-time")
        budget.events = reader.integer("events")
        budget.airTime = reader.duration("air-time")
        return budget
    }
}
