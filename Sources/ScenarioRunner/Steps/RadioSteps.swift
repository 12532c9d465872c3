internal import ClientStore
internal import ClientServices
internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import ScenarioModel

/// What the client tells its radio to do, without more to say.
struct RadioStep: Step {
    typealias Action = @Sendable (MeshCoreSession) async throws -> Void

    let action: Action

    private static func kind(
        _ keyword: String, _ summary: String, _ effect: StepEffect, _ action: @escaping Action
    ) -> StepKind {
        StepKind(keyword: keyword, summary: summary, type: nil, example: keyword, effect: effect) { _ in
            Self(action: action)
        }
    }

    static let restart = kind(
        "restart-radio", "let the client restart its radio; done when the command is written", .changesRadio
    ) { try await $0.reboot() }
    static let factoryReset = kind(
        "factory-reset", "let the client erase its radio; done when the command is written", .changesRadio
    ) { try await $0.factoryReset() }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await action(try await scene.session())
        return ""
    }
}

/// `send-advert: flood`: the client lets its radio advertise itself.
struct SendAdvertStep: Step {
    let floods: Bool

    static let kind = StepKind(
        keyword: "send-advert", summary: "let the client's radio advertise itself; done when the radio has taken it",
        type: .choice(["near", "flood"]), example: "send-advert: flood", effect: .transmits
    ) { input in
        guard input.argument != nil else { return Self(floods: false) }
        return input.value { $0.text($1) }.map { Self(floods: $0 == "flood") }
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await scene.session().sendAdvert(flood: floods)
        return ""
    }
}

/// `send-data: { along: [hill], data: 0102 }`, and other payloads that are no text.
struct SendDataStep: Step {
    private enum Target: Sendable {
        case path([String])
        case channel(String, UInt16)
        case neighbours
        case air
    }

    private let target: Target
    private let data: [UInt8]

    static let kind = StepKind(
        keyword: "send-data",
        summary: "let the client's radio send bytes that are no text; done when the radio has taken them",
        type: .shape(
            ShapeDescriptor(
                "bytes to send",
                [
                    FieldDescriptor(
                        "as", .choice(["raw", "channel", "control", "packet"]),
                        "raw custom data along nodes, a datagram on a channel, a control payload to neighbours, or a whole packet",
                        required: true),
                    FieldDescriptor("data", .bytes(0...255), "the bytes", required: true),
                    FieldDescriptor(
                        "along", .list(.text), "for raw: the nodes that forward, then the one that gets it"),
                    FieldDescriptor("channel", .text, "for channel: by name or slot"),
                    FieldDescriptor("type", .integer(0...65_535), "for channel: the kind of datagram", default: "1"),
                ])),
        example: "send-data: { as: raw, along: [hill, bob], data: 0102 }", effect: .transmits
    ) { input in
        let reader = input.mapping
        guard let form = reader.text("as"), let data = reader.bytes("data") else { return nil }
        let along = reader.names("along").map(\.name)
        switch (form, reader.text("channel")) {
        case ("raw", nil): return Self(target: .path(along), data: data)
        case ("channel", let channel?):
            return Self(target: .channel(channel, UInt16(clamping: reader.integer("type") ?? 1)), data: data)
        case ("channel", nil): input.problems.add(reader.spot, "a datagram needs \"channel\"")
        case ("control", nil): return Self(target: .neighbours, data: data)
        case ("packet", nil): return Self(target: .air, data: data)
        default: input.problems.add(reader.spot(of: "channel"), "\"channel\" is for `as: channel`")
        }
        return nil
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let session = try await scene.session()
        switch target {
        case .path(let nodes): try await session.sendRawData(data, path: await scene.hashes(of: nodes, size: 1))
        case .channel(let name, let type):
            let index = try await scene.channel(name).index
            try await session.sendChannelData(SendChannelDataCommand(channel: index, dataType: type, data: data))
        case .neighbours: try await session.sendControlData(data)
        case .air: try await session.sendRawPacket(data, priority: 0)
        }
        return ""
    }
}
