/// Chooses cases by their tags: `fast && !slow`, `retry || (sync && must)`, or `a, b` for either.
///
/// A case's tier and level count as tags of it.
package struct TagExpression: Sendable {
    private indirect enum Term: Sendable {
        case tag(String)
        case not(Term)
        case all([Term])
        case any([Term])

        func holds(_ tags: [String]) -> Bool {
            switch self {
            case .tag(let name): tags.contains(name)
            case .not(let term): !term.holds(tags)
            case .all(let terms): terms.allSatisfy { $0.holds(tags) }
            case .any(let terms): terms.contains { $0.holds(tags) }
            }
        }
    }

    /// Why the text is no expression, with the place in it.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    private let term: Term
    /// The tags it mentions, in order.
    package let tags: [String]

    package init(_ text: String) throws(Failure) {
        var parser = Parser(try Self.tokens(of: text))
        term = try parser.any()
        if let left = parser.peek { throw Failure(description: "\"\(left)\" is not expected in \"\(text)\"") }
        tags = parser.tags
    }

    package func matches(_ document: ScenarioDocument) -> Bool {
        term.holds(document.tags + [document.tier.rawValue, document.level.rawValue])
    }

    private struct Parser {
        private var tokens: ArraySlice<String>
        private(set) var tags: [String] = []
        private var depth = 0

        init(_ tokens: [String]) { self.tokens = tokens[...] }

        var peek: String? { tokens.first }

        mutating func any() throws(Failure) -> Term {
            var terms = [try all()]
            while let next = peek, next == "||" || next == "," {
                tokens.removeFirst()
                terms.append(try all())
            }
            return terms.count == 1 ? terms[0] : .any(terms)
        }

        private mutating func all() throws(Failure) -> Term {
            var terms = [try one()]
            while peek == "&&" {
                tokens.removeFirst()
                terms.append(try one())
            }
            return terms.count == 1 ? terms[0] : .all(terms)
        }

        private mutating func one() throws(Failure) -> Term {
            depth += 1
            defer { depth -= 1 }
            guard depth <= 64 else { throw Failure(description: "nested too deeply") }
            guard let token = tokens.popFirst() else { throw Failure(description: "a tag is missing at the end") }
            switch token {
            case "!": return .not(try one())
            case "(":
                let inner = try any()
                guard tokens.popFirst() == ")" else { throw Failure(description: "a \")\" is missing") }
                return inner
            case "&&", "||", ",", ")": throw Failure(description: "a tag is missing before \"\(token)\"")
            default:
                tags.append(token)
                return .tag(token)
            }
        }
    }

    private static func tokens(of text: String) throws(Failure) -> [String] {
        var tokens: [String] = []
        var rest = Substring(text)
        while let character = rest.first {
            if character.isWhitespace {
                rest = rest.dropFirst()
            } else if rest.hasPrefix("&&") || rest.hasPrefix("||") {
                tokens.append(String(rest.prefix(2)))
                rest = rest.dropFirst(2)
            } else if "!(),".contains(character) {
                tokens.append(String(character))
                rest = rest.dropFirst()
            } else {
                let word = rest.prefix { $0.isLetter || $0.isNumber || "-_.:#".contains($0) }
                guard !word.isEmpty else {
                    throw Failure(description: "\"\(character)\" means nothing in a tag expression; use && || ! ( )")
                }
                tokens.append(String(word))
                rest = rest.dropFirst(word.count)
            }
        }
        if tokens.isEmpty { throw Failure(description: "the tag expression is empty") }
        return tokens
    }
}
