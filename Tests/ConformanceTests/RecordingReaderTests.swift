import MeshProtocol
import RigBase
import RunRecord
import Testing

@testable import Conformance

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue { try JSONReader.read(Array(text.utf8)[...]) }

    @Test func `values of every kind are read`() throws {
        let value = try read(
            #" {"a": [1, -2.5e3, true, false, null], "b": {"c": "x\n\u00e9\ud83d\ude00\"/"}, "d": ""} "#)
        #expect(value["a"]?.elements?[0].integer == 1)
        #expect(value["a"]?.elements?[1].decimal == -2_500)
        #expect(value["a"]?.elements?[1].integer == nil)
        #expect(value["a"]?.elements?[2...] == [.bool(true), .bool(false), .null])
        #expect(value["b"]?["c"]?.text == "x\né😀\"/")
        #expect(value["d"]?.text == "")
        #expect(value["e"] == nil)
    }

    @Test(
        arguments: [
            "", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "1.", "-", "+1", "nul", "\"\\x\"", "\"\\u12\"",
            "\"\\ud800\"", "\"a", "1 2", "\"\u{1}\"", "{\"a\":1,\"a\":2}", "\"\\u+123\"", "[1", "NaN",
        ])
    func `what is no JSON is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSONReader.read(Array(text.utf8)[...]) }
    }

    @Test func `deep nesting is refused before it exhausts the stack`() {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError(offset: 64, problem: "nested too deeply")) {
            try JSONReader.read(Array(text.utf8)[...])
        }
    }

    @Test func `random bytes never trap`() {
        var generator = Prng(seed: 9)
        let alphabet = Array("{}[]\",:\\u0123eE+-.tfn \u{7f}".utf8)
        for _ in 0..<20_000 {
            let text = (0..<generator.index(below: 30)).map { _ in alphabet[generator.index(below: alphabet.count)] }
            _ = try? JSONReader.read(text[...])
        }
    }
}

@Suite struct RecordingReaderTests {
    private static let header = RecordingSample.header

    private func problem(_ rows: String...) -> String? {
        let text = ([Self.header] + rows).joined(separator: "\n")
        do throws(RecordingError) {
            _ = try RecordingReader.read(file: "x.jsonl", contents: Array(text.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `every row kind of the format is read`() throws {
        let rows = [
            #"{"t":-1,"meta":{"file":"x","rtc":1,"radio":[869525,250000,11,5],"chunk_ms":5,"firmware":"v"}}"#,
            Self.header, RecordingSample.secondHeader,
            #"{"t":-1,"link":["A","B"],"snr":-3.3,"rssi":-60}"#,
            #"{"t":0,"node":"A","dir":"app>radio","hex":"05","note":"n"}"#,
            #"{"t":1,"node":"A","dir":"app>radio","raw":"3c010005"}"#,
            #"{"t":1,"node":"A","dir":"radio>app","hex":"00"}"#,
            #"{"t":2,"ota":"A","id":1,"airtime_us":9,"hex":"0d00aabbccdd","params":[1,2,3,4],"rx":[["B",3,"crc"]]}"#,
            #"{"t":3,"ota":"@inject","id":2,"to":"A","snr":8.0,"rssi":-80,"hex":"0d00aabbccdd","rx":[["A",103,"ok"]]}"#,
            #"{"t":4,"link_oneway":["B","A"],"snr":1,"rssi":-1}"#, #"{"t":4,"unlink":["A","B"]}"#,
            #"{"t":4,"unlink_oneway":["A","B"]}"#, #"{"t":5,"lost":["A","B"],"hex":"0d"}"#,
            #"{"t":6,"node":"B","dir":"cli","t_sent":1,"cmd":"ver","out":"ver\r\n"}"#, #"{"t":7,"mark":"m"}"#,
            #"{"t":8,"node":"A","event":"reboot","rtc":9,"boot":10}"#, #"{"t":9,"node":"A","event":"poweroff"}"#,
            #"{"t":9,"node":"A","event":"process-exit","rc":-11}"#, "",
        ].joined(separator: "\n")
        let recording = try RecordingReader.read(file: "x", contents: Array(rows.utf8))
        #expect(recording.rows.count == 14)
        #expect(recording.chunkMillis == 5)
        #expect(recording.radio.spreadingFactor == 11)
        #expect(recording.links.first?.snrQuarterDB == -13)
        #expect(recording.rows[3].line == 8)
    }

    @Test func `an unknown row kind is named with file and line`() {
        #expect(
            problem(#"{"t":1,"mark":"m"}"#, #"{"t":2,"weather":"rain"}"#)
                == "x.jsonl:3: unknown kind of row with 't', 'weather'")
    }

    @Test func `what is wrong in a row is named`() {
        #expect(problem("{") == "x.jsonl:2: not JSON: a member's name is missing at byte 1")
        #expect(problem("[]") == "x.jsonl:2: a row is an object")
        #expect(problem(#"{"t":1,"node":"Z","dir":"cli"}"#)?.hasSuffix("no header row describes a node 'Z'") == true)
        #expect(problem(#"{"t":1,"node":"A","dir":"up"}"#)?.contains("'up' is no direction") == true)
        #expect(problem(#"{"t":1,"node":"A","dir":"radio>app","hex":"0"}"#) == "x.jsonl:2: 'hex' is not hex")
        #expect(problem(#"{"t":2,"mark":"b"}"#, #"{"t":1,"mark":"a"}"#)?.contains("order of time") == true)
        #expect(problem(#"{"t":1,"node":"A","event":"explode"}"#)?.contains("'explode' is no event") == true)
        #expect(problem(#"{"mark":"no time"}"#)?.contains("'t' is missing") == true)
        #expect(problem()?.contains("nothing to compare") == true)
        for time in ["-2", "31622400001", "9223372036854775807"] {
            #expect(problem(#"{"t":\#(time),"mark":"m"}"#)?.contains("'t' is \(time), outside") == true)
            let reboot = #"{"t":1,"node":"A","event":"reboot","rtc":0,"boot":\#(time)}"#
            #expect(problem(reboot)?.contains("'boot' is \(time), outside") == true)
        }
        #expect(
            problem(Self.header.replacing(#""seed":1"#, with: #""seed":-1"#))?.contains("outside 0 … 4294967295")
                == true)
    }

    @Test func `a byte order mark in front is no part of the text`() throws {
        let text = "\u{FEFF}" + Self.header + "\n" + #"{"t":1,"mark":"m"}"#
        #expect(throws: Never.self) { try RecordingReader.read(file: "x.jsonl", contents: Array(text.utf8)) }
    }

    @Test func `a list of recordings notices what is missing and what was changed`() throws {
        let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        let text =
            #"{"files":[{"file":"a","sha256":"\#(sum)"},{"file":"b","sha256":"\#(sum)"},{"file":"c","sha256":"\#(sum)"}]}"#
        let manifest = try RecordingManifest(file: "m.json", contents: Array(text.utf8))
        let problems = manifest.problems { name in
            ["a": Array("hello".utf8), "b": Array("hallo".utf8)][name]
        }
        #expect(problems.count == 2)
        #expect(problems[0].contains("b is not the file that was listed"))
        #expect(problems[1] == "m.json: c is not there")
        #expect(throws: RecordingError.self) { try RecordingManifest(file: "m", contents: Array("{}".utf8)) }
    }

    @Test func `damaged recordings never trap`() {
        let text = Array(
            (Self.header + "\n"
                + #"{"t":3,"ota":"@inject","to":"A","snr":8,"rssi":-80,"hex":"0d00","rx":[["A",1,"ok"]]}"#)
                .utf8)
        var generator = Prng(seed: 11)
        for _ in 0..<3_000 {
            var changed = text
            for _ in 0..<3 { changed[generator.index(below: changed.count)] = generator.byte() }
            _ = try? RecordingReader.read(file: "x", contents: changed)
        }
        for length in 0..<text.count { _ = try? RecordingReader.read(file: "x", contents: Array(text[..<length])) }
    }
}
