internal import RigBase
package import RunRecord
package import ScenarioModel

/// What an expectation says about the run so far.
package struct Judgement: Sendable {
    package var holds: Bool
    /// What there is, in words, for the report of a failure.
    package var seen: String
    /// The event that speaks most clearly for it.
    package var evidence: EventID?

    package init(_ holds: Bool, _ seen: String, evidence: EventID? = nil) {
        self.holds = holds
        self.seen = seen
        self.evidence = evidence
    }
}

/// One thing that must be so; gathers events as they come and judges when asked.
package protocol Expectation: Sendable {
    /// What is expected, in words.
    var expected: String { get }

    /// Whether it can stop holding again (an exact count): such a one is judged only when its window closes.
    var isExact: Bool { get }

    /// Whether what happened before its step counts too.
    var looksBack: Bool { get }

    /// Whether it is about how the verb ended, and so is decided then.
    var endsWithVerb: Bool { get }

    /// Takes note of an event; true when the judgement may be another one now.
    mutating func observe(_ event: RunEvent) -> Bool

    /// Judges what is so at this moment.
    func judge(_ scene: Scene) async -> Judgement
}

extension Expectation {
    package var endsWithVerb: Bool { false }
    package var looksBack: Bool { false }
}

/// What an expectation may ask while it judges.
package struct Scene: Sendable {
    /// The step the expectation belongs to; nil for those of the whole run.
    package var step: StepRecord?
    /// Steps that were given a name with `as`, by that name.
    package var named: @Sendable (String) -> StepRecord?
    package var testbed: any Testbed
}

/// How one keyword of `expect` is read and what it means.
package struct ExpectationKind: Sendable {
    package var keyword: String
    /// One line for the reference.
    package var summary: String
    /// What its argument is.
    package var type: ValueType
    /// Whether it judges what only a simulated world shows.
    package var needsSimulator = false
    /// Nil when something is wrong, which then is in the problem list.
    package var decode: @Sendable (ExpectationInput) -> (any Expectation)?
}

/// The argument of an expectation keyword with the modifiers that stand beside it.
package struct ExpectationInput {
    package var argument: YAMLNode
    package var type: ValueType
    /// The step whose message is meant, when one is named with `message`.
    package var messageName: String?
    /// The phase outside of which nothing counts, when one is named with `during`.
    package var phase: String?
    package var problems: ProblemList
    /// Takes note of the names it uses for other parts of the file.
    package var references: References

    /// Reads the argument as a single value.
    var value: ValueReader { ValueReader(type, "the value", problems) }

    /// Reads the argument as the mapping its type describes.
    var mapping: MappingReader {
        guard case .shape(let shape) = type else { preconditionFailure("the argument is no mapping") }
        return MappingReader(argument, shape, problems)
    }

    /// The argument as the name of something else in the file.
    func name(_ kind: References.Kind) -> String? {
        guard let name = value.text(argument) else { return nil }
        references.add(kind, NameAtSpot(name, argument.spot))
        return name
    }

    /// The conditions of a table that may compare with what earlier steps gave; only on values among `names`, if given.
    func conditions(_ entries: [YAMLEntry], among names: [String]? = nil) -> [FieldCondition] {
        let conditions = FieldCondition.table(entries, FieldCondition.comparingShape, problems)
        if entries.isEmpty, argument.mapping?.isEmpty == true {
            problems.add(argument.spot, "no value is named here, so nothing is expected")
        }
        if let names { check(conditions, among: names) }
        for condition in conditions {
            for step in [condition.sameAs, condition.differsFrom].compactMap({ $0 }) {
                references.add(.step, NameAtSpot(step, condition.spot))
            }
        }
        return conditions
    }

    /// The conditions of `where`, on facts as they come; only on values among `names`, if given.
    func conditions(where reader: MappingReader, among names: [String]? = nil) -> [FieldCondition] {
        let conditions = FieldCondition.table(reader.table("where"), FieldCondition.shape, problems)
        if let names { check(conditions, among: names) }
        return conditions
    }

    private func check(_ conditions: [FieldCondition], among names: [String]) {
        for condition in conditions {
            NameAtSpot(condition.name, condition.spot).check(among: names, what: "value", problems)
            // A word that the value never is would make the condition one that nothing meets.
            guard let words = Self.words[condition.name], let word = condition.word, !words.contains(word) else {
                continue
            }
            NameAtSpot(word, condition.spot).check(among: words, what: condition.name, problems)
        }
    }

    /// Values that are one of a few words.
    private static let words: [String: [String]] = [
        "status": StatusExpectation.statuses, "type": ["none", "chat", "repeater", "room", "sensor"],
        "route": ["flood", "direct", "transport-flood", "transport-direct"], "favourite": flags, "blocked": flags,
        "muted": flags, "read": flags, "mention": flags,
    ]
    private static let flags = ["true", "false"]
}

extension FieldDescriptor {
    /// `where`, for expectations that look at facts with named values.
    static func conditions(_ doc: String) -> FieldDescriptor {
        FieldDescriptor("where", .table(.shape(FieldCondition.shape)), doc)
    }

    /// The same, for expectations that look at what is so now.
    static func comparingConditions(_ doc: String) -> FieldDescriptor {
        FieldDescriptor("where", .table(.shape(FieldCondition.comparingShape)), doc)
    }
}

extension Scene {
    /// Whether values meet all conditions, some of which may be about what a named step gave.
    func hold(_ conditions: [FieldCondition], _ values: [NamedValue]) -> Bool {
        FieldCondition.hold(conditions, values) { step, name in named(step)?.value(name) }
    }
}

/// A count that is either exact or a lower bound; written `count: 3` or `at-least: 3`.
package struct CountRule: Sendable, Hashable {
    package var exact: Int?
    package var atLeast: Int

    package static let once = CountRule(exact: nil, atLeast: 1)

    static let fields = [
        FieldDescriptor("count", .integer(0...1_000_000), "exactly so many"),
        FieldDescriptor("at-least", .integer(0...1_000_000), "so many or more (1 when neither is given)"),
    ]

    init(exact: Int?, atLeast: Int) {
        self.exact = exact
        self.atLeast = atLeast
    }

    init(_ reader: MappingReader) {
        if reader.has("count"), reader.has("at-least") {
            reader.problems.add(reader.spot(of: "at-least"), "give either count or at-least")
        }
        exact = reader.integer("count")
        atLeast = reader.integer("at-least") ?? 1
    }

    package var isExact: Bool { exact != nil }

    package func holds(_ count: Int) -> Bool { exact.map { $0 == count } ?? (count >= atLeast) }

    /// The ending of the word that is counted.
    var plural: String { (exact ?? atLeast) == 1 ? "" : "s" }

    package var text: String { exact.map { "\($0)" } ?? "at least \(atLeast)" }
}
