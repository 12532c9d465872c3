internal import CompanionProtocol
internal import MeshTransport
internal import RigBase
internal import ScenarioModel

/// What can happen to whole frames at the host link.
extension FaultCatalog {
    static let framesKinds: [FaultKind] = [
        drop, duplicate, delay, hold, mute, reorder, replace, wrongLength,
    ]

    static let drop = FaultKind(
        seam: .frames, keyword: "drop", summary: "the frame never arrives", type: .bool,
        example: "- { name: reply lost, on: frames, direction: from-radio, when: { frame: sent, nth: 1 }, drop: true }"
    ) { input in input.flag(.host(.drop)) }

    static let duplicate = FaultKind(
        seam: .frames, keyword: "duplicate", summary: "the frame arrives so many times more", type: .integer(1...100),
        example: "- { on: frames, direction: from-radio, when: { frame: message-waiting }, duplicate: 2 }"
    ) { input in input.value { $0.integer($1) }.map { .host(.duplicate(copies: $0)) } }

    static let delay = FaultKind(
        seam: .frames, keyword: "delay", summary: "the frame arrives so much later, overtaken by what comes meanwhile",
        type: .duration,
        example: "- { on: frames, direction: from-radio, when: { frame: send-confirmed, nth: 1 }, delay: 8s }"
    ) { input in input.value { $0.duration($1) }.map { .host(.delay($0, overtaken: true)) } }

    static let hold = FaultKind(
        seam: .frames, keyword: "hold", summary: "the frame waits, and arrives in one read with the frame it waits for",
        type: .shape(
            ShapeDescriptor(
                "a frame held back",
                [FieldDescriptor("until", .text, "the frame it waits for; whatever comes next when missing")])),
        example: "- { on: frames, direction: from-radio, when: { frame: sent }, hold: { until: send-confirmed } }"
    ) { input in
        let reader = input.mapping
        guard let name = reader.text("until") else { return .host(.hold(until: nil)) }
        let place = NameAtSpot(name, reader.spot(of: "until"))
        return FaultInput.code(of: place, input.direction, input.problems).map { .host(.hold(until: $0)) }
    }

    static let mute = FaultKind(
        seam: .frames, keyword: "mute",
        summary: "the frame and those after it are swallowed, for a time or a number of frames",
        type: .shape(
            ShapeDescriptor(
                "a silence", shorthand: "for",
                [
                    FieldDescriptor("for", .duration, "how long"),
                    FieldDescriptor("frames", .integer(1...100_000), "how many frames"),
                    FieldDescriptor("replies-only", .bool, "pushes still arrive", default: "false"),
                ])),
        example: "- { on: frames, direction: from-radio, when: { frame: contacts-start }, mute: 3s }"
    ) { input in
        let reader = input.mapping
        return .host(
            .mute(
                for: reader.duration("for"), frames: reader.integer("frames"),
                repliesOnly: reader.bool("replies-only") ?? false))
    }

    static let reorder = FaultKind(
        seam: .frames, keyword: "reorder", summary: "the frame arrives behind others that come after it",
        type: .shape(
            ShapeDescriptor(
                "a frame overtaken", shorthand: "frames",
                [
                    FieldDescriptor("frames", .integer(1...1000), "behind so many frames"),
                    FieldDescriptor("behind", .text, "behind the next frame of this name"),
                ])),
        example:
            "- { on: frames, direction: from-radio, when: { frame: sent, nth: 1 }, reorder: { behind: send-confirmed } }"
    ) { input in
        let reader = input.mapping
        switch (reader.integer("frames"), reader.text("behind")) {
        case (let count?, nil): return .host(.reorder(behind: .frames(count)))
        case (nil, let name?):
            let place = NameAtSpot(name, reader.spot(of: "behind"))
            return FaultInput.code(of: place, input.direction, input.problems).map {
                .host(.reorder(behind: .code($0)))
            }
        default:
            input.problems.add(reader.spot, "reorder needs either \"frames\" or \"behind\"")
            return nil
        }
    }

    static let replace = FaultKind(
        seam: .frames, keyword: "replace", summary: "another frame arrives instead: a wrong answer",
        type: .shape(
            ShapeDescriptor(
                "a wrong frame",
                [
                    FieldDescriptor("hex", .bytes(1...300), "its bytes, from the code on"),
                    FieldDescriptor("error", .integer(0...255), "instead: the reply ERR with this code"),
                ])),
        example: "- { on: frames, direction: from-radio, when: { frame: sent, nth: 1 }, replace: { error: 3 } }"
    ) { input in
        let reader = input.mapping
        switch (reader.bytes("hex"), reader.integer("error")) {
        case (let bytes?, nil): return .host(.replace(bytes))
        case (nil, let code?): return .host(.replace([RadioCode.error.rawValue, UInt8(code)]))
        default:
            input.problems.add(reader.spot, "replace needs either \"hex\" or \"error\"")
            return nil
        }
    }

    static let wrongLength = FaultKind(
        seam: .frames, keyword: "wrong-length",
        summary: "the frame's envelope says a length that is so many bytes more, or less", type: .integer(-300...300),
        example: "- { on: frames, direction: from-radio, when: { frame: contact, nth: 2 }, wrong-length: 5 }"
    ) { input in input.value { $0.integer($1) }.map { .host(.misstateLength(by: $0)) } }
}
