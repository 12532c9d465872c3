internal import ClientServices
internal import ClientStore
internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import RigRuntime
internal import ScenarioModel

/// `sync: full`: the client syncs contacts, channels and messages; done when the sync has ended.
struct SyncStep: Step {
    let isFull: Bool

    static let kind = StepKind(
        keyword: "sync", summary: "sync contacts, channels and messages; done when the sync has ended",
        type: .choice(["full", "incremental"]), example: "sync: full"
    ) { input in input.value { $0.text($1) }.map { Self(isFull: $0 == "full") } }

    func run(_ scene: StepScene) async throws -> String {
        try await scene.testbed.client.sync(full: isFull)
        return ""
    }
}

/// `send: { to: bob, text: hello }`: the client sends a message; done when the radio has taken it, or refused.
struct SendStep: Step {
    private enum Target: Sendable {
        case contact(String)
        case channel(String)
    }

    private let target: Target
    private let text: String

    static let kind = StepKind(
        keyword: "send", summary: "send a direct or channel message; done when the radio has taken it or refused it",
        type: .shape(
            ShapeDescriptor(
                "a message to send",
                [
                    FieldDescriptor("to", .text, "the contact, by name"),
                    FieldDescriptor("channel", .text, "the channel, by name or slot"),
                    FieldDescriptor("text", .text, "what to send", required: true),
                ])),
        example: "send: { to: bob, text: \"hello\" }", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let text = reader.text("text") else { return nil }
        switch (reader.text("to"), reader.text("channel")) {
        case (let contact?, nil): return Self(target: .contact(contact), text: text)
        case (nil, let channel?): return Self(target: .channel(channel), text: text)
        default:
            input.problems.add(reader.spot, "send needs either \"to\" or \"channel\"")
            return nil
        }
    }

    func run(_ scene: StepScene) async throws -> String {
        let testbed = scene.testbed
        guard let messages = await testbed.client.container?.messages else { throw SessionError.notConnected }
        let changes = messages.statusEvents()
        let id: MessageID
        switch target {
        case .contact(let name):
            let contacts = await testbed.storedContacts()
            guard let contact = contacts.first(where: { $0.name == name || $0.key == testbed.publicKey(of: name) })
            else { throw StepFailure("unknown-contact", "the client has no contact \"\(name)\"") }
            id = try await messages.sendDirect(text: text, to: .key(contact.key))
        case .channel(let name):
            let channels = await testbed.storedChannels()
            let stored = ChannelNames.stored(name)
            guard let channel = channels.first(where: { $0.name == stored || "\($0.index)" == name })
            else { throw StepFailure("unknown-channel", "the client has no channel \"\(name)\"") }
            id = try await messages.sendChannel(text: text, index: channel.index)
        }
        scene.record.setMessage(id)
        for await case .status(id, let status, _) in changes where status != .pending { break }
        return ""
    }
}

/// `get: battery`: the client asks its radio for something; done when the answer is there.
struct GetStep: Step {
    let what: String

    static let things = ["battery", "device-time", "device-info", "self-info", "tuning"]

    static let kind = StepKind(
        keyword: "get", summary: "ask the radio for something; done when the answer is there",
        type: .choice(things), example: "get: battery"
    ) { input in input.value { $0.text($1) }.map { Self(what: $0) } }

    func run(_ scene: StepScene) async throws -> String {
        guard let session = await scene.testbed.client.container?.session else { throw SessionError.notConnected }
        switch what {
        case "battery":
            let reply = try await session.getBattery()
            return "\(reply.millivolts) mV"
        case "device-time": return "\(try await session.getDeviceTime())"
        case "device-info": return "protocol \(try await session.queryDevice().protocolVersion)"
        case "self-info": return try await session.startApp().name.string
        case "tuning": return "\(try await session.getTuning())"
        default: throw StepFailure("unsupported", "cannot get \(what)")
        }
    }
}

/// `set: { name: Alice }`: the client changes a setting of its radio; done when the radio has confirmed.
struct SetStep: Step {
    private let name: String?
    private let deviceTime: Int?
    private let position: PositionDocument?

    static let kind = StepKind(
        keyword: "set", summary: "change settings of the radio, one after the other; done when each is confirmed",
        type: .shape(
            ShapeDescriptor(
                "settings",
                [
                    FieldDescriptor("name", .text, "the node's name"),
                    FieldDescriptor("device-time", .integer(0...4_294_967_295), "the radio's clock in Unix seconds"),
                    FieldDescriptor("position", .position, "the position it advertises"),
                ])),
        example: "set: { name: \"Alice\" }", effect: .changesRadio
    ) { input in
        let reader = input.mapping
        return Self(
            name: reader.text("name"), deviceTime: reader.integer("device-time"),
            position: reader.position("position"))
    }

    func run(_ scene: StepScene) async throws -> String {
        guard let session = await scene.testbed.client.container?.session else { throw SessionError.notConnected }
        if let name { try await session.setName(name) }
        if let deviceTime { try await session.setDeviceTime(UInt32(deviceTime)) }
        if let position {
            try await session.setPosition(
                GeoPosition(latitude: position.latitudeE6, longitude: position.longitudeE6))
        }
        return ""
    }
}

/// `remove-contact: bob`: the client removes a contact from its radio; done when the radio has answered.
struct RemoveContactStep: Step {
    let name: String

    static let kind = StepKind(
        keyword: "remove-contact", summary: "remove a contact from the radio; done when the radio has answered",
        type: .text, example: "remove-contact: bob", effect: .changesRadio
    ) { input in input.value { $0.text($1) }.map { Self(name: $0) } }

    func run(_ scene: StepScene) async throws -> String {
        guard let session = await scene.testbed.client.container?.session else { throw SessionError.notConnected }
        let stored = await scene.testbed.storedContacts().first { $0.name == name }?.key
        // A name that stands for nobody is a key that the radio does not know.
        let key = stored ?? scene.testbed.publicKey(of: name) ?? StrangerKeys.key(of: name)
        try await session.removeContact(key: key)
        return ""
    }
}
