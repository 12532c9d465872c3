import RigTestKit
import RunRecord
import ScenarioModel
import ScenarioRunner
import Synchronization
import Testing

@Suite struct RunnerTests {
    private func document(_ more: String = "") throws -> ScenarioDocument {
        let text = "title: t\nrequirement: r\nworld: { nodes: { a: {} } }\nsteps: [connect]\n" + more
        return try ScenarioDocument.cases(of: try YAMLFile.parse(Array(text.utf8), file: "t.yaml"), id: "t")[0]
    }

    @Test func `journals of what passed are let go once they were seen, those of failures stay`() throws {
        let cases = [try document(), try document("expect: { contacts: 7 }"), try document()].map {
            ($0, RunSettings(seed: 1))
        }
        let seen = Mutex(0)
        let results = Runner.run(
            cases, keepsJournals: false, each: { if $0.journal != nil { seen.withLock { $0 += 1 } } })
        #expect(results.map { $0.journal != nil } == [false, true, false])
        #expect(results.allSatisfy { !$0.digest.isEmpty })
        #expect(seen.withLock { $0 } == 3)
        #expect(Runner.run(cases).allSatisfy { $0.journal != nil })
    }

    @Test(arguments: [1, 3])
    func `no case begins after the stop, and what had begun is told`(jobs: Int) throws {
        let one = (try document(), RunSettings(seed: 1))
        let told = Mutex(0)
        let results = Runner.run(
            Array(repeating: one, count: 50), jobs: jobs, each: { _ in told.withLock { $0 += 1 } },
            isStopped: { told.withLock { $0 >= 5 } })
        #expect((5...5 + jobs).contains(results.count))
        #expect(told.withLock { $0 } == results.count)
    }
}
