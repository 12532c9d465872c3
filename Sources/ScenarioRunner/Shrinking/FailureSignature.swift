package import RunRecord
package import ScenarioModel

/// What makes two failing runs fail alike: the verdict, the expectation that failed first and what it saw, and that nothing else went
/// wrong that did not go wrong before.
package struct FailureSignature: Sendable, Hashable {
    package let verdict: Verdict
    /// The expectation that counts; empty when the run failed without one.
    package let name: String
    private let hasOwnName: Bool
    private let seen: String
    private let reason: String
    /// Everything that failed, in any order.
    private let failures: Set<String>
    /// How steps ended that did not end well.
    private let steps: Set<String>

    /// `tree` tells names that the file gives from those made of what is expected.
    package init(_ result: CaseResult, tree: YAMLNode) {
        let first = result.failures.first { $0.verdict == result.verdict } ?? result.failures.first
        verdict = result.verdict
        name = first?.name ?? ""
        hasOwnName = Self.isGiven(name, in: tree)
        seen = Self.masked(first?.seen ?? "")
        reason = Self.masked(result.reason)
        failures = Set(result.failures.map { Self.masked($0.name) })
        let ends = result.journal?.events().filter { $0.kind == .stepEnded } ?? []
        steps = Set(ends.compactMap { $0["result"]?.plainText }.filter { $0 != "ok" }.map(Self.masked))
    }

    /// Whether another run fails in the same way.
    package func isShown(by result: CaseResult, tree: YAMLNode) -> Bool {
        let other = FailureSignature(result, tree: tree)
        guard other.verdict == verdict, other.reason == reason else { return false }
        guard hasOwnName ? other.name == name : Self.masked(other.name) == Self.masked(name) else { return false }
        return other.seen == seen && other.failures.isSubset(of: failures) && other.steps.isSubset(of: steps)
    }

    private static func isGiven(_ name: String, in tree: YAMLNode) -> Bool {
        if tree["name"]?.text == name { return true }
        return tree.children.contains { isGiven(name, in: $0) }
    }

    /// The text without what may become simpler: numbers, quoted texts, and the arguments of steps.
    private static func masked(_ text: String) -> String {
        if text.hasPrefix("step: ") { return String(text.prefix { $0 != "{" && $0 != "\"" }) }
        var out = ""
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if isQuoted || (character.isNumber && out.last == "#") { continue }
            out.append(character.isNumber ? "#" : character)
        }
        return out
    }
}
