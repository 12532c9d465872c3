internal import RunRecord
package import ScenarioModel

/// What a scenario would ask of radios, known without touching one.
package struct BenchOutlook: Sendable, Hashable {
    /// A step that somebody must allow.
    package struct Consent: Sendable, Hashable {
        package var step: String
        package var effect: StepEffect
    }

    package var consents: [Consent]
    /// The first thing that the bench cannot do even when everything is allowed; nil when there is none, or no bench.
    package var obstacle: String?

    package init(_ scenario: ScenarioDocument, on bench: TestbedDocument?) throws {
        consents = scenario.allSteps.compactMap { step in
            guard let effect = StepCatalog[step.verb]?.effect, effect != .none else { return nil }
            return Consent(step: step.summary, effect: effect)
        }
        guard let bench else { return }
        do {
            try BenchDemands(scenario, bench, BenchConsent(transmits: true, changesRadios: true)).check()
        } catch let blocked as Blocked {
            obstacle = blocked.description
        }
    }
}
