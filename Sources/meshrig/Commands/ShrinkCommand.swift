internal import Reporting
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

/// Makes a failing scenario as small as it can be while it still fails alike.
enum ShrinkCommand {
    static let command = Command(
        "shrink", "Makes the scenario of a replay bundle small while it still fails in the same way.",
        words: "BUNDLE",
        options: [
            OptionDescriptor("--output", short: "-o", .text("FILE"), "where the small scenario goes"),
            OptionDescriptor(
                "--keep", .text("KEYS"), "leave this part of the file alone, such as world.links", repeats: true),
            OptionDescriptor("--max-runs", .number(1...1_000_000), "stop after so many runs; 2000 if missing"),
        ],
        notes: """
            Steps, faults, expectations, nodes, links and settings go, numbers and texts become simple, as long as the verdict
            stays, the same expectation fails in the same way and nothing fails that did not fail before. A run with a
            defect of the client must also pass without it. Whatever else must stay for the failure to mean the same, such as
            the links that a message should have gone over, is said with --keep.

            The file is written beside the bundle, with "-shrunk.yaml" at the end of its name, unless -o names another.
            """,
        example: "meshrig shrink failures/client.sync.full-sync-seed7.json -o small.yaml", run: run)

    private static func run(_ arguments: Arguments, _ output: Output) throws -> Int32 {
        let path = try arguments.words(upTo: 1, needing: "the path of a bundle")[0]
        let bundle = try ReplayBundle(reading: path)
        let target = arguments.text("--output") ?? standardTarget(path)
        let limit = arguments.number("--max-runs") ?? 2_000
        guard
            let start = try ScenarioDocument.filledTree(
                of: try bundle.tree, id: bundle.fileID, caseID: bundle.id, settings: bundle.settings)
        else { throw UsageError("\(path): the scenario in it has no case \(bundle.id)") }
        guard
            let oracle = try FailureOracle(
                start, id: withoutEnding(target), seed: bundle.seed, defects: bundle.defects, limit: limit)
        else {
            throw UsageError("\(path): its run does not fail any more, or never did; there is nothing to shrink")
        }
        // A path that cannot be written to is to be known before the work.
        let file = try Output(creating: target)
        let interruption = Interruption()
        interruption.watch()
        let signature = oracle.signature
        output.write(
            "\(signature.verdict.rawValue)\(signature.name.isEmpty ? "" : ": " + signature.name)\n"
                + progress(oracle, start))
        if oracle.seed != RunSettings.defaultSeed { preferSeed(RunSettings.defaultSeed, oracle, start) }
        let report = ProgressSteps(start)
        let kept = try kept(arguments, start, path)
        var shrinker = TreeShrinker(
            start, holds: { tree in kept.allSatisfy { $0.isIn(tree) } && oracle.holds(tree) },
            isSpent: { oracle.isSpent || interruption.signal != nil },
            progress: { tree in if report.isNews(tree) { output.write(progress(oracle, tree)) } })
        let small = withSeed(shrinker.shrink(), oracle.seed)
        let text = YAMLWriter.text(small)
        file.write(text)
        file.finish()
        if let failure = file.failure { throw WriteFailure(description: failure) }
        let interrupted = interruption.signal.map(Interruption.describe)
        let reason = interrupted?.name ?? (oracle.isSpent ? "--max-runs" : nil)
        let spent = reason.map { ", stopped by " + $0 } ?? ""
        var command = "meshrig run " + ShellWord.quoted(target)
        if !fits(oracle.seed) { command += " --seed \(oracle.seed)" }
        for defect in bundle.defects { command += " --defect " + defect.rawValue }
        output.write("from \(lines(start)) to \(lines(small)) lines in \(oracle.runs) runs\(spent)\n\n")
        if bundle.defects.isEmpty {
            output.write("if it became trivial, keep what matters: --keep world.links\n")
        }
        output.write("\(text)\nwritten to \(target); run it with:\n\(command)\n")
        return interrupted?.code ?? 0
    }

    /// A part of the first tree that is to stay as it is.
    private struct Kept {
        var path: String
        var node: YAMLNode

        func isIn(_ tree: YAMLNode) -> Bool { tree.node(named: path)?.saysTheSame(as: node) ?? false }
    }

    private static func kept(_ arguments: Arguments, _ tree: YAMLNode, _ bundle: String) throws(UsageError) -> [Kept] {
        var kept: [Kept] = []
        for path in arguments.texts("--keep") {
            guard let node = tree.node(named: path) else {
                throw UsageError("--keep \(path): there is no such key in the scenario of \(bundle)")
            }
            kept.append(Kept(path: path, node: node))
        }
        return kept
    }

    private static func progress(_ oracle: FailureOracle, _ tree: YAMLNode) -> String {
        "  \(oracle.runs) runs, \(lines(tree)) lines\n"
    }

    static func lines(_ tree: YAMLNode) -> Int { YAMLWriter.text(tree).split(separator: "\n").count }

    /// A failure that any seed shows needs none in the file.
    private static func preferSeed(_ seed: UInt64, _ oracle: FailureOracle, _ tree: YAMLNode) {
        let before = oracle.seed
        oracle.seed = seed
        if !oracle.holds(tree) { oracle.seed = before }
    }

    /// The file says its seed itself, so that it needs no options.
    private static func withSeed(_ tree: YAMLNode, _ seed: UInt64) -> YAMLNode {
        var entries = (tree.mapping ?? []).filter { $0.key != "seed" }
        if seed != RunSettings.defaultSeed, fits(seed) {
            let position = entries.prefix { ["title", "requirement"].contains($0.key) }.count
            entries.insert(
                YAMLEntry(key: "seed", keySpot: tree.spot, value: .plain("\(seed)", at: tree.spot)), at: position)
        }
        return YAMLNode(.mapping(entries), at: tree.spot)
    }

    /// Files hold seeds of 63 bits.
    private static func fits(_ seed: UInt64) -> Bool { seed <= UInt64(Int.max) }

    private static func standardTarget(_ path: String) -> String { withoutEnding(path) + "-shrunk.yaml" }

    private static func withoutEnding(_ path: String) -> String {
        for ending in ScenarioFolder.endings where path.hasSuffix(ending) && path.count > ending.count {
            return String(path.dropLast(ending.count))
        }
        return path
    }
}

/// Lets through the trees that are shorter than all before, for a report that stays short.
private final class ProgressSteps {
    private var least: Int

    init(_ tree: YAMLNode) { least = ShrinkCommand.lines(tree) }

    func isNews(_ tree: YAMLNode) -> Bool {
        let count = ShrinkCommand.lines(tree)
        defer { least = min(least, count) }
        return count < least
    }
}
