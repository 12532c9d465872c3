package import RigBase

/// One step as written: a verb with its argument, and the modifiers that every step may carry.
///
/// Either a bare word (`- connect`) or a mapping in which the verb is the one key that is no modifier
/// (`- sync: full` with `expect:`, `as:` … beside it). What verbs there are is the runner's business.
package struct StepNode: Sendable, Hashable {
    package var verb: String
    /// Where the verb stands.
    package var spot: SourceSpot
    /// Nil for a bare word or a verb without a value.
    package var argument: YAMLNode?
    /// Not before this time since the run began.
    package var at: Duration?
    /// This long after the step before was done.
    package var after: Duration?
    /// Not before this was observed.
    package var when: YAMLNode?
    /// Name under which later steps and expectations know the result.
    package var name: NameAtSpot?
    /// What must come of the step, each within its own limit or the step's.
    package var expect: [YAMLNode]
    package var within: WindowDocument?
    /// Whether later steps go on while what this one expects is still open.
    package var isConcurrent: Bool
    /// What goes on side by side, of the verb `parallel`.
    package var branches: [[StepNode]] = []

    /// The step and all steps within it.
    package var all: [StepNode] { [self] + branches.flatMap { $0.flatMap(\.all) } }

    package static let modifiers = ShapeDescriptor(
        "a step",
        [
            FieldDescriptor("at", .duration, "not before this time since the run began"),
            FieldDescriptor("after", .duration, "this long after the step before was done"),
            FieldDescriptor(
                "when", .anything("an expectation"),
                "not before this has come true; all since the run began counts (at most 10 min, else failed)"),
            FieldDescriptor("as", .text, "name of the step's result, for later steps and expectations"),
            FieldDescriptor(
                "expect", .list(.anything("an expectation")), "what must come of the step; looked for from its start on"
            ),
            FieldDescriptor("within", .window, "time limit of the step and of its expectations that name none"),
            FieldDescriptor(
                "concurrent", .bool, "later steps go on while this one's expectations are still open",
                default: "false"),
        ])

    /// The verb whose branches go on side by side.
    package static let parallelVerb = "parallel"
    /// A key beside `steps`; no verb, because what it means is written out when the file is read.
    package static let repeatKey = "repeat"
    /// Steps of a file at most, all rounds of repeats counted.
    package static let limit = 10_000

    /// Keys of a block that is repeated.
    package static let repeatShape = ShapeDescriptor(
        "a repeat",
        [
            FieldDescriptor(repeatKey, .integer(1...limit), "how many rounds", required: true),
            FieldDescriptor(
                "steps", .list(.anything("a step")), "the steps of a round; ${round} in them is its number, from 1",
                required: true),
        ])

    /// The steps of a list, repeats written out; what is wrong is reported and left out.
    package static func list(_ node: YAMLNode, _ problems: ProblemList) -> [StepNode] {
        var room = limit
        let steps = list(node, &room, problems)
        if room < 0 { problems.add(node.spot, "with all rounds of their repeats these are more than \(limit) steps") }
        return steps
    }

    private static func list(_ node: YAMLNode, _ room: inout Int, _ problems: ProblemList) -> [StepNode] {
        guard let nodes = node.sequence else {
            problems.add(node.spot, "steps are a list, each beginning with \"- \"; found \(node.kindName)")
            return []
        }
        var steps: [StepNode] = []
        for node in nodes where room >= 0 {
            if node[repeatKey] != nil {
                steps += rounds(of: node, &room, problems)
            } else if var step = read(node, problems) {
                room -= 1
                if step.verb == parallelVerb { step.branches = branches(of: step, &room, problems) }
                steps.append(step)
            }
        }
        return steps
    }

    private static func rounds(of node: YAMLNode, _ room: inout Int, _ problems: ProblemList) -> [StepNode] {
        let reader = MappingReader(node, repeatShape, problems)
        guard let count = reader.integer(repeatKey), let body = reader.node("steps") else { return [] }
        var steps: [StepNode] = []
        for round in 1...count where room >= 0 {
            let before = problems.errors.count + problems.omitted
            steps += list(RoundNumber.put(round, into: body), &room, problems)
            // Another round would only repeat the same complaints.
            if problems.errors.count + problems.omitted > before { break }
        }
        return steps
    }

    private static func branches(
        of step: StepNode, _ room: inout Int, _ problems: ProblemList
    ) -> [[StepNode]] {
        guard let branches = step.argument?.sequence, branches.count > 1 else {
            problems.add(
                step.spot, "parallel takes two branches or more, each a list of steps",
                hint: "as in: - parallel: [[{ wait: 1s }, connect], [{ advertise: bob }]]")
            return []
        }
        return branches.map { branch in
            list(branch.sequence == nil ? YAMLNode(.sequence([branch]), at: branch.spot) : branch, &room, problems)
        }
    }

    /// One step.
    package static func read(_ node: YAMLNode, _ problems: ProblemList) -> StepNode? {
        guard let (verb, reader) = VerbMapping.split(node, modifiers, what: "step", problems) else { return nil }
        let name = reader.node("as").flatMap { node in reader.text("as").map { NameAtSpot($0, node.spot) } }
        if reader.has("at"), reader.has("after") {
            problems.add(reader.spot(of: "after"), "a step has \"at\" or \"after\", not both")
        }
        return StepNode(
            verb: verb.key, spot: verb.keySpot, argument: verb.value.isEmpty ? nil : verb.value,
            at: reader.duration("at"), after: reader.duration("after"), when: reader.node("when"), name: name,
            expect: reader.elements("expect"), within: reader.window("within"),
            isConcurrent: reader.bool("concurrent") ?? false)
    }

    /// The step in short, for reports: verb and argument, at most 80 characters.
    package var summary: String {
        if !branches.isEmpty { return "\(verb): \(branches.count) branches" }
        let full = argument.map { verb + ": " + $0.flowText } ?? verb
        return full.count > 80 ? full.prefix(79) + "…" : full
    }
}

/// The number of a round in the place of `${round}`.
enum RoundNumber {
    static let name = "round"

    static func put(_ number: Int, into node: YAMLNode) -> YAMLNode {
        switch node.content {
        case .scalar(var scalar):
            guard scalar.text.contains("${\(name)}") else { return node }
            scalar.text = scalar.text.replacing("${\(name)}", with: String(number))
            return YAMLNode(.scalar(scalar), at: node.spot)
        case .sequence(let nodes): return YAMLNode(.sequence(nodes.map { put(number, into: $0) }), at: node.spot)
        case .mapping(let entries):
            // Within a repeat in a repeat it is the number of the inner one.
            let filled = entries.map { entry in
                var entry = entry
                let isInner = entry.key == "steps" && node[StepNode.repeatKey] != nil
                if !isInner { entry.value = put(number, into: entry.value) }
                return entry
            }
            return YAMLNode(.mapping(filled), at: node.spot)
        }
    }
}

/// Tells the one verb of a mapping from the modifiers beside it.
enum VerbMapping {
    /// The verb's entry and a reader for the rest; nil, with a report, when there is none.
    static func split(
        _ node: YAMLNode, _ modifiers: ShapeDescriptor, what: String, _ problems: ProblemList
    ) -> (verb: YAMLEntry, reader: MappingReader)? {
        if let word = node.text {
            guard !node.isEmpty, node.scalar?.isPlain == true else {
                problems.add(node.spot, "a \(what) is a word or a mapping, found \(node.kindName)")
                return nil
            }
            let verb = YAMLEntry(key: word, keySpot: node.spot, value: .plain("", at: node.spot))
            return (verb, MappingReader(nil, modifiers, at: node.spot, problems))
        }
        guard let entries = node.mapping else {
            problems.add(node.spot, "a \(what) is a word or a mapping, found \(node.kindName)")
            return nil
        }
        guard let verb = entries.first(where: { modifiers[$0.key] == nil }) else {
            problems.add(node.spot, "this \(what) does not say what to do: all its keys are modifiers")
            return nil
        }
        return (verb, MappingReader(node, modifiers, except: [verb.key], problems))
    }
}

/// One fault as written: what it does, with its argument, and when and where it acts.
package struct FaultNode: Sendable, Hashable {
    package var action: String
    package var spot: SourceSpot
    package var argument: YAMLNode?
    /// The name it is reported, awaited and removed under.
    package var name: NameAtSpot?
    /// Where it acts; the action says that too when it is known at one seam only.
    package var seam: Seam?
    package var direction: Direction?
    /// The radio link or node it acts on; every link or the client's node when nil.
    package var target: NameAtSpot?
    package var at: Duration?
    package var when: YAMLNode?
    package var probability: Ratio?
    /// Acts at most this often.
    package var count: Int?
    /// Is removed this long after it was put in place.
    package var duration: Duration?
    /// Waits for the step `start-fault`.
    package var startsByStep: Bool

    package enum Seam: String, Sendable, Hashable, CaseIterable {
        case bytes, frames, link, node, firmware

        /// Whether it is at the host link of the client.
        package var isHostLink: Bool { self == .bytes || self == .frames }
    }

    package enum Direction: String, Sendable, Hashable, CaseIterable {
        case toRadio = "to-radio"
        case fromRadio = "from-radio"
    }

    package static let modifiers = ShapeDescriptor(
        "a fault",
        [
            FieldDescriptor("name", .text, "what the fault is called in reports and in steps"),
            FieldDescriptor(
                "on", .choice(Seam.allCases.map(\.rawValue)),
                "where it acts: the host link's bytes or frames, radio links, a node, or what a node's firmware does"),
            FieldDescriptor(
                "direction", .choice(Direction.allCases.map(\.rawValue)), "bytes and frames: which way they go"),
            FieldDescriptor(
                "of", .text,
                "link: the radio link (`hill-bob`), or all of one node's; node and firmware: the node (the client's)"),
            FieldDescriptor("at", .duration, "acts at this time since the run began"),
            FieldDescriptor(
                "when", .anything("a frame match, or an expectation"),
                "bytes and frames: acts on frames that match; else: acts whenever this expectation comes true"),
            FieldDescriptor("probability", .ratio, "acts on this share of what it could act on"),
            FieldDescriptor(
                "count", .integer(1...1_000_000), "acts at most this often (with an expectation as `when`: 1)"),
            FieldDescriptor("duration", .duration, "ends after this time, and what it did is put right"),
            FieldDescriptor(
                "start", .choice(["at-once", "by-step"]), "whether it waits for the step start-fault",
                default: "at-once"),
        ])

    package static func list(_ node: YAMLNode, _ problems: ProblemList) -> [FaultNode] {
        guard let nodes = node.sequence else {
            problems.add(node.spot, "faults are a list, each beginning with \"- \"; found \(node.kindName)")
            return []
        }
        return nodes.compactMap { read($0, problems) }
    }

    package static func read(_ node: YAMLNode, _ problems: ProblemList) -> FaultNode? {
        guard let (verb, reader) = VerbMapping.split(node, modifiers, what: "fault", problems) else { return nil }
        func named(_ key: String) -> NameAtSpot? {
            reader.text(key).map { NameAtSpot($0, reader.spot(of: key)) }
        }
        return FaultNode(
            action: verb.key, spot: verb.keySpot, argument: verb.value.isEmpty ? nil : verb.value,
            name: named("name"), seam: reader.choice("on", Seam.self),
            direction: reader.choice("direction", Direction.self), target: named("of"), at: reader.duration("at"),
            when: reader.node("when"),
            probability: reader.ratio("probability"), count: reader.integer("count"),
            duration: reader.duration("duration"), startsByStep: reader.text("start") == "by-step")
    }
}
