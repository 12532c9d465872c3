internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import ScenarioModel

/// `get: battery`: the client asks its radio for something; done when the answer is there.
struct GetStep: Step {
    private let query: RadioQuery
    private let subject: RadioQuery.Subject

    static let kind = StepKind(
        keyword: "get", summary: "ask the radio for something; done when the answer is there",
        type: .shape(
            ShapeDescriptor(
                "a question to the radio", shorthand: "what",
                [
                    FieldDescriptor("what", .choice(RadioQuery.all.map(\.name)), "what is asked", required: true),
                    FieldDescriptor("of", .text, "the contact or node it is about, where it is about one"),
                    FieldDescriptor("slot", .integer(0...254), "the channel slot, for `channel`"),
                ])),
        example: "get: battery"
    ) { input in
        let reader = input.mapping
        guard let name = reader.text("what"), let query = RadioQuery[name] else { return nil }
        let subject = RadioQuery.Subject(node: reader.text("of"), slot: reader.integer("slot"))
        switch query.need {
        case .nothing:
            for key in ["of", "slot"] where reader.has(key) {
                input.problems.add(reader.spot(of: key), "\(name) takes no \"\(key)\"")
            }
        case .node(let isOptional):
            if subject.node == nil, !isOptional {
                input.problems.add(
                    reader.spot, "\(name) needs \"of\"", hint: "as in: - get: { what: \(name), of: bob }")
            }
        case .slot:
            if subject.slot == nil {
                input.problems.add(
                    reader.spot, "\(name) needs \"slot\"", hint: "as in: - get: { what: \(name), slot: 1 }")
            }
        }
        return Self(query: query, subject: subject)
    }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await query.ask(scene, try await scene.session(), subject)
    }
}

/// `start-app`: the client introduces itself anew.
struct StartAppStep: Step {
    static let kind = StepKind(
        keyword: "start-app", summary: "let the client introduce itself anew; done when the radio has told who it is",
        type: nil, example: "start-app"
    ) { _ in Self() }

    func run(_ scene: StepScene) async throws -> StepValue {
        StepValue(try await scene.session().startApp())
    }
}

/// `send-frame: 1603`: any bytes as one frame to the radio.
struct SendFrameStep: Step {
    let bytes: [UInt8]

    static let kind = StepKind(
        keyword: "send-frame",
        summary: "write bytes as one frame to the radio, whatever they are; done at once, its answer is for `frames`",
        type: .bytes(1...300), example: "send-frame: 1603", effect: .changesRadio
    ) { input in input.value { $0.bytes($1) }.map { Self(bytes: $0) } }

    var safeSummary: String? { "send-frame: " + Hex.encode(Redaction.mask(bytes, .toRadio)) }

    func run(_ scene: StepScene) async throws -> StepValue {
        try await scene.session().sendFrame(bytes)
        return ""
    }
}

/// `sign: 0011`: the radio signs data with its key.
struct SignStep: Step {
    let data: [UInt8]

    static let kind = StepKind(
        keyword: "sign", summary: "let the radio sign data; done when the signature is there; gives `signature`",
        type: .bytes(0...8_192), example: "sign: 68656c6c6f"
    ) { input in input.value { $0.bytes($1) }.map { Self(data: $0) } }

    func run(_ scene: StepScene) async throws -> StepValue {
        StepValue(SignatureReply(signature: try await scene.session().sign(data)))
    }
}
