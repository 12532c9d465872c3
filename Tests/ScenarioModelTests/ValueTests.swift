import RigBase
import ScenarioModel
import Testing

@Suite struct ValueTests {
    @Test(arguments: [
        ("20s", 20_000_000), ("250ms", 250_000), ("3min", 180_000_000), ("1h", 3_600_000_000), ("1.5s", 1_500_000),
        ("1min30s", 90_000_000), ("5us", 5), ("2d", 172_800_000_000), ("0s", 0),
    ])
    func `reads a duration`(text: String, microseconds: Int64) {
        #expect(ScalarText.duration(text) == .microseconds(microseconds))
    }

    @Test(arguments: ["", "20", "s", "20 s", "20sec", "-5s", "1..5s", "1e3s", "99999999999d", "9999999999999999999s"])
    func `refuses what is no duration`(text: String) { #expect(ScalarText.duration(text) == nil) }

    @Test func `reads a signed duration only where one is meant`() {
        #expect(ScalarText.duration("-5min", signed: true) == .seconds(-300))
        #expect(ScalarText.duration("+1s", signed: true) == .seconds(1))
        #expect(ScalarText.duration("--1s", signed: true) == nil)
    }

    @Test(
        arguments: [
            ("777", 777), ("0777", 777), ("0x1F", 31), ("-3", -3), ("+4", 4), ("1e3", nil), ("", nil), ("0x", nil),
            ("1_000", nil), ("--1", nil), ("0x-1", nil), ("99999999999999999999", nil),
        ] as [(String, Int?)])
    func `reads whole numbers`(text: String, value: Int?) { #expect(ScalarText.integer(text) == value) }

    @Test(
        arguments: [
            ("9", 36), ("6.25", 25), ("-7.5", -30), ("6.1", 24), ("6.13", 25), ("-6.125", -25), ("x", nil), ("1.", nil),
        ] as [(String, Int?)])
    func `reads dB as quarters`(text: String, value: Int?) { #expect(ScalarText.quarterDecibel(text) == value) }

    @Test func `reads shares`() {
        #expect(ScalarText.ratio("10%") == Ratio(partsPerMillion: 100_000))
        #expect(ScalarText.ratio("0.5%") == Ratio(partsPerMillion: 5_000))
        #expect(ScalarText.ratio("1/8") == Ratio(1, in: 8))
        #expect(ScalarText.ratio("0") == .never)
        for text in ["101%", "3/2", "1/0", "0.1", "1", "-1/2", "%", "1/2/3"] { #expect(ScalarText.ratio(text) == nil) }
    }

    @Test(arguments: [
        ("bob", "bob", true), ("bob", "bobby", false), ("/bob/", "bobby", true), ("/^bob$/", "bobby", false),
        ("/^b.b/", "bib", true), ("/b[a-i]*b$/", "baib", true), ("/b[^a-i]b/", "bab", false), ("/a|b/", "xb", true),
        ("/^(/", "x", false), ("/BOB/i", "xbob", true), ("/a\\.b/", "a.b", true), ("/a\\.b/", "axb", false),
        ("/x?y+/", "yy", true), ("/^x?y+$/", "xxyy", false), ("//", "//", true), ("/^$/", "", true), ("/$/", "a", true),
        ("/^a*$/", "aab", false),
    ])
    func `matches names`(pattern: String, name: String, matches: Bool) {
        #expect((NamePattern(pattern)?.matches(name) ?? false) == matches)
    }

    @Test func `no pattern runs away`() {
        let pattern = NamePattern("/" + String(repeating: "a*", count: 60) + "b/")
        #expect(pattern?.matches(String(repeating: "a", count: 2_000)) == false)
    }

    @Test(arguments: ["/*/", "/a**/", "/[/", "/[z-a]/", "/\\/", "/a$b/"])
    func `refuses malformed patterns`(text: String) { #expect(NamePattern(text) == nil) }

    private static let shape = ShapeDescriptor(
        "a thing", shorthand: "size",
        [
            FieldDescriptor("size", .integer(1...10), "how large", default: "3"),
            FieldDescriptor("name", .text, "its name", required: true),
            FieldDescriptor("kind", .choice(["red", "green"]), "its colour"),
            FieldDescriptor("on", .bool, "switched on"),
            FieldDescriptor("wait", .duration, "how long"),
            FieldDescriptor("code", .bytes(2...2), "its code"),
            FieldDescriptor("where", .position, "its place"),
            FieldDescriptor("within", .window, "its limit"),
        ])

    private func complaints(_ text: String, _ read: (MappingReader) -> Void = { _ in }) throws -> [String] {
        let problems = ProblemList()
        read(MappingReader(try YAMLFile.parse(Array(text.utf8), file: "t"), Self.shape, problems))
        return problems.errors.map(\.description)
    }

    @Test func `names the nearest known key`() throws {
        let found = try complaints("name: x\nsiez: 4\n")
        #expect(
            found == [
                "t:2:1: unknown key \"siez\"; did you mean \"size\"?\n    "
                    + "known keys: size, name, kind, on, wait, code, where, within"
            ])
    }

    @Test func `reports a missing key and reads defaults and shorthands`() throws {
        #expect(try complaints("size: 4") == ["t:1:1: a thing needs \"name\" (its name)"])
        let found = try complaints("name: x") { #expect($0.integer("size") == 3) }
        #expect(found.isEmpty)
        let short = try complaints("7") { #expect($0.integer("size") == 7) }
        #expect(short.count == 1)
    }

    @Test(arguments: [
        ("size: 11", "size takes a whole number 1…10, found \"11\""),
        ("size: '4'", "size takes a whole number 1…10, found the text \"4\" in quotes"),
        ("kind: gren", "kind cannot be \"gren\"; did you mean \"green\"?"),
        ("on: yes", "on takes true or false, found \"yes\""),
        ("wait: 5", "wait: 5 of what? A duration carries a unit"),
        ("wait: [1]", "wait takes a duration such as 20s or 250ms, found a list"),
        ("code: abc", "code takes 2 bytes in hex, found \"abc\""),
        ("code: abcdef", "code has 3 bytes; it takes 2"),
        ("where: [91, 0]", "where is out of range"),
        ("name:", "name takes text, found nothing"),
    ])
    func `explains a value that does not fit`(text: String, message: String) throws {
        let name = text.hasPrefix("name") ? "" : "name: x\n"
        let found = try complaints(name + text) { reader in
            _ = reader.text("name")
            _ = reader.integer("size")
            _ = reader.text("kind")
            _ = reader.bool("on")
            _ = reader.duration("wait")
            _ = reader.bytes("code")
            _ = reader.position("where")
        }
        #expect(found.count == 1)
        #expect(found.first?.contains(message) == true)
    }

    @Test func `reads a limit for both testbeds`() throws {
        let found = try complaints("name: x\nwithin: {simulator: 2s, radio: 45s}\nwhere: [52.5, -13.000001]") {
            reader in
            #expect(reader.window("within") == WindowDocument(simulator: .seconds(2), radio: .seconds(45)))
            #expect(reader.position("where")?.latitudeE6 == 52_500_000)
            #expect(reader.position("where")?.longitudeE6 == -13_000_001)
        }
        #expect(found.isEmpty)
    }

    @Test func `keeps at most twenty complaints`() {
        let problems = ProblemList()
        let spot = SourceSpot(file: "t", line: 1, column: 1)
        for number in 1...25 { problems.add(spot, "\(number)") }
        do {
            try problems.throwIfAny()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.errors.count == 20)
            #expect(error.description.hasSuffix("… and 5 more"))
        }
    }
}
