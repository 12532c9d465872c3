internal import RigBase
package import ScenarioModel

/// A scenario with every verb, expectation and fault read: what is left to go wrong is the run.
package struct Script: Sendable {
    package struct Line: Sendable {
        package enum Action: Sendable {
            case verb(any Step)
            /// Lists of lines that go on side by side.
            case parallel([[Line]])
        }

        package var node: StepNode
        /// Counts all lines of the script, from 0.
        package var number: Int
        package var action: Action
        package var trigger: PlannedExpectation?
        package var expectations: [PlannedExpectation]

        /// The step in short, for reports.
        package var summary: String {
            if case .verb(let step) = action, let summary = step.safeSummary { return summary }
            return node.summary
        }

        /// The line and all lines within it.
        package var all: [Line] {
            guard case .parallel(let branches) = action else { return [self] }
            return [self] + branches.flatMap { $0.flatMap(\.all) }
        }
    }

    package var document: ScenarioDocument
    /// Which of a file's two time limits counts.
    package var place: WindowDocument.Place
    package var lines: [Line]
    /// How many lines there are in all.
    package var lineCount: Int
    /// Those of the whole run: `expect`, `always`, `never`, `sometimes`, and what must hold after settling.
    package var overall: [PlannedExpectation]
    package var settling: [PlannedExpectation]

    /// Reads everything and throws all that is wrong, each with its place.
    package init(
        _ document: ScenarioDocument, on place: WindowDocument.Place = .simulator
    ) throws(ScenarioErrors) {
        let problems = ProblemList()
        self.init(document, on: place, problems)
        try problems.throwIfAny()
    }

    /// Reads everything; what is wrong goes to `problems`, which may hold what was wrong before.
    package init(_ document: ScenarioDocument, on place: WindowDocument.Place, _ problems: ProblemList) {
        let hasWorld = problems.isEmpty
        let reading = Reading(place: place, references: References(), problems: problems)
        self.document = document
        self.place = place
        var count = 0
        lines = document.steps.compactMap { reading.line($0, &count) }
        lineCount = count
        overall =
            reading.expectations(document.expect, .finally) + reading.expectations(document.always, .always)
            + reading.expectations(document.never, .never) + reading.expectations(document.sometimes, .sometimes)
        settling = reading.expectations(
            document.settle?.expect ?? [], .within, defaultWindow: document.settle?.within[place])
        FaultBoard.check(
            document.faults, of: document.world, subject: document.clientRole, reading.references, problems)
        if hasWorld { Self.checkWorld(document, problems) }
        checkNames(reading)
    }

    /// All lines, those within others too.
    package var allLines: [Line] { lines.flatMap(\.all) }

    /// What the testbed would stumble over is told before the run.
    private static func checkWorld(_ document: ScenarioDocument, _ problems: ProblemList) {
        let companions = document.world.nodes.filter { $0.role == .companion }.map(\.name)
        if companions.isEmpty { problems.add(document.world.spot, "the world has no companion for a client") }
        if let client = document.client?.role, !companions.isEmpty {
            client.check(among: companions, what: "companion", problems)
        }
        if let node = document.world.node(named: document.clientRole), node.script != nil {
            problems.add(node.spot, "\(node.name) has the client; a script is for nodes without one")
        }
        _ = WorldBuilder(document.world, problems).build(seed: 0)
        do {
            _ = try Capabilities.missing(for: document)
        } catch {
            for error in error.errors { problems.add(error) }
        }
    }

    /// Names that are used must be given somewhere, and a defect's expectation must exist.
    private func checkNames(_ reading: Reading) {
        let steps = document.allSteps
        let phases = steps.filter { $0.verb == PhaseStep.kind.keyword }.compactMap { $0.argument?.text }
        let known: [References.Kind: [String]] = [
            .node: document.world.nodes.map(\.name), .step: steps.compactMap(\.name?.name),
            .fault: document.faults.compactMap(\.name?.name), .phase: phases,
            .contact: document.contactNames, .channel: document.channelNames,
        ]
        let document = document
        reading.references.check(
            known, joined: document.world.geometry == nil ? { document.world.joins($0, $1) } : nil, reading.problems)
        let expectations = allLines.flatMap(\.expectations) + overall
        for line in allLines {
            if case .verb(let step) = line.action, let message = step as? MessageStep,
                message.message.from == document.clientRole
            {
                reading.problems.add(
                    line.node.spot, "\(document.clientRole) has the client, which sends with \"send\"")
            }
        }
        for plan in overall {
            guard let status = plan.expectation as? StatusExpectation, status.messageName == nil else { continue }
            reading.problems.add(plan.spot, "status here needs \"message\": the name of the step that sends it")
        }
        let companions = document.world.nodes.filter { $0.role == .companion }.map(\.name)
        for plan in expectations {
            guard let received = plan.expectation as? ReceivedExpectation else { continue }
            if document.world.node(named: received.by) != nil, !companions.contains(received.by) {
                reading.problems.add(plan.spot, "\(received.by) is no companion, and messages wait in companions only")
            }
            guard received.by == document.clientRole else { continue }
            reading.problems.add(
                plan.spot, "\(received.by) has the client, which fetches its messages; \"messages\" looks at them")
        }
        for defect in document.defects {
            guard let name = defect.catches, !expectations.contains(where: { $0.name == name }) else { continue }
            MappingReader.reportUnknown(
                name, what: "expectation", at: defect.name.spot, among: expectations.map(\.name), reading.problems)
        }
    }
}

/// Reads the parts of a scenario that the catalogues know.
private struct Reading {
    let place: WindowDocument.Place
    let references: References
    let problems: ProblemList

    func expectations(
        _ nodes: [YAMLNode], _ mode: PlannedExpectation.Mode, defaultWindow: Duration? = nil
    ) -> [PlannedExpectation] {
        ExpectationCatalog.decode(
            nodes, mode: mode, on: place, defaultWindow: defaultWindow, references, problems)
    }

    func line(_ node: StepNode, _ count: inout Int) -> Script.Line? {
        let number = count
        count += 1
        let action: Script.Line.Action
        if node.verb == StepNode.parallelVerb {
            action = .parallel(node.branches.map { $0.compactMap { line($0, &count) } })
        } else {
            guard let step = step(node) else { return nil }
            action = .verb(step)
        }
        let trigger = node.when.map { expectations([$0], .within, defaultWindow: .seconds(600)) }
        for plan in trigger ?? [] where plan.expectation.isExact {
            problems.add(plan.spot, "when waits for the first moment at which something holds", hint: "use at-least")
        }
        return Script.Line(
            node: node, number: number, action: action, trigger: trigger?.first,
            expectations: expectations(node.expect, .within, defaultWindow: node.within?[place]))
    }

    private func step(_ node: StepNode) -> (any Step)? {
        guard let kind = StepCatalog[node.verb] else {
            MappingReader.reportUnknown(
                node.verb, what: "step", at: node.spot,
                among: StepCatalog.keywords + [StepNode.parallelVerb, StepNode.repeatKey], problems)
            return nil
        }
        if kind.type == nil, let argument = node.argument {
            problems.add(argument.spot, "\(node.verb) takes no value", hint: "as in: - \(kind.example)")
        }
        let input = StepInput(
            argument: node.argument, type: kind.type, spot: node.spot, problems: problems, references: references)
        let before = problems.errors.count + problems.omitted
        let step = kind.decode(input)
        if step == nil, problems.errors.count + problems.omitted == before {
            problems.add(node.spot, "\(node.verb) cannot be read", hint: "as in: - \(kind.example)")
        }
        return step
    }
}

extension ScenarioDocument {
    /// Names under which the client's store can have contacts, as far as the file tells.
    fileprivate var contactNames: [String] {
        let nodes = world.nodes.flatMap { [$0.name, $0.displayName].compactMap { $0 } }
        let given = allSteps.filter { ["set", "save-contact"].contains($0.verb) }
            .compactMap { $0.argument?["name"]?.text }
        let generated = world.nodes.flatMap(\.contacts).flatMap { contact in
            if case .generated(let count) = contact.who { (1...count).map { "contact\($0)" } } else { [String]() }
        }
        return nodes + given + generated
    }

    /// Names of all channels that the file speaks of.
    fileprivate var channelNames: [String] {
        let nodes = world.nodes.flatMap(\.channels).map(\.name)
        let stored = client?.stored?.channels.map(\.name) ?? []
        let set = allSteps.filter { $0.verb == "set" }.compactMap { $0.argument?["channel"]?["name"]?.text }
        return ["public"] + nodes + stored + set
    }
}

extension WorldDocument {
    fileprivate func joins(_ one: String, _ other: String) -> Bool {
        links.contains { ($0.from, $0.to) == (one, other) || ($0.from, $0.to) == (other, one) }
    }
}
