import Reporting
import RigBase
import RunRecord
import Testing

@Suite struct RunTableTests {
    /// A run in which a message was sent `attempts` times and was on the air so many times.
    private func result(_ id: String, seed: UInt64, attempts: Int, _ verdict: Verdict = .passed) -> CaseResult {
        let journal = Journal()
        let message = journal.post(
            .messageStored, "alice", at: .zero, ["id": "m", "direction": "outgoing", "contact": "bob", "text": "hi"])
        for number in 0..<attempts {
            let frame = journal.post(
                .frameToRadio, "alice", at: SimInstant(milliseconds: Int64(number)), cause: message,
                ["name": "send-text", "frame": .bytes([2])])
            journal.post(
                .packetSent, "alice", at: SimInstant(milliseconds: Int64(number)), cause: frame, ["airtime": 250_400])
        }
        if verdict == .passed {
            journal.post(.messageQueued, "bob", at: SimInstant(milliseconds: 9), cause: message)
            journal.post(.messageStatus, "alice", at: SimInstant(milliseconds: 9), ["id": "m", "status": "delivered"])
        }
        return CaseResult(
            id: id, title: "", seed: seed, verdict: verdict, virtualTime: .milliseconds(1_500 * attempts),
            eventCount: journal.count, digest: journal.digest, journal: journal)
    }

    private func table(_ metrics: [TableMetric]) -> RunTable {
        var table = RunTable(metrics)
        table.add(result("a", seed: 1, attempts: 1))
        table.add(result("b[x, \"y\"]", seed: 1, attempts: 2))
        table.add(result("a", seed: 2, attempts: 4, .failed))
        table.add(result("a", seed: 3, attempts: 2))
        table.add(CaseResult(id: "c", title: "", seed: 1, verdict: .blocked, reason: "no radio"))
        return table
    }

    @Test func `figures are put together over seeds: mean, least, greatest and the share that passed`() {
        let text = table([.delivered, .acked, .attempts, .airtime, .virtualTime, .verdict]).text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(
            lines[0].split(separator: " ") == [
                "scenario", "runs", "delivered", "acked", "attempts", "airtime", "virtual-time", "verdict",
            ])
        #expect(
            lines[1].split(separator: " ").joined(separator: " ")
                == "a 3 0.667 (0–1) 0.667 (0–1) 2.333 (1–4) 0.584 (0.250–1.001) 3.500 (1.500–6) 66.700 %")
        #expect(lines[2].split(separator: " ").suffix(4) == ["0.500", "3", "100", "%"], "\(lines[2])")
        #expect(lines[3].split(separator: " ") == ["c", "1", "–", "–", "–", "–", "–", "0", "%"])
        #expect(Set(lines.map(\.count)).count == 1, "columns line up")
    }

    @Test func `programs get it as CSV and as JSON`() throws {
        let table = table([.attempts, .frames, .verdict])
        #expect(
            table.csv == """
                scenario,runs,attempts-mean,attempts-min,attempts-max,frames-mean,frames-min,frames-max,passed-share\r
                a,3,2.333,1,4,2.333,1,4,0.667\r
                "b[x, ""y""]",1,2,2,2,2,2,2,1\r
                c,1,,,,,,,0\r

                """)
        let json = try JSONReader.read(Array(table.json.utf8)[...])
        let first = try #require(json["cases"]?.elements?.first)
        #expect(first["attempts"]?["mean"] == .number("2.333") && first["attempts"]?["max"] == .number("4"))
        #expect(first["passed-share"] == .number("0.667"))
        #expect(json["cases"]?.elements?.last?["frames"] == .null)
    }

    @Test func `a mean is rounded to the nearest`() {
        var summary = MetricSummary()
        for value: Int64 in [1, 2, 2] { summary.add(value) }
        #expect(summary.mean == 2 && summary.least == 1 && summary.greatest == 2 && summary.count == 3)
    }
}

@Suite struct ProgressTextTests {
    @Test(arguments: [
        (0, 10, 0, 0, "0 of 10 cases, 0 %"), (5, 10, 0, 10_000, "5 of 10 cases, 50 %, about 10 s left"),
        (1, 10, 1, 60_000, "1 of 10 cases, 10 %, 1 not passed, about 9 min 0 s left"),
        (1, 100, 0, 240_000, "1 of 100 cases, 1 %, about 6 h 36 min left"),
        (10, 10, 2, 9, "10 of 10 cases, 100 %, 2 not passed"),
    ])
    func `says how far a run is and how long it may take`(done: Int, total: Int, failed: Int, spent: Int, text: String)
    {
        func line(_ width: Int) -> String {
            ProgressText.line(done: done, total: total, failed: failed, elapsed: .milliseconds(spent), width: width)
        }
        #expect(line(80) == text)
        #expect(line(7) == text.prefix(7))
    }
}
