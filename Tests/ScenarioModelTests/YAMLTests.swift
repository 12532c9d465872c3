import ScenarioModel
import Testing

@Suite struct YAMLTests {
    private func parse(_ text: String) throws -> YAMLNode { try YAMLFile.parse(Array(text.utf8), file: "a.yaml") }

    private func failure(_ bytes: [UInt8]) -> String {
        do {
            let node = try YAMLFile.parse(bytes, file: "a.yaml")
            return "parsed: \(node.flowText)"
        } catch { return "\(error)" }
    }

    private func failure(_ text: String) -> String { failure(Array(text.utf8)) }

    @Test func `keeps order, places and the text of scalars as written`() throws {
        let node = try parse("b: no\na:\n  - 0777\n  - 'on'\n  - {x: 1e3}\n")
        let entries = try #require(node.mapping)
        #expect(entries.map(\.key) == ["b", "a"])
        #expect(entries[0].value.scalar == YAMLScalar("no", isPlain: true))
        let list = try #require(entries[1].value.sequence)
        #expect(list[0].text == "0777")
        #expect(list[1].scalar == YAMLScalar("on", isPlain: false))
        #expect(list[2]["x"]?.text == "1e3")
        #expect("\(list[2]["x"]!.spot)" == "a.yaml:5:9")
        #expect("\(entries[1].keySpot)" == "a.yaml:2:1")
    }

    @Test func `accepts JSON and a byte order mark`() throws {
        let node = try parse("\u{FEFF}{\"title\":\"a \\\"b\\\"\",\"list\":[1,true,null]}")
        #expect(node["title"]?.text == "a \"b\"")
        #expect(node["list"]?.sequence?.map(\.text) == ["1", "true", "null"])
    }

    @Test func `reads what JSON writes beyond sixteen bits`() throws {
        let text = #"{"a":"\ud83e\udd8a!","b":"\\ud83e\udd8a","c":"\ud83e","d":"\u00e4"}"#
        let bytes = Array(text.replacing(#","b":"\\ud83e\udd8a","c":"\ud83e""#, with: #","b":"\\ud83e""#).utf8)
        let node = try YAMLFile.parse(bytes, file: "a.json")
        #expect(node["a"]?.text == "🦊!")
        #expect(node["b"]?.text == "\\ud83e")
        #expect(node["d"]?.text == "ä")
        #expect(throws: ScenarioError.self) { try YAMLFile.parse(Array(text.utf8), file: "a.json") }
    }

    @Test func `counts columns in characters`() throws {
        #expect(try parse("a: {ä: 1, b: 2}").mapping?[0].value.mapping?[1].keySpot.column == 11)
    }

    @Test(arguments: [
        ("", "a.yaml:1:1: the file is empty"),
        ("# only a comment\n", "a.yaml:1:1: the file is empty"),
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3:1: key \"a\" is given twice (first in line 1)"),
        ("a: 1\n---\nb: 1\n", "a.yaml:2:1: a second document begins here; one file holds one document"),
        ("a:\n\t- b\n", "a.yaml:2:1: a tab cannot indent YAML; use spaces"),
        ("a: !!str b\n", "a.yaml:1:4: tags such as \"tag:yaml.org,2002:str\" are not used in these files"),
        ("a: *b\n", "a.yaml:1:4: nothing before this is named &b"),
        ("a: &a [*a]\n", "a.yaml:1:8: nothing before this is named &a"),
        ("? [1]\n: 2\n", "a.yaml:1:3: a key must be a word, not a list or mapping"),
        ("? &k [1]\n: 2\n", "a.yaml:1:3: a key must be a word, not a list or mapping"),
    ])
    func `says what is wrong and where`(text: String, message: String) { #expect(failure(text) == message) }

    @Test(arguments: ["a: [1", "a: \"x", "a: b: c", "- a\nb: 1", "a: @x", "{", "a: |\n\u{7}"])
    func `places every syntax error`(text: String) {
        let found = failure(text)
        #expect(found.hasPrefix("a.yaml:"))
        #expect(found.contains("not YAML"))
    }

    @Test func `refuses bytes that are not UTF-8`() {
        #expect(failure([0x61, 0x3A, 0x20, 0x0A, 0x62, 0xFF]) == "a.yaml:2:2: the file is not UTF-8 here")
        #expect(failure([0xFF, 0xFE, 0x61, 0x00]) == "a.yaml:1:1: the file is UTF-16; save it as UTF-8")
        #expect(failure([0x61, 0x3A, 0x20, 0x00]).contains("not YAML"))
    }

    @Test func `resolves aliases to the anchored value`() throws {
        let node = try parse("a: &x {k: 1}\nb: *x\n")
        #expect(node["b"]?["k"]?.text == "1")
        #expect(node["b"]?.spot.line == 2)
    }

    @Test func `bounds what aliases repeat`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...30 {
            text +=
                "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
                + "]\n"
        }
        #expect(failure(text).contains("more than 200000 values"))
    }

    @Test func `bounds depth, written out and through aliases`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "x" + String(repeating: "]", count: depth)
        }
        #expect(try parse(nested(64)).sequence?.count == 1)
        #expect(failure(nested(65)) == "a.yaml:1:65: nested deeper than 64 levels")
        #expect(failure(nested(100_000)).contains("nested deeper than 64 levels"))
        let chain = (1...70).map { "a\($0): &a\($0) [" + ($0 == 1 ? "x" : "*a\($0 - 1)") + "]\n" }.joined()
        #expect(failure(chain).contains("nested deeper than 64 levels"))
    }

    @Test func `bounds the size of a file`() {
        let bytes = [UInt8](repeating: 0x20, count: YAMLFile.sizeLimit + 1)
        #expect(failure(bytes).contains("at most 4194304 are read"))
    }

    @Test func `survives every cut and every flipped byte of a file`() {
        let bytes = Array("a: &x [1, 'b', \"c\\n\"]\nd: {e: *x, f: |\n  g\n  }\n? h\n: i\n".utf8)
        for end in 0...bytes.count { #expect(!failure(Array(bytes[..<end])).isEmpty) }
        for position in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[position] ^= 1 << bit
                #expect(!failure(changed).isEmpty)
            }
        }
    }
}
