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

    func run(_ scene: StepScene) async throws -> StepValue {
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
    private let once: Bool

    static let kind = StepKind(
        keyword: "send", summary: "send a direct or channel message; done when the radio has taken it or refused it",
        type: .shape(
            ShapeDescriptor(
                "a message to send",
                [
                    FieldDescriptor("to", .text, "the contact, by name"),
                    FieldDescriptor("channel", .text, "the channel, by name or slot"),
                    FieldDescriptor("text", .text, "what to send", required: true),
                    FieldDescriptor("once", .bool, "a single attempt, whatever becomes of it", default: "false"),
                ])),
        example: "send: { to: bob, text: \"hello\" }", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let text = reader.text("text") else { return nil }
        switch (reader.text("to"), reader.text("channel")) {
        case (let contact?, nil):
            return Self(target: .contact(contact), text: text, once: reader.bool("once") ?? false)
        case (nil, let channel?):
            if reader.bool("once") == true {
                input.problems.add(reader.spot(of: "once"), "a channel message is sent once in any case")
            }
            return Self(target: .channel(channel), text: text, once: false)
        default:
            input.problems.add(reader.spot, "send needs either \"to\" or \"channel\"")
            return nil
        }
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let testbed = scene.testbed
        guard let messages = await testbed.client.container?.messages else { throw SessionError.notConnected }
        let changes = messages.statusEvents()
        let id: MessageID
        switch target {
        case .contact(let name):
            let contacts = await testbed.storedContacts()
            guard let contact = contacts.first(where: { $0.name == name || $0.key == testbed.publicKey(of: name) })
            else { throw StepFailure("unknown-contact", "the client has no contact \"\(name)\"") }
            id =
                once
                ? try await messages.sendOnce(text: text, to: .key(contact.key))
                : try await messages.sendDirect(text: text, to: .key(contact.key))
        case .channel(let name):
            id = try await messages.sendChannel(text: text, index: try await scene.channel(name).index)
        }
        scene.record.setMessage(id)
        if once { return "" }
        for await case .status(id, let status, _) in changes where status != .pending { break }
        return ""
    }
}

/// `resend: lost`: the client sends a message again on its user's wish; done when the radio has taken it, or refused.
struct ResendStep: Step {
    let message: String

    static let kind = StepKind(
        keyword: "resend",
        summary: "send a message again, named after its step; done when the radio has taken it or refused it",
        type: .text, example: "resend: lost", effect: .transmits
    ) { input in input.name(.step).map { Self(message: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        guard let messages = await scene.testbed.client.container?.messages else { throw SessionError.notConnected }
        guard let id = scene.named(message)?.message else {
            throw StepFailure("bad-state", "step \(message) made no message")
        }
        let changes = messages.statusEvents()
        scene.record.setMessage(id)
        try await messages.resend(id)
        for await case .status(id, let status, _) in changes where status != .pending { break }
        return ""
    }
}

extension StepScene {
    /// A channel the client has stored, by name or slot.
    func channel(_ name: String) async throws -> StoredChannel {
        let stored = ChannelNames.stored(name)
        guard
            let channel = await testbed.storedChannels().first(where: { $0.name == stored || "\($0.index)" == name })
        else { throw StepFailure("unknown-channel", "the client has no channel \"\(name)\"") }
        return channel
    }
}
