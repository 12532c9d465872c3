internal import CompanionProtocol
internal import RigBase
internal import RunRecord
internal import ScenarioModel

/// `frames: { command: send-text, attempts: [0, 1] }`: frames that crossed the host link.
struct FramesExpectation: Expectation {
    private enum Subject: Sendable {
        case commands([CommandCode])
        case replies([RadioCode])
        /// Whatever goes that way.
        case any(LinkDirection)
        /// The names of the values its frames can have; nil when any frame is meant.
        var valueNames: [String]? {
            let frames: [(code: UInt8, direction: LinkDirection)]
            switch self {
            case .commands(let codes): frames = codes.map { ($0.rawValue, .toRadio) }
            case .replies(let codes): frames = codes.map { ($0.rawValue, .fromRadio) }
            case .any, .order: return nil
            }
            return frames.flatMap { frame in
                FrameDescription.layout(of: [frame.code], frame.direction)?.fields.map(\.name) ?? []
            }
        }

        /// Names of commands that must go out in this order, others may lie between.
        case order([String])
    }

    private let subject: Subject
    private let rule: CountRule
    private let attempts: [Int]?
    private let afterAttempt: Int?
    private let beforeAttempt: Int?
    private let bytes: [UInt8]?
    private let conditions: [FieldCondition]
    private var found: [(attempt: Int?, event: EventID)] = []
    private var names: [String] = []
    private var lastAttempt: Int?
    private var hasPassedUpperAttempt = false

    static let kind = ExpectationKind(
        keyword: "frames", summary: "frames that crossed the host link",
        type: .shape(
            ShapeDescriptor(
                "frames on the host link",
                [
                    FieldDescriptor(
                        "command", .list(.choice(FrameNames.commands.map(\.name))),
                        "frames of this command, or of these"),
                    FieldDescriptor(
                        "reply", .list(.choice(FrameNames.radioFrames.map(\.name))),
                        "frames of this reply or push, or of these"),
                    FieldDescriptor(
                        "any", .choice(["to-radio", "from-radio"]), "all frames that go this way, known or not"),
                    FieldDescriptor(
                        "order", .list(.choice(FrameNames.commands.map(\.name))),
                        "commands that go out in this order, others may lie between"),
                    FieldDescriptor("attempts", .list(.integer(0...255)), "the attempt numbers of exactly these texts"),
                    FieldDescriptor("after-attempt", .integer(0...255), "only after the text with this attempt"),
                    FieldDescriptor("before-attempt", .integer(0...255), "only before the text with this attempt"),
                    FieldDescriptor("bytes", .bytes(1...176), "frames that begin with these bytes"),
                    .conditions("frames whose fields, as `meshrig decode frame` names them, meet these conditions"),
                ] + CountRule.fields))
    ) { input in
        let reader = input.mapping
        let given = ["command", "reply", "any", "order"].filter(reader.has)
        guard given.count == 1 else {
            input.problems.add(reader.spot, "frames needs one of: command, reply, any, order")
            return nil
        }
        for key in given where reader.node(key)?.sequence?.isEmpty == true {
            input.problems.add(reader.spot(of: key), "\(key) names no frame")
        }
        let subject: Subject
        if reader.has("command") {
            subject = .commands(reader.names("command").compactMap { FrameNames.command(named: $0.name) })
        } else if reader.has("reply") {
            subject = .replies(reader.names("reply").compactMap { FrameNames.radioFrame(named: $0.name) })
        } else if let way = reader.text("any") {
            subject = .any(way == "to-radio" ? .toRadio : .fromRadio)
        } else if reader.has("order") {
            subject = .order(reader.names("order").map(\.name))
        } else {
            return nil
        }
        let attempts = reader.has("attempts") ? reader.elements("attempts") : nil
        let number = ValueReader(.integer(0...255), "attempts", input.problems)
        return Self(
            subject: subject, rule: CountRule(reader), attempts: attempts.map { $0.compactMap(number.integer) },
            afterAttempt: reader.integer("after-attempt"), beforeAttempt: reader.integer("before-attempt"),
            bytes: reader.bytes("bytes"), conditions: input.conditions(where: reader, among: subject.valueNames))
    }

    private init(
        subject: Subject, rule: CountRule, attempts: [Int]?, afterAttempt: Int?, beforeAttempt: Int?, bytes: [UInt8]?,
        conditions: [FieldCondition]
    ) {
        self.conditions = conditions
        self.subject = subject
        self.rule = rule
        self.attempts = attempts
        self.afterAttempt = afterAttempt
        self.beforeAttempt = beforeAttempt
        self.bytes = bytes
    }

    var isExact: Bool { rule.isExact || attempts != nil }

    var expected: String {
        if case .order(let order) = subject { return "commands in the order " + order.joined(separator: ", ") }
        var text = ""
        if let attempts {
            text = "\(subjectName) with attempts \(attempts)"
        } else {
            text = "\(rule.text) × \(subjectName)"
        }
        if let afterAttempt { text += " after attempt \(afterAttempt)" }
        if let beforeAttempt { text += " before attempt \(beforeAttempt)" }
        if !conditions.isEmpty { text += " with " + conditions.map(\.expected).joined(separator: ", ") }
        return text
    }

    private var subjectName: String {
        switch subject {
        case .commands(let codes): codes.map { FrameNames.name(of: $0) }.joined(separator: " or ")
        case .replies(let codes): codes.map { FrameNames.name(of: $0) }.joined(separator: " or ")
        case .any(let direction): direction == .toRadio ? "frame to the radio" : "frame from the radio"
        case .order: "commands"
        }
    }

    mutating func observe(_ event: RunEvent) -> Bool {
        guard case .bytes(let frame)? = event["frame"], let code = frame.first else { return false }
        let toRadio = event.kind == .frameToRadio
        guard toRadio || event.kind == .frameFromRadio else { return false }
        var attempt: Int?
        if toRadio, code == CommandCode.sendText.rawValue, frame.count > 2 {
            attempt = Int(frame[2])
            lastAttempt = attempt
            if let beforeAttempt, attempt == beforeAttempt { hasPassedUpperAttempt = true }
        }
        switch subject {
        case .order:
            if toRadio { names.append(FrameNames.name(of: CommandCode(rawValue: code))) }
            return toRadio
        case .commands(let wanted): guard toRadio, wanted.contains(where: { $0.rawValue == code }) else { return false }
        case .replies(let wanted): guard !toRadio, wanted.contains(where: { $0.rawValue == code }) else { return false }
        case .any(let direction): guard (direction == .toRadio) == toRadio else { return false }
        }
        if let bytes, !frame.starts(with: bytes) { return false }
        if !conditions.isEmpty {
            let values = FrameDescription.values(frame, toRadio ? .toRadio : .fromRadio)
            guard FieldCondition.hold(conditions, values.map { NamedValue($0.name, $0.value) }) else { return false }
        }
        if let afterAttempt, lastAttempt.map({ $0 < afterAttempt }) ?? true { return false }
        if beforeAttempt != nil, hasPassedUpperAttempt { return false }
        found.append((attempt, event.id))
        return true
    }

    func judge(_ scene: Scene) async -> Judgement {
        if case .order(let order) = subject {
            var rest = order[...]
            for name in names where name == rest.first { rest = rest.dropFirst() }
            return Judgement(rest.isEmpty, rest.isEmpty ? "as expected" : "\(rest[rest.startIndex]) did not follow")
        }
        let evidence = found.last?.event
        if let attempts {
            let seen = found.compactMap(\.attempt)
            return Judgement(seen == attempts, "attempts \(seen)", evidence: evidence)
        }
        return Judgement(rule.holds(found.count), "\(found.count) × \(subjectName)", evidence: evidence)
    }
}
