import RunRecord
import ScenarioModel
import Testing

@testable import ScenarioRunner

@Suite struct `Examples of link models` {
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        /// What is taken out, and what takes its place.
        var part: String
        var other: String
        var testDescription: String { name + " with " + other }
    }

    static let examples = [
        Example(name: "fading", part: ", fading: { sigma: 4, correlation: 20s }", other: ""),
        Example(name: "schedule", part: ", schedule: [{ at: 5s, cut: true }, { at: 25s, snr: 3 }]", other: ""),
        Example(name: "geometry", part: "extra-loss: 25", other: "extra-loss: 45"),
        Example(name: "geometry", part: "extra-loss: 25", other: "extra-loss: 5"),
        Example(name: "hidden", part: "medium: contention", other: "medium: lossy"),
        Example(name: "carrier-sense", part: "misses: 90%", other: "misses: 0%"),
    ]

    /// An example that held as well without what it is about would show nothing.
    @Test(arguments: examples) func `fail without what they are about`(example: Example) throws {
        let path = Catalogue.root + "/examples/links/\(example.name).yaml"
        let text = String(decoding: try FileAccess.read(path), as: UTF8.self)
        #expect(text.contains(example.part))
        for seed: UInt64 in 1...2 {
            #expect(try verdict(text, seed) == .passed)
            #expect(try verdict(text.replacing(example.part, with: example.other), seed) == .failed)
        }
    }

    private func verdict(_ text: String, _ seed: UInt64) throws -> Verdict {
        let node = try YAMLFile.parse(Array(text.utf8), file: "example.yaml")
        let documents = try ScenarioDocument.cases(of: node, id: "example")
        return CaseRunner(try #require(documents.first), RunSettings(seed: seed)).run().verdict
    }
}
