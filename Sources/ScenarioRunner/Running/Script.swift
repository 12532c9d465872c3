internal import RigBase
package import ScenarioModel

/// A scenario with every verb, expectation and fault read: what is left to go wrong is the run.
package struct Script: Sendable {
    package struct Line: Sendable {
        package var node: StepNode
        package var step: any Step
        package var trigger: PlannedExpectation?
        package var expectations: [PlannedExpectation]
    }

    package var document: ScenarioDocument
    /// Which of a file's two time limits counts.
    package var place: WindowDocument.Place
    package var lines: [Line]
    /// Those of the whole run: `expect`, `always`, `never`, `sometimes`, and what must hold after settling.
    package var overall: [PlannedExpectation]
    package var settling: [PlannedExpectation]

    /// Reads everything and throws all that is wrong, each with its place.
    package init(
        _ document: ScenarioDocument, on place: WindowDocument.Place = .simulator
    ) throws(ScenarioErrors) {
        let problems = ProblemList()
        self.document = document
        self.place = place
        lines = document.steps.compactMap { Self.line($0, place, problems) }
        overall =
            ExpectationCatalog.decode(document.expect, mode: .finally, on: place, problems)
            + ExpectationCatalog.decode(document.always, mode: .always, on: place, problems)
            + ExpectationCatalog.decode(document.never, mode: .never, on: place, problems)
            + ExpectationCatalog.decode(document.sometimes, mode: .sometimes, on: place, problems)
        settling = ExpectationCatalog.decode(
            document.settle?.expect ?? [], mode: .within, on: place, defaultWindow: document.settle?.within[place],
            problems)
        Self.checkNames(document, lines, overall, problems)
        Self.checkWorld(document, problems)
        try problems.throwIfAny()
    }

    private static func line(
        _ node: StepNode, _ place: WindowDocument.Place, _ problems: ProblemList
    ) -> Line? {
        guard let kind = StepCatalog[node.verb] else {
            MappingReader.reportUnknown(
                node.verb, what: "step", at: node.spot, among: StepCatalog.keywords, problems)
            return nil
        }
        if kind.type == nil, let argument = node.argument {
            problems.add(argument.spot, "\(node.verb) takes no value", hint: "as in: - \(kind.example)")
        }
        let input = StepInput(argument: node.argument, type: kind.type, spot: node.spot, problems: problems)
        let before = problems.errors.count
        let step = kind.decode(input)
        if step == nil, problems.errors.count == before {
            problems.add(node.spot, "\(node.verb) cannot be read", hint: "as in: - \(kind.example)")
        }
        let trigger = node.when.map {
            ExpectationCatalog.decode([$0], mode: .within, on: place, defaultWindow: .seconds(600), problems)
        }
        for plan in trigger ?? [] where plan.expectation.isExact {
            problems.add(plan.spot, "when waits for the first moment at which something holds", hint: "use at-least")
        }
        let expectations = ExpectationCatalog.decode(
            node.expect, mode: .within, on: place, defaultWindow: node.within?[place], problems)
        guard let step else { return nil }
        return Line(node: node, step: step, trigger: trigger?.first, expectations: expectations)
    }

    /// What the testbed would stumble over is told before the run.
    private static func checkWorld(_ document: ScenarioDocument, _ problems: ProblemList) {
        let companions = document.world.nodes.filter { $0.role == .companion }.map(\.name)
        if companions.isEmpty { problems.add(document.world.spot, "the world has no companion for a client") }
        if let client = document.client?.role, !companions.isEmpty {
            client.check(among: companions, what: "companion", problems)
        }
        _ = WorldBuilder(document.world, problems).build(seed: 0)
        FaultBoard.check(document.faults, problems)
    }

    /// Names that expectations use must be given somewhere, and a defect's expectation must exist.
    private static func checkNames(
        _ document: ScenarioDocument, _ lines: [Line], _ overall: [PlannedExpectation], _ problems: ProblemList
    ) {
        let steps = document.steps.compactMap(\.name?.name)
        let faults = document.faults.compactMap(\.name?.name)
        let expectations = lines.flatMap(\.expectations) + overall
        for plan in expectations {
            if let name = (plan.expectation as? StatusExpectation)?.messageName, !steps.contains(name) {
                MappingReader.reportUnknown(name, what: "step name", at: plan.spot, among: steps, problems)
            }
            if let name = (plan.expectation as? FaultExpectation)?.name, !faults.contains(name) {
                MappingReader.reportUnknown(name, what: "fault", at: plan.spot, among: faults, problems)
            }
        }
        for defect in document.defects {
            guard let name = defect.catches, !expectations.contains(where: { $0.name == name }) else { continue }
            MappingReader.reportUnknown(
                name, what: "expectation", at: defect.name.spot, among: expectations.map(\.name), problems)
        }
    }
}
