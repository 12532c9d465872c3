import Reporting
import RigBase
import RunRecord
import Testing

@Suite struct GitHubReportTests {
    private let report = GitHubReport(workspace: "/home/ci/repo", folder: "/home/ci/repo/sub")

    private func failed(_ id: String = "a/b", spot: String = "cases/x, y.yaml:3:5", reason: String = "") -> CaseResult {
        let failure = ExpectationResult(
            name: "100 % of `it`", verdict: .failed, expected: "one\ntwo", seen: "\u{1B}none", spot: spot)
        return CaseResult(
            id: id, title: "T <b>", seed: 7, verdict: .failed, reason: reason,
            expectations: spot.isEmpty ? [] : [failure], replayCommand: "meshrig run a/b --seed 7")
    }

    @Test func `a failure is an annotation at its place, and nothing in it is a command`() {
        #expect(
            report.annotations([failed()])
                == "::error file=sub/cases/x%2C y.yaml,line=3,col=5,title=a/b failed%2C seed 7::"
                + "100 %25 of `it`: expected one%0Atwo, saw \\x1bnone%0Aagain: meshrig run a/b --seed 7\n")
    }

    @Test(arguments: [
        ("/home/ci/repo/S/a.yaml:1:2", "file=S/a.yaml,line=1,col=2"),
        ("/etc/a.yaml:1:2", "file=/etc/a.yaml,line=1,col=2"),
        ("a:b.yaml:1:2", "file=sub/a%3Ab.yaml,line=1,col=2"),
    ])
    func `paths are those of the checkout`(spot: String, expected: String) {
        #expect(report.annotations([failed(spot: spot)]).contains(expected))
    }

    @Test func `a file that is wrong is placed by what is said of it, and what passed is not told`() {
        let bad = CaseResult(
            id: "x", title: "", seed: 0, verdict: .bad, reason: "s.yaml:6:5: unknown step\n    known: a")
        let good = CaseResult(id: "y", title: "", seed: 1, verdict: .passed)
        let text = report.annotations([good, bad])
        #expect(text.hasPrefix("::error file=sub/s.yaml,line=6,col=5,title=x bad%2C seed 0::"))
        #expect(text.split(separator: "\n").count == 1)
        #expect(report.annotations([good]).isEmpty)
        let blocked = CaseResult(id: "z", title: "", seed: 1, verdict: .blocked, reason: "no radio")
        #expect(report.annotations([blocked]) == "::notice title=z blocked%2C seed 1::no radio\n")
    }

    @Test func `no more annotations than GitHub shows`() {
        let lines = report.annotations((1...30).map { failed("c/\($0)") }).split(separator: "\n")
        #expect(lines.count == GitHubReport.annotationLimit + 1)
        #expect(lines.last?.hasPrefix("::warning title=meshrig::20 more cases did not pass") == true)
    }

    @Test func `the summary has the counts, a table and each failure, and shows texts as they are`() {
        let good = CaseResult(id: "y", title: "", seed: 1, verdict: .passed)
        let text = report.summary([good, failed("a_b|<c>")], note: "seed 7")
        #expect(text.hasPrefix("## MeshRig: 1 passed, 1 failed\n\nseed 7\n"))
        #expect(text.contains("| failed | a\\_b\\|&lt;c&gt; | 7 | 100 % of \\`it\\`: expected one |\n"))
        #expect(text.contains("```text\nT <b>\n"))
        #expect(!report.summary([good], note: "").contains("|"))
    }

    @Test func `the summary stays below what GitHub takes, and a fence is longer than what it holds`() {
        let long = (1...400).map { failed("c/\($0)", spot: "", reason: String(repeating: "````x", count: 1_000)) }
        let text = report.summary(long, note: "")
        #expect(text.utf8.count < 1_000_000)
        #expect(text.contains("\n`````text\n"))
        #expect(text.contains("failures more not told here."))
    }
}
