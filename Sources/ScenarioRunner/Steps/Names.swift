internal import RigCrypto

/// Names of links as steps write them.
enum LinkNames {
    /// The two ends of `alice-hill`, `known` deciding where names hold dashes themselves; nil when it cannot be told.
    static func split(_ text: String, among known: (String) -> Bool) -> (from: String, to: String)? {
        for index in text.indices where text[index] == "-" {
            let (from, to) = (String(text[..<index]), String(text[text.index(after: index)...]))
            if known(from), known(to), from != to { return (from, to) }
        }
        return nil
    }
}

/// Keys that belong to nobody.
enum StrangerKeys {
    /// A key derived from the name alone, which no node has.
    static func key(of name: String) -> [UInt8] { Digest.sha256(Array("stranger \(name)".utf8)) }
}
