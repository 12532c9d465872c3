internal import ClientServices
internal import RigBase
package import RigRuntime
package import RunRecord
package import ScenarioModel
internal import Synchronization

/// What a run may be told beyond its file.
package struct RunSettings: Sendable {
    /// Instead of the file's seed.
    package var seed: UInt64?
    package var defects: [Defect]
    /// Run twice and compare the journals.
    package var checksDeterminism: Bool
    /// The bench to run on, instead of the simulator.
    package var testbed: TestbedDocument?
    /// What the run may do to the radios of the bench.
    package var consent = BenchConsent()
    /// How to repeat a case, without the case's own word and seed.
    package var replayPrefix: String
    /// What means the case on a command line, when it is not its id.
    package var replayWord: String?

    package init(
        seed: UInt64? = nil, defects: [Defect] = [], checksDeterminism: Bool = false,
        replayPrefix: String = "meshrig run"
    ) {
        self.seed = seed
        self.defects = defects
        self.checksDeterminism = checksDeterminism
        self.replayPrefix = replayPrefix
    }

    /// The seed of a run when neither the file nor the command line gives one.
    package static let defaultSeed: UInt64 = 1
}

/// Text as one word of a command line.
package enum ShellWord {
    /// The text itself when a shell leaves it as it is, else in single quotes.
    package static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "/._-=+:@,%".unicodeScalars.contains(scalar)
        }
        return plain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

/// Runs one case from its file to its result.
package struct CaseRunner {
    private let scenario: ScenarioDocument
    private let settings: RunSettings
    private let seed: UInt64

    package init(_ scenario: ScenarioDocument, _ settings: RunSettings) {
        self.scenario = scenario
        self.settings = settings
        seed = settings.seed ?? scenario.seed ?? RunSettings.defaultSeed
    }

    package func run() -> CaseResult {
        let first = runOnce()
        guard settings.checksDeterminism, first.journal != nil else { return first }
        let second = runOnce()
        guard first.digest != second.digest else { return first }
        var broken = first
        broken.verdict = .broken
        broken.reason = Self.firstDifference(first.journal, second.journal)
        return broken
    }

    /// Finds what a run would find wrong in the file before it begins, without running.
    package static func check(_ scenario: ScenarioDocument) throws {
        _ = try Script(scenario)
        do {
            _ = try SimulatedTestbed(scenario, seed: RunSettings.defaultSeed, defects: Defects([]), journal: Journal())
        } catch is Blocked {
            // Nothing is wrong with the file.
        }
    }

    private func runOnce() -> CaseResult {
        let journal = Journal()
        var result = CaseResult(
            id: scenario.id, title: scenario.title, tags: scenario.tags, seed: seed, verdict: .passed)
        result.replayCommand = replayCommand
        do {
            let script = try Script(scenario, on: settings.testbed == nil ? .simulator : .radio)
            let testbed = try makeTestbed(journal)
            journal.post(
                .runStarted, "", at: .zero,
                [
                    "scenario": .text(scenario.id), "seed": .text("\(seed)"),
                    "defects": .list(settings.defects.map { .text($0.rawValue) }),
                ])
            let run = ScenarioRun(script, on: testbed)
            result = run.play(into: result)
        } catch let error as ScenarioErrors {
            result.verdict = .bad
            result.reason = error.description
            result.replayCommand = ""
            return result
        } catch let error as Blocked {
            result.verdict = .blocked
            result.reason = error.description
            return result
        } catch {
            result.verdict = .broken
            result.reason = "\(error)"
            return result
        }
        result.journal = journal
        result.eventCount = journal.count
        result.digest = journal.digest
        return result
    }

    private func makeTestbed(_ journal: Journal) throws -> any CaseTestbed {
        let defects = Defects(settings.defects)
        if let bench = settings.testbed {
            return try BenchTestbed(
                scenario, on: bench, consent: settings.consent, seed: seed, defects: defects, journal: journal)
        }
        if let reason = try Capabilities.missing(for: scenario) { throw Blocked(reason) }
        return try SimulatedTestbed(scenario, seed: seed, defects: defects, journal: journal)
    }

    private var replayCommand: String {
        let word = ShellWord.quoted(settings.replayWord ?? scenario.id)
        var command = "\(settings.replayPrefix) \(word) --seed \(seed)"
        for parameter in scenario.parameters where parameter.isSet {
            command +=
                " --set "
                + ShellWord.quoted(
                    "\(parameter.name)=" + (parameter.isSecret ? "<secret>" : parameter.value.text))
        }
        for defect in settings.defects { command += " --defect \(defect.rawValue)" }
        return command
    }

    private static func firstDifference(_ first: Journal?, _ second: Journal?) -> String {
        let (one, other) = (first?.events() ?? [], second?.events() ?? [])
        for (index, (a, b)) in zip(one, other).enumerated() {
            let (left, right) = (a.jsonLine(withHostFacts: false), b.jsonLine(withHostFacts: false))
            if left != right { return "two runs of one seed differ at event \(index + 1):\n  \(left)\n  \(right)" }
        }
        return "two runs of one seed differ in length: \(one.count) and \(other.count) events"
    }
}
