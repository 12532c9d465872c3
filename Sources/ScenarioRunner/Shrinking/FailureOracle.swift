package import RigRuntime
internal import RigBase
internal import RunRecord
package import ScenarioModel

/// Runs smaller and smaller scenarios and says of each whether it still fails as the first one did.
///
/// With defects of the client switched on, it must also pass without them: else the failure would be the file's own.
package final class FailureOracle {
    /// Runs made so far.
    package private(set) var runs = 0
    package let signature: FailureSignature
    package var seed: UInt64

    private let limit: Int
    private let defects: [Defect]
    private let id: String
    private let demandsPass: Bool
    /// What a run may cost: a few times what the first one did, but no more than any run.
    private let virtualTime: Duration
    private let events: Int
    private var known: [String: Bool] = [:]

    /// Runs `tree` once, or twice with defects. Throws what is wrong with the file; nil when the run does not fail.
    package init?(_ tree: YAMLNode, id: String, seed: UInt64, defects: [Defect], limit: Int) throws {
        self.limit = limit
        self.defects = defects
        self.seed = seed
        self.id = id
        let document = try Self.document(tree, id)
        let first = CaseRunner(document, RunSettings(seed: seed, defects: defects)).run()
        guard ![.passed, .blocked, .bad].contains(first.verdict), first.journal != nil else { return nil }
        signature = FailureSignature(first, tree: tree)
        virtualTime = min(first.virtualTime * 4 + .seconds(60), ScenarioRun.defaultTimeLimit)
        events = min(first.eventCount * 4 + 1_000, ScenarioRun.defaultEventLimit)
        demandsPass =
            !defects.isEmpty && CaseRunner(document, RunSettings(seed: seed)).run().verdict == .passed
        runs = defects.isEmpty ? 1 : 2
    }

    package var isSpent: Bool { runs >= limit }

    /// Whether the tree, written and read again, fails alike. Every answer is given from memory the second time.
    package func holds(_ tree: YAMLNode) -> Bool {
        let text = YAMLWriter.text(tree)
        let key = "\(seed) " + text
        if let answer = known[key] { return answer }
        guard !isSpent else { return false }
        let answer = tried(text)
        known[key] = answer
        return answer
    }

    private func tried(_ text: String) -> Bool {
        guard let tree = try? YAMLFile.parse(Array(text.utf8), file: id + ".yaml"),
            var document = try? Self.document(tree, id), (try? Script(document)) != nil
        else { return false }
        document.budget.virtualTime = min(document.budget.virtualTime ?? virtualTime, virtualTime)
        document.budget.events = min(document.budget.events ?? events, events)
        runs += 1
        let result = CaseRunner(document, RunSettings(seed: seed, defects: defects)).run()
        guard signature.isShown(by: result, tree: tree) else { return false }
        guard demandsPass else { return true }
        runs += 1
        return CaseRunner(document, RunSettings(seed: seed)).run().verdict == .passed
    }

    private static func document(_ tree: YAMLNode, _ id: String) throws -> ScenarioDocument {
        let documents = try ScenarioDocument.cases(of: tree, id: id)
        guard documents.count == 1, let only = documents.first else {
            throw ScenarioErrors([ScenarioError(tree.spot, "more than one case")])
        }
        return only
    }
}
