import Foundation
import Reporting
import RigBase
import RigTestKit
import RunRecord
import Testing

/// What `docs/reports.md` says of formats is what is written.
@Suite struct ReportsPageTests {
    private let page: String

    init() throws { page = try String(contentsOfFile: Fixture.repositoryRoot() + "/docs/reports.md", encoding: .utf8) }

    @Test func `every metric of a table is there`() {
        for metric in TableMetric.allCases {
            #expect(page.contains("\n| `\(metric.rawValue)` | \(metric.summary) |\n"), "\(metric.rawValue)")
        }
    }

    @Test func `every key of the lines of JSON is there`() throws {
        let journal = Journal()
        let first = journal.post(.note, "a", at: .zero, packet: 1, ["text": "t"])
        journal.post(.note, "a", at: .zero, cause: first, packet: 1, ["text": "t"])
        let failing = ExpectationResult(
            name: "n", verdict: .failed, expected: "e", seen: "s", spot: "f:1:1", evidence: first)
        var result = CaseResult(
            id: "i", title: "t", seed: 1, verdict: .failed, reason: "r", expectations: [failing], journal: journal)
        result.faults = [FaultCount(name: "f", seam: "node", action: "crash", armed: 1, observed: 1, fired: 1)]
        let text = JSONLinesReport.header(seeds: [1]) + JSONLinesReport.lines(result, number: 1)
        for line in text.split(separator: "\n") {
            guard case .object(let members) = try JSONReader.read(Array(line.utf8)[...]),
                let kind = members.first?.value.text
            else {
                Issue.record("\(line)")
                continue
            }
            let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(kind)` |") }, "\(kind)")
            for member in members.dropFirst() { #expect(row.contains("`\(member.key)`"), "\(kind) \(member.key)") }
            guard case .object(let fields)? = members.first(where: { $0.key == "event" })?.value else { continue }
            let said = try #require(page.split(separator: "## ").first { $0.hasPrefix("Lines of JSON") })
            for field in fields { #expect(said.contains("`\(field.key)`"), "\(field.key)") }
        }
    }
}
