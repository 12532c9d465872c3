import RigTestKit
import RunRecord
import ScenarioModel
import Testing

@testable import ScenarioRunner

/// One file of the catalogue that shows a part of the language.
private struct Example: Sendable {
    /// Path below `Scenarios/examples` without its ending.
    var name: String
    var path: String
    var text: String

    init(_ name: String) throws {
        self.name = name
        path = Catalogue.root + "/examples/\(name).yaml"
        text = String(decoding: try FileAccess.read(path), as: UTF8.self)
    }

    /// All cases of the file, with another text in it when one is given.
    func documents(_ other: String? = nil) throws -> [ScenarioDocument] {
        let node = try YAMLFile.parse(Array((other ?? text).utf8), file: path)
        return try ScenarioDocument.cases(
            of: node, id: "examples/" + name, open: OverlayFiles(root: Catalogue.root).open)
    }

    /// Whether a key or a bare word of that name stands anywhere in the file.
    func uses(_ word: String) throws -> Bool {
        Self.uses(word, try YAMLFile.parse(Array(text.utf8), file: path))
    }

    private static func uses(_ word: String, _ node: YAMLNode) -> Bool {
        if let entries = node.mapping { return entries.contains { $0.key == word || uses(word, $0.value) } }
        return node.sequence?.contains { $0.text == word || uses(word, $0) } ?? false
    }
}

@Suite struct `Examples of the language` {
    /// Keys of a file that every example shows, or those of another folder.
    static let plainKeys = [
        "title", "requirement", "refs", "tags", "tier", "level", "world", "client", "steps", "faults", "expect",
        "defect",
    ]
    static let lists = ["always", "never", "sometimes"]
    static let folders = ["steps/", "expectations/", "language/"]

    static var names: [String] {
        let prefix = "examples/"
        let ids = Set(Catalogue.documents.map { String($0.id.prefix { $0 != "[" }) })
        return ids.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    /// What must be shown, and the word that must be in the file.
    static var wanted: [(name: String, word: String)] {
        let verbs = StepCatalog.all.map(\.keyword) + [StepNode.parallelVerb, StepNode.repeatKey]
        let expectations =
            ExpectationCatalog.all.map(\.keyword) + ExpectationCatalog.modifiers.keys
            + FieldCondition.comparingShape.keys + lists
        let options =
            ScenarioDocument.shape.keys.filter { !plainKeys.contains($0) && !lists.contains($0) }
            + StepNode.modifiers.keys.filter { $0 != "expect" }
        let client = ClientDocument.shape.keys.filter { $0 != "role" }
        return verbs.map { (ExampleFiles.step($0), $0) } + expectations.map { (ExampleFiles.expectation($0), $0) }
            + options.map { (ExampleFiles.option($0), $0) } + client.map { (ExampleFiles.option("client-" + $0), $0) }
            + GeneratorDocument.Form.allCases.map { (ExampleFiles.option("generate-\($0.rawValue)"), "generate") }
            + BehaviourDocument.parts.map { (ExampleFiles.script($0.name), $0.name) }
            + FaultCatalog.all.map { (ExampleFiles.fault($0), $0.keyword) }
    }

    @Test func `are there for every verb, expectation, fault and option`() throws {
        let missing = Self.wanted.filter { wanted in (try? Example(wanted.name).uses(wanted.word)) != true }
        #expect(missing.map(\.name) == [])
    }

    @Test func `use faults at the seam they are named after`() throws {
        for kind in FaultCatalog.all {
            let faults = try Example(ExampleFiles.fault(kind)).documents().flatMap(\.faults)
            let isUsed = faults.contains { $0.action == kind.keyword && FaultCatalog.seam(of: $0) == kind.seam }
            #expect(isUsed, "\(kind.keyword) on \(kind.seam)")
        }
    }

    @Test func `are short, and say what they are`() throws {
        for name in Self.names {
            let example = try Example(name)
            let lines = example.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect((12...40).contains(lines), "\(name): \(lines) lines")
        }
    }

    @Test(arguments: ExampleReplacements.all.map { ($0.name, $0.part, $0.other) })
    func `fail when what they show is replaced`(name: String, part: String, other: String) throws {
        let example = try Example(name)
        #expect(example.text.contains(part))
        let changed = try example.documents(example.text.replacing(part, with: other))
        let verdicts = changed.map { CaseRunner($0, RunSettings()).run().verdict }
        // What is required and missing blocks; what should have taken place and did not is dead.
        let wanted: Verdict =
            switch name {
            case ExampleFiles.option("requires"): .blocked
            case ExampleFiles.expectation("sometimes"): .dead
            default: .failed
            }
        #expect(verdicts.contains(wanted), "\(verdicts)")
        #expect(verdicts.allSatisfy { $0 == wanted || $0 == .passed }, "\(verdicts)")
    }

    @Test func `are all shown to fail`() {
        let shown = Set(ExampleReplacements.all.map(\.name))
        let alone = Self.names.filter { name in Self.folders.contains { name.hasPrefix($0) } && !shown.contains(name) }
        #expect(alone == [])
    }

    @Test func `are there where the reference points to`() {
        var targets: [String] = []
        for piece in Reference.markdown.split(separator: "](").dropFirst() {
            let target = piece.prefix { $0 != ")" }
            if target.hasPrefix("../") { targets.append(String(target.dropFirst(3))) }
        }
        #expect(targets.count >= Self.wanted.count)
        #expect(targets.filter { !FileAccess.isFile(Fixture.repositoryRoot() + "/" + $0) } == [])
        let unlinked = Self.wanted.map(\.name).filter { !targets.contains("Scenarios/examples/\($0).yaml") }
        #expect(unlinked == [])
    }
}
