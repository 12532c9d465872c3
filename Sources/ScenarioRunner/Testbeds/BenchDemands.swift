internal import ScenarioModel

/// What a scenario asks of a bench, and the first of it that this bench cannot give.
struct BenchDemands {
    private let scenario: ScenarioDocument
    private let testbed: TestbedDocument
    private let consent: BenchConsent

    init(_ scenario: ScenarioDocument, _ testbed: TestbedDocument, _ consent: BenchConsent) {
        self.scenario = scenario
        self.testbed = testbed
        self.consent = consent
    }

    func check() throws {
        if let reason = try Capabilities.missing(for: scenario, on: testbed) { throw Blocked(reason) }
        for node in scenario.world.nodes { try check(node) }
        for step in scenario.allSteps { try check(step) }
        for fault in scenario.faults { try check(fault) }
        let expectations = scenario.expect + scenario.always + scenario.never + scenario.sometimes
        for node in expectations + scenario.allSteps.flatMap(\.expect) + scenario.allSteps.compactMap(\.when) {
            try check(expectation: node)
        }
    }

    private func check(_ node: NodeDocument) throws {
        guard testbed[node.name] != nil else { throw Blocked("\(testbed.file) has no radio for \(node.name)") }
        if !node.queued.isEmpty { throw Blocked("a bench cannot begin with messages waiting for \(node.name)") }
        for contact in node.contacts {
            if case .generated(let count) = contact.who {
                throw Blocked("a bench cannot give \(node.name) \(count) contacts that are nobody")
            }
        }
        if node.isOff { throw Blocked("a bench cannot begin with \(node.name) switched off") }
    }

    private func check(_ step: StepNode) throws {
        switch StepCatalog[step.verb]?.effect {
        case .transmits? where !consent.transmits:
            throw Blocked("\"\(step.verb)\" puts packets on the air; allow it with --allow-transmit")
        case .changesRadio? where !consent.changesRadios:
            throw Blocked("\"\(step.verb)\" changes the radio; allow it with --allow-destructive")
        default: break
        }
    }

    private func check(_ fault: FaultNode) throws {
        guard let seam = FaultCatalog.seam(of: fault), !seam.isHostLink else { return }
        let what = fault.name.map { "\"\($0.name)\"" } ?? fault.action
        throw Blocked("the fault \(what) acts on the seam \"\(seam.rawValue)\", which a bench cannot reach")
    }

    private func check(expectation node: YAMLNode) throws {
        for entry in node.oneOrMany.flatMap({ $0.mapping ?? [] }) {
            guard let kind = ExpectationCatalog.all.first(where: { $0.keyword == entry.key }) else { continue }
            if kind.needsSimulator { throw Blocked("\"\(entry.key)\" looks into the air, which a bench cannot") }
        }
    }
}
