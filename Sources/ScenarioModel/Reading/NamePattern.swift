/// Text to compare a name with: exact, or a small regular expression between slashes.
///
/// Between slashes: `.`, `[a-z]`, `[^x]`, `\` for a literal, the repeats `*` `+` `?` after one of these, `|` between
/// alternatives, `^` and `$` at the ends of one. Without them the match may stand anywhere; `/…/i` ignores case. No
/// groups, so matching is linear in pattern times text and no pattern can run away.
package struct NamePattern: Sendable, Hashable, CustomStringConvertible {
    private struct Atom: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case any
            case one(Character)
            case set([ClosedRange<Character>], negated: Bool)
        }
        var kind: Kind
        var canBeAbsent = false
        var canRepeat = false
    }

    private struct Alternative: Sendable, Hashable {
        var atoms: [Atom] = []
        var isAnchoredAtStart = false
        var isAnchoredAtEnd = false
    }

    /// As written.
    package let description: String
    private let exact: String?
    /// The text it stands for, when it is no expression.
    package var exactText: String? { exact }
    private let ignoresCase: Bool
    private let alternatives: [Alternative]

    /// Nil when a `/…/` pattern is malformed or longer than 200 characters.
    package init?(_ text: String) {
        description = text
        let body: Substring
        if text.count >= 3, text.hasPrefix("/"), text.hasSuffix("/") {
            body = text.dropFirst().dropLast()
            ignoresCase = false
        } else if text.count >= 4, text.hasPrefix("/"), text.hasSuffix("/i") {
            body = text.dropFirst().dropLast(2)
            ignoresCase = true
        } else {
            exact = text
            ignoresCase = false
            alternatives = []
            return
        }
        exact = nil
        guard body.count <= 200, let parsed = Self.parse(ignoresCase ? body.lowercased() : String(body)) else {
            return nil
        }
        alternatives = parsed
    }

    package func matches(_ text: String) -> Bool {
        if let exact { return exact == text }
        let characters = Array(ignoresCase ? text.lowercased() : text)
        return alternatives.contains { Self.matches($0, characters) }
    }

    /// Walks all positions in the pattern at once, one character of the text at a time.
    private static func matches(_ pattern: Alternative, _ text: [Character]) -> Bool {
        let end = pattern.atoms.count
        var active = [Bool](repeating: false, count: end + 1)
        func reach(_ state: Int, _ states: inout [Bool]) {
            var state = state
            while true {
                states[state] = true
                guard state < end, pattern.atoms[state].canBeAbsent else { return }
                state += 1
            }
        }
        reach(0, &active)
        if active[end], !pattern.isAnchoredAtEnd { return true }
        for character in text {
            var next = [Bool](repeating: false, count: end + 1)
            for state in 0..<end where active[state] && accepts(pattern.atoms[state].kind, character) {
                reach(state + 1, &next)
                if pattern.atoms[state].canRepeat { reach(state, &next) }
            }
            if !pattern.isAnchoredAtStart { reach(0, &next) }
            active = next
            if active[end], !pattern.isAnchoredAtEnd { return true }
        }
        return active[end]
    }

    private static func accepts(_ kind: Atom.Kind, _ character: Character) -> Bool {
        switch kind {
        case .any: true
        case .one(let expected): expected == character
        case .set(let ranges, let negated): ranges.contains { $0.contains(character) } != negated
        }
    }

    private static func parse(_ text: String) -> [Alternative]? {
        var alternatives: [Alternative] = []
        var current = Alternative()
        var rest = Array(text)[...]
        while let character = rest.popFirst() {
            // Nothing may follow the end anchor within its alternative.
            if current.isAnchoredAtEnd, character != "|" { return nil }
            switch character {
            case "|":
                alternatives.append(current)
                current = Alternative()
            case "^" where current.atoms.isEmpty && !current.isAnchoredAtStart: current.isAnchoredAtStart = true
            case "$": current.isAnchoredAtEnd = true
            case "*", "+", "?":
                guard let last = current.atoms.indices.last, !current.atoms[last].canRepeat,
                    !current.atoms[last].canBeAbsent
                else { return nil }
                current.atoms[last].canBeAbsent = character != "+"
                current.atoms[last].canRepeat = character != "?"
            case ".": current.atoms.append(Atom(kind: .any))
            case "[":
                guard let kind = parseSet(&rest) else { return nil }
                current.atoms.append(Atom(kind: kind))
            case "\\":
                guard let literal = rest.popFirst() else { return nil }
                current.atoms.append(Atom(kind: .one(literal)))
            case "(", ")", "]", "{", "}", "^": return nil
            default: current.atoms.append(Atom(kind: .one(character)))
            }
        }
        return alternatives + [current]
    }

    private static func parseSet(_ rest: inout ArraySlice<Character>) -> Atom.Kind? {
        var ranges: [ClosedRange<Character>] = []
        let negated = rest.first == "^"
        if negated { rest = rest.dropFirst() }
        while let character = rest.popFirst() {
            if character == "]" { return ranges.isEmpty ? nil : .set(ranges, negated: negated) }
            guard let low = character == "\\" ? rest.popFirst() : character else { return nil }
            guard rest.first == "-", rest.dropFirst().first != "]" else {
                ranges.append(low...low)
                continue
            }
            rest = rest.dropFirst()
            guard let high = rest.popFirst(), low <= high else { return nil }
            ranges.append(low...high)
        }
        return nil
    }
}
