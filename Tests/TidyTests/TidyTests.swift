import Foundation
import Testing

/// The habits of this house, as far as a program can see them.
@Suite struct TidyTests {
    /// Targets in which nothing may depend on the machine or on chance.
    private static let deterministicZone = [
        "RigBase", "RunRecord", "CompanionProtocol", "MeshProtocol", "RadioSimulator",
    ]
    .map { "Sources/" + $0 }

    private func inZone(_ file: SourceFile) -> Bool { Self.deterministicZone.contains { file.isBelow($0) } }

    private func expectNone(_ places: [String], _ rule: Comment) { #expect(places.isEmpty, rule) }

    @Test func `there is something to look at`() {
        #expect(SourceTree.sources.count > 50)
        #expect(SourceTree.tests.count > 10)
        #expect(Self.deterministicZone.allSatisfy { zone in SourceTree.sources.contains { $0.isBelow(zone) } })
    }

    @Test func `no product target imports Foundation or Dispatch`() {
        let pattern = #"^\s*((public|package|internal|private|@\w+)\s+)*import\s+(Foundation\w*|Dispatch)\b"#
        expectNone(SourceTree.sources.flatMap { $0.places(of: pattern) }, "slow to start, and not the same everywhere")
    }

    @Test func `the deterministic zone touches no machine`() {
        let pattern = #"^\s*((public|package|internal|private|@\w+)\s+)*import\s+(Glibc|Musl|Darwin)\b"#
        expectNone(SourceTree.sources.filter(inZone).flatMap { $0.places(of: pattern) }, "the machine leaks in")
    }

    @Test func `the deterministic zone draws no chance and reads no clock`() {
        let pattern =
            #"\b(Date|UUID)\(\)|\.random\((in|using):|\.randomElement\(|\.shuffled\(\)|SystemRandomNumberGenerator|\bTask\b|ContinuousClock|SuspendingClock|\bDouble\b"#
        // What the firmware itself computes or stores in floating point.
        let floating = [
            "SinglePrecision.swift", "Preferences.swift", "ServerPreferences.swift", "ServerSetting+All.swift",
            "ConsoleText.swift",
        ]
        let files = SourceTree.sources.filter { inZone($0) && !floating.contains($0.name) }
        expectNone(files.flatMap { $0.places(of: pattern) }, "two runs would differ")
    }

    @Test func `unstructured tasks are made by the runtime alone`() {
        let pattern = #"(?<!-> )\bTask\s*(<[^>]*>)?\s*[({]|Task\.(detached|immediate)|@concurrent|@MainActor"#
        let files = SourceTree.sources.filter { !$0.isBelow("Sources/RigRuntime") }
        expectNone(files.flatMap { $0.places(of: pattern) }, "such a task leaves the run's thread")
    }

    @Test func `no Swift code outside the runtime and tests sleeps by itself`() {
        let pattern = #"Task\.sleep|\busleep\(|\bnanosleep\(|\bsleep\(\d"#
        let files = SourceTree.sources.filter { !$0.isBelow("Sources/RigRuntime") && !$0.isBelow("Benchmarks") }
        expectNone(files.flatMap { $0.places(of: pattern) }, "time moves only through the runtime")
    }

    @Test func `tests wait for no wall clock`() {
        let pattern = #"Task\.sleep|\busleep\(|\bnanosleep\(|Thread\.sleep|\bsleep\(\d"#
        expectNone(SourceTree.tests.flatMap { $0.places(of: pattern) }, "a test that sleeps is slow and flaky")
    }

    @Test func `files keep to their size`() {
        let long = (SourceTree.sources + SourceTree.tests).filter { file in
            let isLarge = file.isBelow("Tests") || file.name.hasSuffix("Machine.swift")
            return file.lines.count > (isLarge ? 800 : 500)
        }
        expectNone(long.map { "\($0.path): \($0.lines.count) lines" }, "500 lines, machines and tests 800")
    }

    /// Functions above 60 lines that there are; this number only ever goes down.
    private static let longFunctionsAllowed = 0

    @Test func `functions keep to sixty lines`() {
        let functions = (SourceTree.sources + SourceTree.tests).flatMap(\.functions)
        #expect(functions.count > 500, "the counter sees functions")
        let long = functions.filter { $0.lines > 60 }.map { "\($0.place): \($0.lines) lines" }
        #expect(long.count <= Self.longFunctionsAllowed, "\(long.joined(separator: ", "))")
    }

    @Test func `nothing is left for later and nothing tells of how it was made`() {
        let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X:", "issue " + "#", "/work" + "/", "placeholder" + ".swift"]
        let endings = [".swift", ".md", ".yaml", ".c", ".h", ".py", ".sh", ".txt"]
        var files = ["Sources", "Tests", "Benchmarks", "Scenarios", "ci", "docs", ".ci"]
            .flatMap { SourceTree.files(below: $0, endings: endings) }
        files += ["README.md", "Package.swift", "ci/quickstart", "ci/test", ".ci/run"].compactMap { path in
            SourceTree.text(path).map { SourceFile(path: path, text: $0) }
        }
        let found = files.flatMap { file in
            file.lines.enumerated().filter { line in
                words.contains { line.element.localizedCaseInsensitiveContains($0) }
            }
            .map { "\(file.path):\($0.offset + 1): \($0.element)" }
        }
        expectNone(found, "finish it, or leave it out")
    }

    @Test func `every target folder holds real code`() {
        let empty = SourceTree.sources.filter { $0.code.allSatisfy { $0.trimmingCharacters(in: .whitespaces).isEmpty } }
        expectNone(empty.map(\.path), "an empty file")
    }

    @Test func `every type says what it is for`() {
        let declaration =
            #"^(public |package |private |fileprivate |internal |final |indirect |nonisolated |@\w+(\([^)]*\))? )*(struct|class|enum|actor|protocol) \w"#
        var bare: [String] = []
        for file in SourceTree.sources {
            for index in file.lineIndices(of: declaration) {
                var above = index - 1
                while above >= 0, file.lines[above].hasPrefix("@") { above -= 1 }
                if above < 0 || !file.lines[above].hasPrefix("///") { bare.append("\(file.path):\(index + 1)") }
            }
        }
        expectNone(bare, "a doc comment above every type")
    }
}
