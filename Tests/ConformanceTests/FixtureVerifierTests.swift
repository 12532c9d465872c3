import Foundation
import RigBase
import RigCrypto
import Testing

@testable import Conformance

@Suite struct FixtureVerifierTests {
    private func verify(_ name: String, _ lines: [String], until: Int64? = nil) -> FixtureReport {
        FixtureVerifier.verify(file: name, contents: Array(lines.joined(separator: "\n").utf8), untilMillis: until)
    }

    @Test func `the manifest names every recording with its digest`() throws {
        let manifest = try Fixtures.manifest()
        let found = try FileManager.default.contentsOfDirectory(atPath: Fixtures.folder().path)
            .filter { $0.hasSuffix(".jsonl") }
        #expect(manifest.files.map(\.file) == found.sorted())
        #expect(manifest.firmware.version == "1.17.1" && !manifest.options.companion.isEmpty)
        for entry in manifest.files {
            let bytes = try Fixtures.bytes(entry.file)
            #expect(bytes.count == entry.bytes, "\(entry.file)")
            #expect(Hex.encode(Digest.sha256(bytes)) == entry.sha256, "\(entry.file)")
            #expect(!entry.what.isEmpty)
        }
    }

    @Test func `the list of what is not compared is data, and the program's own is the same`() throws {
        #expect(try MaskList(file: "masks.json", contents: Fixtures.bytes("masks.json")) == .all)
        #expect(throws: RecordingError.self) {
            try MaskList(file: "m", contents: Array(#"{"masks": [{"value": "noise-floor"}]}"#.utf8))
        }
        #expect(throws: RecordingError.self) { try MaskList(file: "m", contents: Array("{}".utf8)) }
    }

    @Test func `without the list exactly the undefined values differ`() throws {
        let none = MaskList(values: [])
        func failures(_ name: String) throws -> Int {
            let report = FixtureVerifier.verify(file: name, contents: try Fixtures.bytes(name), masks: none)
            return report.failed
        }
        #expect(try failures("c03_contacts.jsonl") == 9)
        #expect((1...20).contains(try failures("m01_two_companions.jsonl")))
        #expect(try failures("c13_offline_queue.jsonl") == 0)
    }

    @Test func `the coverage table in docs is what the recordings show`() throws {
        var coverage = FixtureCoverage()
        for file in try Fixtures.manifest().files.map(\.file) {
            coverage.merge(FixtureVerifier.verify(file: file, contents: try Fixtures.bytes(file)).coverage)
        }
        let page = Fixtures.folder().appendingPathComponent("../../docs/companion-coverage.md").standardized
        #expect(try String(contentsOf: page, encoding: .utf8) == coverage.markdown, "run `meshrig fixtures coverage`")
    }

    @Test func `the channel recording comes out alike to the byte and millisecond`() throws {
        let report = verify("c05_channels.jsonl", try Fixtures.lines("c05_channels.jsonl"))
        #expect(report.line == "c05_channels.jsonl: 61 rows alike")
        #expect(report.passed == (try Fixtures.comparedRows("c05_channels.jsonl")))
    }

    @Test func `the first minute of two companions comes out alike to the byte and millisecond`() throws {
        let name = "m01_two_companions.jsonl"
        let report = verify(name, try Fixtures.lines(name), until: 60_000)
        #expect(report.failed == 0, "\(report.differences)")
        #expect(report.passed == (try Fixtures.comparedRows(name, until: 60_000)))
        #expect(report.passed > 50)
    }

    @Test(arguments: try Fixtures.manifest().files.map(\.file))
    func `every recording comes out alike in every row`(name: String) throws {
        let report = FixtureVerifier.verify(file: name, contents: try Fixtures.bytes(name))
        #expect(report.failed == 0, "\(FixtureReport.render([report]).joined(separator: "\n"))")
        #expect(report.unsupported == nil && report.error == nil)
        #expect(report.passed == (try Fixtures.comparedRows(name)))
    }
}

@Suite struct DoctoredRecordingTests {
    private static let channels = "c05_channels.jsonl"
    private static let companions = "m01_two_companions.jsonl"

    private func verify(_ name: String, _ lines: [String]) -> FixtureReport {
        FixtureVerifier.verify(file: name, contents: Array(lines.joined(separator: "\n").utf8), untilMillis: 60_000)
    }

    /// Changes the first row that contains all of `marks`.
    private func doctored(
        _ name: String, _ marks: [String], _ change: (inout [String], Int) throws -> Void
    ) throws -> FixtureReport {
        var lines = try Fixtures.lines(name)
        let index = try #require(lines.firstIndex { line in marks.allSatisfy { line.contains($0) } })
        try change(&lines, index)
        return verify(name, lines)
    }

    @Test func `a flipped byte of a frame fails that row`() throws {
        let report = try doctored(Self.channels, [#""dir": "radio>app""#, #""hex": "0d0d"#]) { lines, index in
            lines[index] = lines[index].replacing(#""hex": "0d0d"#, with: #""hex": "0d0c"#)
        }
        #expect(report.failed == 1 && report.passed == 60)
        #expect(report.differences.joined(separator: "\n").contains("expected t=101 0d0c"))
        #expect(report.differences.joined(separator: "\n").contains("got      t=101 0d0d"))
        #expect(report.differences.first == "c05_channels.jsonl:3 A")
    }

    @Test func `a frame one millisecond late fails that row`() throws {
        let report = try doctored(Self.channels, [#""dir": "radio>app""#, #""t": 131"#]) { lines, index in
            lines[index] = lines[index].replacing(#""t": 131"#, with: #""t": 132"#)
        }
        #expect(report.failed == 1 && report.passed == 60)
    }

    @Test func `a dropped row fails as surplus of the simulation`() throws {
        let report = try doctored(Self.channels, [#""dir": "radio>app""#, #""t": 161"#]) { lines, index in
            lines.remove(at: index)
        }
        #expect(report.failed == 1 && report.passed == 60)
        #expect(report.differences.contains("  expected nothing"))
    }

    @Test func `a packet with another byte, start, airtime or receiver fails that row`() throws {
        let intact = verify(Self.companions, try Fixtures.lines(Self.companions))
        #expect(intact.failed == 0)
        let changes: [(String, String)] = [
            (#""hex": "12"#, #""hex": "11"#), (#""t": 281,"#, #""t": 282,"#),
            (#""airtime_us": 754688"#, #""airtime_us": 754689"#), (#""ok"]"#, #""crc"]"#),
            (#""rx": [["B", 1036"#, #""rx": [["B", 1037"#),
        ]
        for (old, new) in changes {
            let report = try doctored(Self.companions, [#""ota": "A""#, #""id": 1,"#]) { lines, index in
                let changed = lines[index].replacing(old, with: new)
                try #require(changed != lines[index], "\(old) is not in \(lines[index])")
                // Later rows of the same millisecond must not come before it.
                lines.remove(at: index)
                let time = new.contains(#""t""#) ? 282 : 281
                let place = lines.lastIndex { $0.contains("\"t\": \(time - (time == 282 ? 1 : 0)),") } ?? index
                lines.insert(changed, at: max(index, place + 1))
            }
            #expect(report.failed == 1, "\(new): \(report.differences)")
            #expect(report.passed == intact.passed - 1)
        }
    }

    @Test func `a changed command changes what comes back`() throws {
        let report = try doctored(Self.companions, [#""dir": "app>radio""#, #""note": "name""#]) { lines, index in
            lines[index] = lines[index].replacing("08416c696365", with: "08416c696366")
        }
        #expect(report.failed > 0)
    }

    @Test func `a cut link keeps packets from arriving`() throws {
        let report = try doctored(Self.companions, [#""t": 280, "mark""#]) { lines, index in
            lines.insert(#"{"t": 280, "unlink": ["A", "B"]}"#, at: index)
        }
        #expect(report.failed > 0)
    }

    @Test func `a lost packet is taken away before its receiver`() throws {
        let lines = try Fixtures.lines(Self.companions)
        let sent = try #require(lines.first { $0.contains(#""ota": "A""#) && $0.contains(#""id": 1,"#) })
        let hex = try #require(sent.firstRange(of: #""hex": ""#)).upperBound
        let bytes = sent[hex...].prefix { $0 != "\"" }
        let report = try doctored(Self.companions, [#""ota": "A""#, #""id": 1,"#]) { lines, index in
            lines.insert(#"{"t": 281, "lost": ["A", "B"], "hex": "\#(bytes)"}"#, at: index + 1)
        }
        #expect(report.differences.joined(separator: "\n").contains("received by nobody"))
    }

    @Test func `a doctored sweep fails where it was changed`() throws {
        let lines = try Fixtures.lines("s01_code_sweep.jsonl")
        let list = try #require(lines.first { $0.contains(#""req": "0400""#) })
        let rows = [list] + lines[..<40]
        let intact = verify("s01", rows)
        #expect(intact.passed == 41 && intact.failed == 0)
        var changed = rows
        changed[1] = changed[1].replacing(#"["0101"]"#, with: #"["0102"]"#)
        try #require(changed[1] != rows[1])
        let report = verify("s01", changed)
        #expect(report.failed == 1 && report.passed == 40)
    }
}

@Suite struct FixtureReportTests {
    private func verify(_ rows: String...) -> FixtureReport {
        FixtureVerifier.verify(file: "x.jsonl", contents: Array(rows.joined(separator: "\n").utf8))
    }

    @Test func `sensors and decrypted listings are called unsupported and count neither way`() {
        let sensor = verify(RecordingSample.row("S", kind: "sensor", seed: 1), #"{"t":1,"mark":"m"}"#)
        #expect(sensor.line == "x.jsonl: not compared, not supported yet: sensors")
        let plain = verify(#"{"id": 1, "t": 281, "ota": "A", "route": "DIRECT", "type": "ADVERT"}"#)
        #expect(plain.line == "x.jsonl: not compared, not supported yet: decrypted payloads of another recording")
        #expect(FixtureReport.render([sensor, plain]).last == "0 passed, 0 failed")
    }

    @Test func `console windows are compared with echo and reply`() {
        func console(_ output: String) -> FixtureReport {
            verify(
                RecordingSample.row("R", kind: "repeater", seed: 1),
                #"{"t":2200,"node":"R","dir":"cli","t_sent":2000,"cmd":"get name","out":"\#(output)"}"#)
        }
        #expect(console(#"get name\r\n  -> > Oracle Repeater\r\n"#).line == "x.jsonl: 1 rows alike")
        let wrong = console(#"get name\r\n  -> > Other\r\n"#)
        #expect(wrong.failed == 1)
        #expect(wrong.differences.joined().contains(#"console "get name\r\n  -> > Oracle Repeater\r\n""#))
    }

    @Test func `a node that switches itself off is compared`() {
        let report = verify(
            RecordingSample.row("R", kind: "repeater", seed: 1), #"{"t":2001,"node":"R","event":"poweroff"}"#,
            #"{"t":2200,"node":"R","dir":"cli","t_sent":2000,"cmd":"poweroff","out":"poweroff\r\n"}"#)
        #expect(report.line == "x.jsonl: 2 rows alike", "\(report.differences)")
    }

    @Test func `an unreadable file is an error of that file`() {
        let report = verify("{")
        #expect(!report.isGood)
        #expect(report.line.hasPrefix("x.jsonl:1: not JSON"))
        #expect(FixtureReport.render([report]).last == "0 passed, 0 failed")
    }
}
