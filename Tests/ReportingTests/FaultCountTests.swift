import RunRecord
import Testing

@testable import Reporting

@Suite struct `Counts of faults` {
    private static func result(_ verdict: Verdict) -> CaseResult {
        var result = ReportSample.result("a/b", verdict)
        result.faults = [
            FaultCount(name: "cable <out>", seam: "bytes", action: "lose-link", armed: 1, observed: 12, fired: 3),
            FaultCount(name: "crash", seam: "node", action: "crash", armed: 1, observed: 0, fired: 0),
        ]
        return result
    }

    @Test func `stand in what is printed of a case that did not pass, and what never acted stands out`() {
        let report = ConsoleReport(ids: [], isColoured: false)
        let text = report.row(Self.result(.dead))
        #expect(text.contains("  cable <out>  (bytes: lose-link)  armed 1, observed 12, fired 3\n"))
        #expect(text.contains("  crash  (node: crash)  armed 1, observed 0, fired 0  → never acted\n"))
        #expect(!report.row(Self.result(.passed)).contains("fired"))
    }

    @Test func `are properties of a case in JUnit, and lines of JSON`() {
        let xml = JUnitReport.document([Self.result(.passed)])
        #expect(
            xml.contains("<property name=\"fault:cable &lt;out>\" value=\"armed 1, observed 12, fired 3\"/>")
                || xml.contains("<property name=\"fault:cable &lt;out&gt;\" value=\"armed 1, observed 12, fired 3\"/>"))
        let lines = JSONLinesReport.lines(Self.result(.passed), number: 7)
        #expect(
            lines.contains(
                #"{"kind":"fault","case":7,"name":"crash","seam":"node","action":"crash","armed":1,"observed":0,"fired":0}"#
            ))
    }

    @Test func `have a table on the page`() {
        var report = HTMLReport()
        report.add(Self.result(.passed))
        let html = report.document(started: "2026-11-30T18:00:00Z", note: "")
        #expect(html.contains("2 faults, 1 never acted"))
        #expect(html.contains("cable &lt;out"))
        #expect(html.contains("<td>never</td>"))
    }
}
