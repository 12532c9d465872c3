import RigBase
import RigTestKit
import ScenarioModel
import Testing

@Suite struct YAMLWriterTests {
    private func parse(_ text: String) throws -> YAMLNode { try YAMLFile.parse(Array(text.utf8), file: "t.yaml") }

    private static let catalogue = Fixture.repositoryRoot() + "/Scenarios"

    @Test func `every file of the catalogue reads as the same tree when written`() throws {
        let files = try FileAccess.files(below: Self.catalogue)
        #expect(files.count > 30)
        for file in files {
            let tree = try ScenarioFolder.node(at: Self.catalogue + "/" + file)
            let text = YAMLWriter.text(tree)
            #expect(try parse(text).saysTheSame(as: tree), "\(file):\n\(text)")
            #expect(text == YAMLWriter.text(try parse(text)), "\(file)")
            #expect(!text.split(separator: "\n").contains { $0.last == " " }, "\(file)")
        }
    }

    @Test func `it is written as people write it`() throws {
        let text = """
            title: A title, with [brackets] and no:colon
            tags: [one, two]

            world:
              nodes:
                alice: { contacts: [bob, { generate: 3 }], quirks: {} }
                bob: {}

            steps:
              - connect
              - send: { to: bob, text: "hi: \\"you\\" \\x1b" }
                expect:
                  - { status: delivered, within: 5s }
                  - name: two
                    frames: { command: app-start, attempts: [0, 1] }
              - connect:
                expect: { contacts: 3 }

            """
        #expect(YAMLWriter.text(try parse(text)) == text)
    }

    @Test(arguments: [
        "a: \"- x\"", "a: \"\"", "a:", "- ", "- - a\n  - b\n- c", "a: [\"x, y\", z]", "a: 'it''s'", "\"a: b\": c",
        "a: |\n  two\n  lines\n",
        "a: {b: {c: {d: {e: f}}}}", "a: [[[[]]]]", "a: \"\\u2028\\u202e\\ufeff\\x7f\"", "a: -1", "a: - b", "a: b#c",
        "a: \"b #c\"",
        "a: tcp:127.0.0.1:5000", "[a, {b: tcp:h:1}]", "a: \"---\"", "a: ${x}", "a: {b: '${x}'}", "? a\n: b", "x",
        "\"x\"", "a: \"🦊 ü\"",
        "a: { b: , c: d }", "a: '!x'", "a: '* b'", "a: \"x:\"", "a: [ -1, 'y:' ]", "a: \" x \"", "\"-\": \"?\"",
    ])
    func `awkward trees come back`(text: String) throws {
        guard let tree = try? parse(text) else { return }
        let written = YAMLWriter.text(tree)
        #expect(try parse(written).saysTheSame(as: tree), "\(written)")
    }

    @Test func `trees of chance come back`() throws {
        var random = Prng(seed: 7)
        for _ in 0..<300 {
            let tree = Self.tree(&random, depth: 0)
            if tree.isEmpty { continue }
            let written = YAMLWriter.text(tree)
            #expect(try parse(written).saysTheSame(as: tree), "\(written)")
        }
    }

    private static let pieces = [
        "a", "b c", ": ", " #", "-", "[", "]", "{", "}", ",", "\"", "'", "\\", "\n", "\t", "ü", "?", "!", "&", "*", "|",
        ">", "%", "@", "0", "~",
    ]

    private static func text(_ random: inout Prng) -> String {
        (0..<random.index(below: 5)).map { _ in pieces[random.index(below: pieces.count)] }.joined()
    }

    private static func tree(_ random: inout Prng, depth: Int) -> YAMLNode {
        let spot = SourceSpot(file: "t.yaml", line: 1, column: 1)
        let count = random.index(below: 4)
        switch random.index(below: depth > 5 ? 1 : 3) {
        case 0: return YAMLNode(.scalar(YAMLScalar(text(&random), isPlain: false)), at: spot)
        case 1: return YAMLNode(.sequence((0..<count).map { _ in tree(&random, depth: depth + 1) }), at: spot)
        default:
            let entries = (0..<count).map {
                YAMLEntry(key: "\($0)" + text(&random), keySpot: spot, value: tree(&random, depth: depth + 1))
            }
            return YAMLNode(.mapping(entries), at: spot)
        }
    }
}
