package import RunRecord

/// What GitHub Actions shows of a run: annotations at the places of failures, and a summary of the job as Markdown.
package struct GitHubReport: Sendable {
    /// The checkout's folder; paths of annotations are relative to it.
    private let workspace: String
    /// The folder that relative paths start from.
    private let folder: String

    /// GitHub shows this many annotations of a step and drops more.
    package static let annotationLimit = 10
    /// GitHub refuses a summary above a mebibyte.
    package static let summaryLimit = 900_000

    package init(workspace: String, folder: String) {
        self.workspace = workspace.hasSuffix("/") ? String(workspace.dropLast()) : workspace
        self.folder = folder
    }

    // MARK: Annotations

    /// Workflow commands, one a line, for cases that did not pass; blocked ones are told as notices.
    package func annotations(_ results: [CaseResult]) -> String {
        let failed = results.filter { ![.passed, .blocked].contains($0.verdict) }
        var lines = failed.prefix(Self.annotationLimit).map { annotation("error", $0) }
        if failed.count > Self.annotationLimit {
            let more = PlainText.count(failed.count - Self.annotationLimit, "more case")
            lines.append("::warning title=meshrig::" + Self.data("\(more) did not pass; the job summary has them"))
        }
        lines += results.filter { $0.verdict == .blocked }.prefix(Self.annotationLimit).map { annotation("notice", $0) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func annotation(_ command: String, _ result: CaseResult) -> String {
        let failure = result.failures.first
        let spot = Self.spot(failure?.spot ?? "") ?? Self.spot(result.reason)
        var properties: [String] = []
        if let spot {
            properties += ["file=" + Self.property(relative(spot.file)), "line=\(spot.line)", "col=\(spot.column)"]
        }
        properties.append("title=" + Self.property("\(result.id) \(result.verdict.rawValue), seed \(result.seed)"))
        var text = result.failures.map { failure in
            "\(failure.name): expected \(failure.expected)" + (failure.seen.isEmpty ? "" : ", saw \(failure.seen)")
        }
        if !result.reason.isEmpty { text.append(result.reason) }
        if !result.replayCommand.isEmpty { text.append("again: " + result.replayCommand) }
        return "::\(command) " + properties.joined(separator: ",") + "::" + Self.data(text.joined(separator: "\n"))
    }

    /// The place that a text begins with: `file:line:column`.
    private static func spot(_ text: String) -> (file: String, line: Int, column: Int)? {
        guard let match = text.prefixMatch(of: /(?<file>[^\n]+?):(?<line>[0-9]+):(?<column>[0-9]+)/),
            let line = Int(match.line), let column = Int(match.column)
        else { return nil }
        return (String(match.file), line, column)
    }

    private func relative(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : folder + "/" + path
        guard !workspace.isEmpty, full.hasPrefix(workspace + "/") else { return path }
        return String(full.dropFirst(workspace.count + 1))
    }

    /// Percent signs and line ends mean something to the reader of commands, in properties also the separators.
    private static func data(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { PlainText.printable(String($0)) }
            .joined(separator: "\n").replacing("%", with: "%25").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    // MARK: Summary

    /// Markdown: the counts, a table of what did not pass, and each failure in full for as long as there is room.
    package func summary(_ results: [CaseResult], note: String) -> String {
        var text = "## MeshRig: \(ConsoleReport.counts(results.map(\.verdict)))\n\n\(Self.inline(note))\n"
        let other = results.filter { $0.verdict != .passed }
        if !other.isEmpty {
            text += "\n| verdict | scenario | seed | what went wrong |\n|---|---|---:|---|\n"
            for result in other.prefix(Self.rowLimit) { text += Self.row(result) }
            if other.count > Self.rowLimit { text += "\nand \(other.count - Self.rowLimit) more\n" }
        }
        var left = 0
        for result in other where result.verdict != .blocked {
            let detail = Self.detail(result)
            if text.utf8.count + detail.utf8.count > Self.summaryLimit { left += 1 } else { text += detail }
        }
        if left > 0 { text += "\n\(PlainText.count(left, "failure")) more not told here.\n" }
        return text
    }

    private static let rowLimit = 500

    private static func row(_ result: CaseResult) -> String {
        let failure = result.failures.first
        let what = failure.map { "\($0.name): expected \($0.expected)" } ?? result.reason
        let line = what.split(separator: "\n").first.map(String.init) ?? ""
        return "| \(result.verdict.rawValue) | \(inline(result.id)) | \(result.seed) | "
            + inline(line.count > 200 ? line.prefix(199) + "…" : line) + " |\n"
    }

    private static func detail(_ result: CaseResult) -> String {
        let body = FailureText.lines(result).joined(separator: "\n")
        // A fence must be longer than any row of backticks within.
        var longest = 0
        var run = 0
        for character in body {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return
            "\n<details><summary>\(inline(result.id)), seed \(result.seed)</summary>\n\n\(fence)text\n\(body)\n\(fence)\n\n</details>\n"
    }

    /// Text that Markdown shows as it is.
    private static func inline(_ text: String) -> String {
        var out = ""
        for character in PlainText.printable(text) {
            switch character {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "|", "*", "_", "`", "[", "]", "\\", "#", "~": out += "\\\(character)"
            default: out.append(character)
            }
        }
        return out
    }
}
