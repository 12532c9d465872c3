internal import ClientServices
internal import RigBase
internal import RunRecord
internal import ScenarioModel

/// `state: ready`: the state of the client's connection.
struct StateExpectation: Expectation {
    let state: String

    static let kind = ExpectationKind(
        keyword: "state", summary: "the state of the client's connection",
        type: .choice(ConnectionState.allCases.map(\.rawValue))
    ) { input in input.value.text(input.argument).map { Self(state: $0) } }

    var expected: String { "connection \(state)" }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool { event.kind == .connection }

    func judge(_ scene: Scene) async -> Judgement {
        let present = await scene.testbed.client.state.rawValue
        return Judgement(present == state, present)
    }
}

/// `status: delivered`, or `status: [pending, sent, failed]`: what becomes of a message that was sent.
///
/// A list is a course: the statuses are passed in this order, others may lie between, and the last one is where it stands.
struct StatusExpectation: Expectation {
    let course: [String]
    let messageName: String?
    private var seen: [(message: String, status: String, event: EventID)] = []

    static let statuses = ["pending", "sending", "sent", "delivered", "failed", "retrying"]

    static let kind = ExpectationKind(
        keyword: "status", summary: "the status of the step's message, or the course of statuses it takes",
        type: .list(.choice(statuses))
    ) { input in
        let reader = ValueReader(.choice(statuses), "status", input.problems)
        let course = input.argument.oneOrMany.compactMap { reader.text($0) }
        guard course.count == input.argument.oneOrMany.count, !course.isEmpty else { return nil }
        return Self(course: course, messageName: input.messageName)
    }

    init(course: [String], messageName: String?) {
        self.course = course
        self.messageName = messageName
    }

    var expected: String {
        let which = messageName.map { "message \($0)" } ?? "message"
        return course.count == 1 ? "\(which) \(course[0])" : "\(which) goes " + course.joined(separator: " → ")
    }
    /// A message of an earlier step may have come where it stands long before.
    var looksBack: Bool { messageName != nil }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool {
        // The event that says when the message got its id matters as much as those about its status.
        if event.kind == .stepEnded { return true }
        guard event.kind == .messageStatus, case .text(let id)? = event["id"], case .text(let status)? = event["status"]
        else { return false }
        seen.append((id, status, event.id))
        return true
    }

    func judge(_ scene: Scene) async -> Judgement {
        let record = messageName.map(scene.named) ?? scene.step
        guard let id = record?.message?.description else {
            let why = record?.result.map { $0.summary } ?? "the step has not run"
            return Judgement(false, "no message was made (\(why))")
        }
        var passed: [(status: String, event: EventID)] = []
        for entry in seen where entry.message == id && entry.status != passed.last?.status {
            passed.append((entry.status, entry.event))
        }
        var rest = course[...]
        for entry in passed where entry.status == rest.first { rest = rest.dropFirst() }
        let holds = rest.isEmpty && passed.last?.status == course.last
        let words = passed.map(\.status).joined(separator: " → ")
        return Judgement(holds, words.isEmpty ? "no status yet" : words, evidence: passed.last?.event)
    }
}

/// `result: ok`: the verb of the step succeeded; `result: { battery: 4100 }`: and gave this.
struct ResultExpectation: Expectation {
    private let text: String?
    private let conditions: [FieldCondition]

    static let kind = ExpectationKind(
        keyword: "result",
        summary: "the verb succeeded (`ok`), or gave these values: `{ battery: { at-least: 3000 } }`",
        type: .anything("ok, or a mapping of values and conditions")
    ) { input in
        if let entries = input.argument.mapping {
            return Self(text: nil, conditions: input.conditions(entries))
        }
        return input.value.text(input.argument).map { Self(text: $0, conditions: []) }
    }

    var endsWithVerb: Bool { true }
    var expected: String { "result " + (text ?? conditions.map(\.expected).joined(separator: ", ")) }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool { event.kind == .stepEnded }

    func judge(_ scene: Scene) async -> Judgement {
        guard let result = scene.step?.result else { return Judgement(false, "the step is not done") }
        guard case .done(let value) = result else { return Judgement(false, result.summary) }
        if let text { return Judgement(text == "ok" || value.text == text, result.summary) }
        return Judgement(scene.hold(conditions, value.fields), result.summary)
    }
}

/// `error: timeout`: the verb of the step failed in this way.
struct ErrorExpectation: Expectation {
    let name: String

    static let kind = ExpectationKind(
        keyword: "error", summary: "the verb failed with this error (`timeout`, `not-found`, `table-full` …)",
        type: .choice(ErrorNames.all)
    ) { input in input.value.text(input.argument).map { Self(name: $0) } }

    var endsWithVerb: Bool { true }
    var expected: String { "error \(name)" }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool { event.kind == .stepEnded }

    func judge(_ scene: Scene) async -> Judgement {
        guard let result = scene.step?.result else { return Judgement(false, "the step is not done") }
        if case .failed(let name, _) = result { return Judgement(self.name == name, result.summary) }
        return Judgement(false, result.summary)
    }
}

/// `fault: cable out`: a fault of that name has acted.
struct FaultExpectation: Expectation {
    let name: String
    private var acted: EventID?

    static let kind = ExpectationKind(
        keyword: "fault", summary: "a fault of that name has acted", type: .text
    ) { input in input.name(.fault).map { Self(name: $0) } }

    init(name: String) { self.name = name }

    var expected: String { "fault \"\(name)\" acts" }
    var isExact: Bool { false }

    mutating func observe(_ event: RunEvent) -> Bool {
        guard event.kind == .fault, event["rule"] == .text(name) else { return false }
        acted = acted ?? event.id
        return true
    }

    func judge(_ scene: Scene) async -> Judgement {
        Judgement(acted != nil, acted == nil ? "it never acted" : "it acted", evidence: acted)
    }
}
