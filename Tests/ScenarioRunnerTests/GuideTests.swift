import RigTestKit
import RunRecord
import ScenarioModel
import ScenarioRunner
import Testing

/// A piece of YAML as a page of the documentation shows it.
struct GuidePiece: Sendable, CustomTestStringConvertible {
    var page: String
    var line: Int
    var text: String
    var testDescription: String { "\(page):\(line)" }

    /// Every YAML block of a page, without the indentation that all its lines share.
    static func all(of page: String) -> [GuidePiece] {
        let text = (try? FileAccess.read(Fixture.repositoryRoot() + "/" + page)).map {
            String(decoding: $0, as: UTF8.self)
        }
        var pieces: [GuidePiece] = []
        var open: (line: Int, lines: [Substring])?
        for (number, line) in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line == "```yaml" {
                open = (number + 2, [])
            } else if line == "```", let block = open {
                let indent = block.lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
                let lines = block.lines.map { $0.dropFirst(indent) }
                pieces.append(GuidePiece(page: page, line: block.line, text: lines.joined(separator: "\n")))
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        return pieces
    }
}

@Suite struct `Pages of the documentation` {
    /// What pieces that are no whole scenario are put into.
    static let surroundings = """
        title: t
        requirement: r
        world:
          nodes:
            alice: { contacts: [bob], channels: [public, "#test", "#hike"] }
            bob: { contacts: [alice], channels: [public, "#test", "#hike"] }
            hill: { role: repeater }
          links: { alice-hill: 9, hill-bob: 7 }
        steps:
          - connect
          - send: { to: bob, text: "hello" }
            within: 60s
            expect: { status: delivered }
        """

    static let pieces = ["docs/scenarios.md", "docs/mesh.md"].flatMap(GuidePiece.all)

    @Test func `show scenarios`() { #expect(Self.pieces.count > 10) }

    @Test(arguments: pieces) func `show what runs`(piece: GuidePiece) throws {
        let whole = try Self.whole(piece)
        let document = try #require(try ScenarioDocument.cases(of: whole, id: "piece").first)
        let result = CaseRunner(document, RunSettings()).run()
        #expect(result.verdict == .passed, "\(result.reason) \(result.failures.map { $0.name + ": " + $0.seen })")
    }

    /// The scenario that a piece stands for.
    static func whole(_ piece: GuidePiece) throws -> YAMLNode {
        func parse(_ text: String, as name: String = piece.testDescription) throws -> YAMLNode {
            try YAMLFile.parse(Array(text.utf8), file: name)
        }
        let node = try parse(piece.text)
        let keys = node.mapping?.map(\.key) ?? []
        let catalogue = OverlayFiles(root: Catalogue.root)
        if keys.contains("extends") { return try ScenarioDocument.whole(node, open: catalogue.open) }
        let scenario = ScenarioDocument.shape.keys
        // A world that lists all it has stands for itself, and so do links that name other nodes.
        var text = piece.text
        if keys.allSatisfy(WorldDocument.shape.keys.contains) {
            text = "world:\n" + indented(piece.text)
        } else if !keys.allSatisfy(scenario.contains) {
            text = "world:\n  nodes:\n" + indented(indented(piece.text))
        }
        let top = try parse("extends: surroundings\n" + text)
        return try ScenarioDocument.whole(
            top,
            open: { (name, spot) throws(ScenarioErrors) in
                do {
                    return name == "surroundings"
                        ? try parse(surroundings, as: name) : try catalogue.open(name, at: spot)
                } catch let error as ScenarioErrors {
                    throw error
                } catch {
                    throw ScenarioErrors([])
                }
            })
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(separator: "\n")
    }
}
