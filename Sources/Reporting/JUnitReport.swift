package import RunRecord

/// The results as JUnit XML: one `testsuite` a folder, one `testcase` a case with its seed and digest as properties.
///
/// `failure` means that what was tested is wrong, `error` that the harness or a file is, `skipped` that something needed
/// is missing. Class and name together are unique: repeats and seeds of a case are numbered apart.
package enum JUnitReport {
    /// The whole document. `timestamp` is when the run began (`2026-11-30T18:00:00`), left out when empty.
    package static func document(_ results: [CaseResult], timestamp: String = "") -> String {
        var folders: [String] = []
        var cases: [String: [CaseResult]] = [:]
        for result in results {
            let folder = split(result.id).folder
            if cases[folder] == nil { folders.append(folder) }
            cases[folder, default: []].append(result)
        }
        var xml = XMLText()
        xml.open("testsuites", [("name", "meshrig")] + totals(results))
        for folder in folders {
            let members = cases[folder] ?? []
            var attributes = [("name", className(folder))] + totals(members)
            if !timestamp.isEmpty { attributes.append(("timestamp", timestamp)) }
            xml.open("testsuite", attributes)
            var seen: [String: Int] = [:]
            for result in members {
                var name = split(result.id).name
                if members.contains(where: { $0.id == result.id && $0.seed != result.seed }) {
                    name += " seed \(result.seed)"
                }
                seen[name, default: 0] += 1
                if let repeats = seen[name], repeats > 1 { name += " #\(repeats)" }
                write(result, name: name, folder: folder, into: &xml)
            }
            xml.close("testsuite")
        }
        xml.close("testsuites")
        return xml.text
    }

    private static func write(_ result: CaseResult, name: String, folder: String, into xml: inout XMLText) {
        xml.open(
            "testcase",
            [("classname", className(folder)), ("name", name), ("time", PlainText.seconds(result.hostTime))])
        xml.open("properties", [])
        xml.empty("property", [("name", "title"), ("value", result.title)])
        xml.empty("property", [("name", "seed"), ("value", "\(result.seed)")])
        xml.empty("property", [("name", "digest"), ("value", result.digest)])
        xml.empty("property", [("name", "virtual-seconds"), ("value", PlainText.seconds(result.virtualTime))])
        for fault in result.faults {
            xml.empty("property", [("name", "fault:" + fault.name), ("value", FailureText.text(fault))])
        }
        xml.close("properties")
        let failures = result.failures
        let summary =
            failures.isEmpty
            ? firstLine(result.reason)
            : failures.map { "\($0.name): expected \($0.expected)" + ($0.seen.isEmpty ? "" : ", saw \($0.seen)") }
                .joined(separator: "; ")
        let body = FailureText.lines(result).joined(separator: "\n")
        switch result.verdict {
        case .passed: break
        case .failed, .dead:
            xml.element("failure", [("type", result.verdict.rawValue), ("message", summary)], body)
        case .bad, .broken:
            xml.element("error", [("type", result.verdict.rawValue), ("message", summary)], body)
        case .blocked: xml.empty("skipped", [("message", summary.isEmpty ? "blocked" : summary)])
        }
        xml.close("testcase")
    }

    private static func totals(_ results: [CaseResult]) -> [(String, String)] {
        let time = results.reduce(Duration.zero) { $0 + $1.hostTime }
        func count(_ kinds: [Verdict]) -> String { "\(results.count { kinds.contains($0.verdict) })" }
        return [
            ("tests", "\(results.count)"), ("failures", count([.failed, .dead])), ("errors", count([.bad, .broken])),
            ("skipped", count([.blocked])), ("time", PlainText.seconds(time)),
        ]
    }

    private static func split(_ id: String) -> (folder: String, name: String) {
        guard let slash = id.lastIndex(of: "/") else { return ("", id) }
        return (String(id[..<slash]), String(id[id.index(after: slash)...]))
    }

    /// Folders joined by points: the part before the last is a package to most readers.
    private static func className(_ folder: String) -> String {
        folder.isEmpty ? "scenarios" : folder.replacing(".", with: "_").replacing("/", with: ".")
    }

    private static func firstLine(_ text: String) -> String {
        String(text.split(separator: "\n").first ?? "")
    }
}

/// Writes well-formed XML, indented by a space a level.
struct XMLText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var depth = 0

    mutating func open(_ name: String, _ attributes: [(String, String)]) {
        line("<\(name)\(Self.attributes(attributes))>")
        depth += 1
    }

    mutating func close(_ name: String) {
        depth -= 1
        line("</\(name)>")
    }

    mutating func empty(_ name: String, _ attributes: [(String, String)]) {
        line("<\(name)\(Self.attributes(attributes))/>")
    }

    mutating func element(_ name: String, _ attributes: [(String, String)], _ body: String) {
        line("<\(name)\(Self.attributes(attributes))>\(Self.escape(body, inAttribute: false))</\(name)>")
    }

    private mutating func line(_ content: String) {
        text += String(repeating: " ", count: depth) + content + "\n"
    }

    private static func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0.0)=\"\(escape($0.1, inAttribute: true))\"" }.joined()
    }

    /// Characters that XML 1.0 has no place for become `\xNN`.
    static func escape(_ text: String, inAttribute: Bool) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"" where inAttribute: out += "&quot;"
            case "\n" where inAttribute: out += "&#10;"
            case "\t" where inAttribute: out += "&#9;"
            case "\r": out += "&#13;"
            case "\n", "\t": out.unicodeScalars.append(scalar)
            default:
                if scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF {
                    let hex = String(scalar.value, radix: 16)
                    out += "\\x" + (hex.count < 2 ? "0" : "") + hex
                } else {
                    out.unicodeScalars.append(scalar)
                }
            }
        }
        return out
    }
}
