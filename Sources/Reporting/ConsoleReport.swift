package import RunRecord

/// The verdict table for people; colour only when asked for.
package struct ConsoleReport: Sendable {
    private let isColoured: Bool
    private let idWidth: Int
    private let manySeeds: Bool

    /// `ids` are the cases that will be reported, for the width of their column.
    package init(ids: [String], manySeeds: Bool = false, isColoured: Bool) {
        self.isColoured = isColoured
        self.manySeeds = manySeeds
        idWidth = min(72, ids.map(\.count).max() ?? 0)
    }

    /// The head of the table.
    package var header: String {
        let seed = manySeeds ? PlainText.rightAligned("seed", 8) + "  " : ""
        return PlainText.padded("verdict", 8) + "  " + PlainText.padded("scenario", idWidth) + "  " + seed
            + PlainText.rightAligned("virtual s", 10) + "  " + PlainText.rightAligned("events", 8) + "  "
            + PlainText.rightAligned("wall ms", 8) + "\n"
    }

    /// One row, and below it the explanation when the case did not pass.
    package func row(_ result: CaseResult) -> String {
        let seed = manySeeds ? PlainText.rightAligned("\(result.seed)", 8) + "  " : ""
        let millis =
            result.hostTime.components.seconds * 1_000
            + result.hostTime.components.attoseconds / 1_000_000_000_000_000
        var text = painted(PlainText.padded(result.verdict.rawValue, 8), result.verdict) + "  "
        text += PlainText.padded(PlainText.printable(result.id), idWidth) + "  " + seed
        text += PlainText.rightAligned(PlainText.seconds(result.virtualTime), 10) + "  "
        text += PlainText.rightAligned("\(result.eventCount)", 8) + "  "
        text += PlainText.rightAligned("\(millis)", 8) + "\n"
        if result.verdict != .passed {
            for line in FailureText.lines(result) { text += "    " + line + "\n" }
        }
        return text
    }

    /// How it all ended; the last line is `N passed, N failed` with what else there was.
    package func summary(_ results: [CaseResult]) -> String {
        Self.counts(results.map(\.verdict)) + "\n"
    }

    /// `18 passed, 1 failed, 2 blocked`; kinds that did not occur are left out except these first two.
    package static func counts(_ verdicts: [Verdict]) -> String {
        func number(_ kinds: [Verdict]) -> Int { verdicts.count { kinds.contains($0) } }
        var parts = ["\(number([.passed])) passed", "\(number([.failed, .dead])) failed"]
        for kind in [Verdict.blocked, .bad, .broken] where number([kind]) > 0 {
            parts.append("\(number([kind])) \(kind.rawValue)")
        }
        return parts.joined(separator: ", ")
    }

    private func painted(_ text: String, _ verdict: Verdict) -> String {
        guard isColoured else { return text }
        let colour =
            switch verdict {
            case .passed: "32"
            case .blocked: "33"
            case .failed, .dead, .bad, .broken: "1;31"
            }
        return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
    }
}
