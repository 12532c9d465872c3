package import RunRecord

/// The results in the Test Anything Protocol, version 14: a line for each case, with what went wrong as YAML below it.
///
/// What is blocked counts as skipped.
package enum TAPReport {
    package static func document(_ results: [CaseResult]) -> String {
        var lines = ["TAP version 14", "1..\(results.count)"]
        for (index, result) in results.enumerated() {
            let isOK = result.verdict == .passed || result.verdict == .blocked
            // A number sign would begin a directive.
            let name = escaped("\(result.id) seed \(result.seed)")
            var line = "\(isOK ? "ok" : "not ok") \(index + 1) - \(name)"
            if result.verdict == .blocked {
                line += " # SKIP " + PlainText.printable(result.reason.isEmpty ? "blocked" : result.reason)
            }
            lines.append(line)
            guard !isOK else { continue }
            lines += ["  ---", "  verdict: \(result.verdict.rawValue)", "  message: |"]
            lines += FailureText.lines(result).map { "    " + $0 }
            lines.append("  ...")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func escaped(_ text: String) -> String {
        PlainText.printable(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }
}
