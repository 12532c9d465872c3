import Foundation
import FoundationXML
import Reporting
import RigBase
import RunRecord
import Testing

/// Results with everything in them that is hard to print.
enum ReportSample {
    static func journal(chain length: Int = 3) -> Journal {
        let journal = Journal()
        var cause: EventID?
        for number in 1...length {
            cause = journal.post(
                number % 2 == 1 ? .frameToRadio : .frameFromRadio, "alice", at: SimInstant(milliseconds: Int64(number)),
                cause: cause, ["name": .text("send-text"), "code": 2, "frame": .bytes([2, 0, UInt8(number)])],
                hostFacts: ["pid": .int(Int64.random(in: 1...9_999))])
        }
        return journal
    }

    static func result(
        _ id: String = "client/sync/full", _ verdict: Verdict = .passed, seed: UInt64 = 1, chain: Int = 3
    ) -> CaseResult {
        let journal = journal(chain: chain)
        let failing = ExpectationResult(
            name: "all <contacts> & \"more\"", verdict: .failed, expected: "contacts = 3", seen: "2 \u{1B}[31m\u{0}",
            spot: "Scenarios/a.yaml:3:5", evidence: EventID(UInt64(chain)))
        return CaseResult(
            id: id, title: "A title", tags: ["sync"], seed: seed, verdict: verdict,
            reason: verdict == .blocked ? "needs two radios" : "",
            expectations: verdict == .failed ? [failing] : [], virtualTime: .milliseconds(1_234),
            hostTime: .milliseconds(17), eventCount: journal.count, digest: journal.digest,
            replayCommand: "meshrig run \(id) --seed \(seed)", journal: journal)
    }
}

@Suite struct ConsoleReportTests {
    @Test func `a passed case is one plain line`() {
        let report = ConsoleReport(ids: ["client/sync/full", "x"], isColoured: false)
        #expect(report.row(ReportSample.result()) == "passed    client/sync/full       1.234         3        17\n")
        #expect(report.header.split(separator: "\n").count == 1)
    }

    @Test func `a failure tells what was expected, seen, what led there and how to repeat it`() {
        let text = ConsoleReport(ids: [], isColoured: false).row(ReportSample.result("a/b", .failed))
        #expect(text.contains("failed: all <contacts> & \"more\"  (Scenarios/a.yaml:3:5)"))
        #expect(text.contains("expected: contacts = 3"))
        #expect(text.contains("seen:     2 \\x1b[31m\\x00"))
        #expect(text.contains("0.001s  alice     → radio  send-text text-type=0 attempt=1"))
        #expect(text.contains("0.002s  alice     ← radio  contacts-start total=512"))
        #expect(text.contains("again: meshrig run a/b --seed 1"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `a long chain is cut in its middle`() {
        let lines = FailureText.lines(ReportSample.result("a", .failed, chain: 100))
        #expect(lines.contains { $0.contains("… 84 more events …") })
        #expect(lines.count < 30)
    }

    @Test func `without evidence the last frames are shown`() {
        var result = ReportSample.result("a", .failed, chain: 20)
        result.expectations[0].evidence = nil
        let lines = FailureText.lines(result)
        #expect(lines.contains("the last frames:"))
        #expect(lines.count { $0.contains("radio") } == FailureText.tailLimit)
    }

    @Test func `colour is only used when asked for`() {
        let report = ConsoleReport(ids: ["a"], isColoured: true)
        #expect(report.row(ReportSample.result("a")).hasPrefix("\u{1B}[32mpassed"))
        #expect(report.row(ReportSample.result("a", .failed)).hasPrefix("\u{1B}[1;31mfailed"))
    }

    @Test func `a name cannot steer the terminal`() {
        let text = ConsoleReport(ids: [], isColoured: false).row(ReportSample.result("a\u{1B}]0;x\u{7}\u{202E}b"))
        #expect(text.contains("a\\x1b]0;x\\x07\\x202eb"))
    }

    @Test func `counts what was and always says passed and failed`() {
        #expect(ConsoleReport.counts([]) == "0 passed, 0 failed")
        #expect(
            ConsoleReport.counts([.passed, .failed, .dead, .blocked, .broken])
                == "1 passed, 2 failed, 1 blocked, 1 broken")
    }
}

@Suite struct JUnitReportTests {
    /// Collects elements with their attributes; what is not well formed fails the parse.
    private final class Collector: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var text = ""

        func parser(
            _: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { elements.append((name, attributes)) }

        func parser(_: XMLParser, foundCharacters characters: String) { text += characters }
    }

    private func parse(_ xml: String) throws -> Collector {
        let collector = Collector()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = collector
        try #require(parser.parse(), "not well formed: \(xml)")
        return collector
    }

    @Test func `writes one suite a folder with counts that match`() throws {
        let results = [
            ReportSample.result("client/sync/a"), ReportSample.result("client/sync/b", .failed),
            ReportSample.result("client/x/a", .blocked), ReportSample.result("client/sync/c", .broken),
            ReportSample.result("top", .dead),
        ]
        let parsed = try parse(JUnitReport.document(results, timestamp: "2026-11-30T18:00:00"))
        let suites = parsed.elements.filter { $0.name == "testsuite" }.map(\.attributes)
        #expect(suites.map { $0["name"] } == ["client.sync", "client.x", "scenarios"])
        #expect(suites.map { $0["tests"] } == ["3", "1", "1"])
        #expect(suites.map { $0["failures"] } == ["1", "0", "1"])
        #expect(suites.map { $0["errors"] } == ["1", "0", "0"])
        #expect(suites.map { $0["skipped"] } == ["0", "1", "0"])
        #expect(suites[0]["time"] == "0.051")
        #expect(suites[0]["timestamp"] == "2026-11-30T18:00:00")
        let root = try #require(parsed.elements.first)
        #expect(root.attributes["tests"] == "5")
        #expect(parsed.elements.count { $0.name == "failure" } == 2)
        #expect(parsed.elements.count { $0.name == "error" } == 1)
        #expect(parsed.elements.first { $0.name == "skipped" }?.attributes["message"] == "needs two radios")
    }

    @Test func `escapes what names and bytes may hold`() throws {
        let parsed = try parse(JUnitReport.document([ReportSample.result("a/b<&\"'\u{1}\u{FFFF}\n", .failed)]))
        let failure = try #require(parsed.elements.first { $0.name == "failure" })
        #expect(failure.attributes["message"]?.contains("all <contacts> & \"more\"") == true)
        #expect(failure.attributes["message"]?.contains("\\x1b") == true)
        #expect(parsed.elements.contains { $0.attributes["name"] == "b<&\"'\\x01\\xffff\n" })
        #expect(parsed.text.contains("again: meshrig run"))
    }

    @Test func `class and name together are unique, over seeds and repeats`() throws {
        let results =
            [1, 2, 2].map { ReportSample.result("a/b", seed: $0) } + [
                ReportSample.result("a/c"), ReportSample.result("a/c"),
            ]
        let cases = try parse(JUnitReport.document(results)).elements.filter { $0.name == "testcase" }
        #expect(cases.map { $0.attributes["name"] } == ["b seed 1", "b seed 2", "b seed 2 #2", "c", "c #2"])
    }

    @Test func `carries seed and digest`() throws {
        let result = ReportSample.result()
        let properties = try parse(JUnitReport.document([result])).elements.filter { $0.name == "property" }
        #expect(properties.contains { $0.attributes == ["name": "seed", "value": "1"] })
        #expect(properties.contains { $0.attributes == ["name": "digest", "value": result.digest] })
    }
}

@Suite struct HTMLReportTests {
    private func page(_ results: [CaseResult]) -> String {
        var report = HTMLReport()
        for result in results { report.add(result) }
        return report.document(started: "2026-11-30T18:00:00Z", note: "a <note> & \"more\"")
    }

    @Test func `texts of others are content and never markup`() {
        var result = ReportSample.result("a/<script>alert(1)</script>", .failed)
        result.title = "\"><img src=x onerror=alert(1)> 'x' \u{202E}\u{0}"
        let journal = Journal()
        for kind in [
            EventKind.nodeBooted, .packetSent, .packetReceived, .messageStored, .messageQueued, .fault, .stepStarted,
        ] {
            journal.post(
                kind, "<b onmouseover=x>", at: .zero, packet: 1,
                [
                    "text": "</svg><script>x</script>", "step": "</title>", "name": "send-text", "rule": "<i>",
                    "type": "<u>",
                ])
        }
        result.journal = journal
        let text = page([result])
        for piece in [
            "<script", "<img", "<b ", "<i>", "<u>", "</title></svg", "onerror=alert(1)>", "\u{202E}", "\u{0}",
        ] {
            #expect(!text.contains(piece), "\(piece)")
        }
        #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(text.contains("a &lt;note&gt; &amp;"))
    }

    @Test func `needs nothing from elsewhere and follows light and dark`() {
        let text = page([ReportSample.result("a/b", .failed), ReportSample.result("a/c")])
        for piece in ["http:", "https:", "src=", "@import", "url(", "<script", "<link"] {
            #expect(!text.contains(piece))
        }
        #expect(text.contains("prefers-color-scheme"))
        #expect(text.contains("name=\"viewport\""))
        #expect(text.contains("default-src 'none'"))
    }

    @Test func `tells those that did not pass first, and not more than so many`() {
        let passed = (0..<60).map { ReportSample.result("p/\($0)") }
        let failed = (0..<10).map { ReportSample.result("f/\($0)", .failed) }
        let text = page(passed + failed)
        #expect(text.components(separatedBy: "<section ").count - 1 == HTMLReport.runLimit)
        for number in 0..<10 { #expect(text.contains("f/\(number)</h3>")) }
        #expect(text.contains("\(HTMLReport.runLimit) of 70 runs are told below"))
        #expect(text.contains("60 passed, 10 failed"))
    }

    @Test func `stays small however long a run is`() {
        var result = ReportSample.result("a/long", .failed)
        let journal = Journal()
        for number in 0..<20_000 {
            let sent = journal.post(
                .packetSent, "n\(number % 300)", at: SimInstant(milliseconds: Int64(number)), packet: UInt64(number),
                ["type": "txt-msg", "airtime": 1_000])
            journal.post(
                .packetReceived, "n\(number % 299)", at: SimInstant(milliseconds: Int64(number)), cause: sent,
                packet: UInt64(number), ["from": .text("n\(number % 300)"), "snr": 4])
        }
        result.journal = journal
        result.title = String(repeating: "long ", count: 10_000)
        #expect(page([result]).utf8.count < 400_000)
    }
}

@Suite struct JSONLinesReportTests {
    @Test func `every line is an object and no host fact is among them`() throws {
        let text =
            JSONLinesReport.header(seeds: [1, 2])
            + JSONLinesReport.lines(ReportSample.result("a\u{1}\"b", .failed), number: 1)
        var kinds: [String] = []
        for line in text.split(separator: "\n") {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
            kinds.append(try #require(object["kind"] as? String))
        }
        #expect(kinds == ["run", "case", "expectation", "event", "event", "event"])
        #expect(!text.contains("pid"))
        #expect(!text.contains("host"))
    }

    @Test func `host facts and wall time change no byte`() {
        var slow = ReportSample.result()
        slow.hostTime = .seconds(9)
        #expect(JSONLinesReport.lines(ReportSample.result(), number: 1) == JSONLinesReport.lines(slow, number: 1))
    }
}
