internal import RigRuntime
internal import ClientServices
internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import ScenarioModel

/// What a client does with one contact of its radio, named after the verb: `reset-path: bob`.
struct ContactStep: Step {
    typealias Action = @Sendable (StepScene, MeshCoreSession, [UInt8]) async throws -> Void

    let name: String
    let action: Action

    private static func kind(
        _ keyword: String, _ summary: String, _ effect: StepEffect, _ action: @escaping Action
    ) -> StepKind {
        StepKind(
            keyword: keyword, summary: summary + "; done when the radio has answered", type: .text,
            example: "\(keyword): bob", effect: effect
        ) { input in input.value { $0.text($1) }.map { Self(name: $0, action: action) } }
    }

    static let remove = kind("remove-contact", "remove a contact from the radio", .changesRadio) {
        try await $1.removeContact(key: $2)
    }
    static let resetPath = kind(
        "reset-path", "forget the way to a contact, so that the next message floods", .changesRadio
    ) { try await $1.resetPath(key: $2) }
    static let share = kind("share-contact", "send a contact's advert to direct neighbours", .transmits) {
        try await $1.shareContact(key: $2)
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await action(scene, try await scene.session(), await scene.key(of: name))
        return ""
    }
}

/// `save-contact: { node: bob, favourite: true }`: writes a contact into the radio.
struct SaveContactStep: Step {
    private let name: String
    private let isFavourite: Bool?
    private let path: [String]?
    private let hashSize: Int
    private let displayName: String?

    static let kind = StepKind(
        keyword: "save-contact",
        summary: "add a contact to the radio or change one; what is left out stays as it is; done when it is confirmed",
        type: .shape(
            ShapeDescriptor(
                "a contact to write", shorthand: "node",
                [
                    FieldDescriptor("node", .text, "the contact or node, by name", required: true),
                    FieldDescriptor("name", .text, "the name it gets"),
                    FieldDescriptor("favourite", .bool, "its favourite mark"),
                    FieldDescriptor("path", .list(.text), "flood, direct, or the nodes that forward, nearest first"),
                    FieldDescriptor("hash-size", .choice(["1", "2", "3"]), "bytes of each hash of it", default: "1"),
                ])),
        example: "save-contact: { node: bob, favourite: true }", effect: .changesRadio
    ) { input in
        let reader = input.mapping
        guard let name = reader.text("node") else { return nil }
        return Self(
            name: name, isFavourite: reader.bool("favourite"),
            path: reader.has("path") ? reader.names("path").map(\.name) : nil,
            hashSize: reader.text("hash-size").flatMap { Int($0) } ?? 1, displayName: reader.text("name"))
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        let session = try await scene.session()
        let key = await scene.key(of: name)
        var command: AddUpdateContactCommand
        if let known = try await session.getContact(key: key) {
            command = AddUpdateContactCommand(known)
        } else {
            command = AddUpdateContactCommand(
                key: key, type: .chat, name: WireText(name), lastAdvert: scene.testbed.runtime.wallSeconds())
        }
        if let displayName { command.name = WireText(displayName) }
        if let isFavourite {
            if isFavourite { command.flags.insert(.favourite) } else { command.flags.remove(.favourite) }
        }
        if let path {
            switch path {
            case ["flood"]: (command.pathLength, command.path) = (.none, [])
            case ["direct"]: (command.pathLength, command.path) = (.zeroHops, [])
            default:
                command.pathLength = PathLengthByte(hashSize: hashSize, hopCount: path.count)
                command.path = await scene.hashes(of: path, size: hashSize)
            }
        }
        try await session.writeContact(command)
        return ""
    }
}

/// `import-contact: { exported-by: card }`: gives the radio an advert as if it had been heard.
struct ImportContactStep: Step {
    private let step: String?
    private let packet: [UInt8]

    static let kind = StepKind(
        keyword: "import-contact",
        summary: "give the radio an advert as if it had been heard; done when it has answered",
        type: .shape(
            ShapeDescriptor(
                "an advert to import",
                [
                    FieldDescriptor("exported-by", .text, "the step (named with `as`) that got an exported-contact"),
                    FieldDescriptor("packet", .bytes(1...172), "the advert packet in hex"),
                ])),
        example: "import-contact: { exported-by: card }", effect: .changesRadio
    ) { input in
        let reader = input.mapping
        let step = input.references.name(.step, "exported-by", of: reader)
        let packet = reader.bytes("packet")
        if (step == nil) == (packet == nil) {
            input.problems.add(reader.spot, "import-contact needs either \"exported-by\" or \"packet\"")
        }
        return Self(step: step, packet: packet ?? [])
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        var packet = packet
        if let step {
            guard let exported = scene.named(step)?.value("packet").flatMap(Hex.decode) else {
                throw StepFailure("bad-state", "step \(step) gave no packet")
            }
            packet = exported
        }
        try await scene.session().importContact(packet: packet)
        return ""
    }
}
