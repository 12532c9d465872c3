internal import RigBase
package import RunRecord

/// Explains a case that did not pass: what was expected, what was seen, what led there, how to see it again.
package enum FailureText {
    /// The causal chain is cut in its middle above this many lines.
    package static let chainLimit = 16
    /// So many of the last frames are shown, once, when a failure points to no event.
    package static let tailLimit = 8

    package static func lines(_ result: CaseResult) -> [String] {
        var lines: [String] = []
        if !result.title.isEmpty { lines.append(PlainText.printable(result.title)) }
        if !result.reason.isEmpty { lines += paragraph(result.reason) }
        for failure in result.failures { lines += explain(failure, result.journal) }
        if let journal = result.journal { lines += steps(journal) }
        lines += faults(result.faults)
        if let journal = result.journal, result.failures.contains(where: { !hasChain($0, journal) }) {
            let tail = journal.events().filter { frames.contains($0.kind) }.suffix(tailLimit)
            if !tail.isEmpty { lines += ["the last frames:"] + tail.map { "  " + EventText.line($0) } }
        }
        if !result.replayCommand.isEmpty {
            lines.append("again: " + PlainText.printable(result.replayCommand))
            lines.append(
                "closer: the same with --html run.html, or --jsonl run.jsonl and then meshrig explain run.jsonl")
        }
        return lines
    }

    /// What came of the faults; one that never acted stands out.
    private static func faults(_ counts: [FaultCount]) -> [String] {
        guard !counts.isEmpty else { return [] }
        return ["the faults:"]
            + counts.prefix(tailLimit).map { count in
                "  " + PlainText.printable(count.name) + "  (\(count.seam): \(count.action))  " + text(count)
                    + (count.fired == 0 ? "  → never acted" : "")
            } + (counts.count > tailLimit ? ["  … \(counts.count - tailLimit) more"] : [])
    }

    /// The counts of a fault in words.
    static func text(_ count: FaultCount) -> String {
        "armed \(count.armed), observed \(count.observed), fired \(count.fired)"
    }

    /// The last steps with their times, and how each ended unless it did well.
    private static func steps(_ journal: Journal) -> [String] {
        let events = journal.events()
        let begun = events.filter { $0.kind == .stepStarted }
        guard !begun.isEmpty else { return [] }
        return [begun.count > tailLimit ? "the last steps:" : "the steps:"]
            + begun.suffix(tailLimit).map { step in
                let end = events.first { $0.kind == .stepEnded && $0.cause == step.id }
                let result = end.flatMap { $0["result"]?.plainText } ?? "not done"
                return "  " + PlainText.rightAligned(step.at.description, 10) + "  "
                    + PlainText.printable(step["step"]?.plainText ?? "")
                    + (result == "ok" ? "" : "  → " + PlainText.printable(result))
            }
    }

    private static func explain(_ failure: ExpectationResult, _ journal: Journal?) -> [String] {
        let place = failure.spot.isEmpty ? "" : "  (\(PlainText.printable(failure.spot)))"
        var lines = ["\(failure.verdict.rawValue): \(PlainText.printable(failure.name))\(place)"]
        lines.append("  expected: " + PlainText.printable(failure.expected))
        if !failure.seen.isEmpty { lines.append("  seen:     " + PlainText.printable(failure.seen)) }
        if let journal, let evidence = failure.evidence, hasChain(failure, journal) {
            lines.append("  what led there:")
            lines += cut(journal.chain(to: evidence)).map { "    " + $0 }
        }
        return lines
    }

    private static func hasChain(_ failure: ExpectationResult, _ journal: Journal) -> Bool {
        failure.evidence.map { journal.event($0) != nil } ?? false
    }

    private static let frames: [EventKind] = [.frameToRadio, .frameFromRadio, .noise, .linkUp, .linkDown]

    private static func cut(_ chain: [RunEvent]) -> [String] {
        guard chain.count > chainLimit else { return chain.map(EventText.line) }
        let half = chainLimit / 2
        return chain.prefix(half).map(EventText.line)
            + ["… \(chain.count - 2 * half) more events …"]
            + chain.suffix(half).map(EventText.line)
    }

    private static func paragraph(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { PlainText.printable(String($0)) }
    }
}
