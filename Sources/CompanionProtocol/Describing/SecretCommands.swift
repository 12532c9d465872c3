/// Command lines of servers that hold a password or a key, and replies that repeat one (remote-nodes §4.3, §4.4).
public enum SecretCommands {
    private static let starts = [
        "password ", "set guest.password ", "set prv.key ", "set bridge.secret ", "password now: ",
    ]

    /// The text with what follows such a beginning left out.
    public static func masked(_ text: String) -> String {
        starts.first { text.contains($0) }.flatMap { start in
            text.range(of: start).map { String(text[..<$0.upperBound]) + "<secret>" }
        } ?? text
    }

    /// How many of the bytes of a text may be shown; all but for such a text.
    static func shownCount(_ text: ArraySlice<UInt8>) -> Int {
        let bytes = Array(text)
        for start in starts {
            let wanted = Array(start.utf8)
            guard bytes.count >= wanted.count else { continue }
            for offset in 0...(bytes.count - wanted.count) where bytes[offset...].starts(with: wanted) {
                return offset + wanted.count
            }
        }
        return bytes.count
    }
}

extension String {
    fileprivate func range(of other: String) -> Range<String.Index>? { firstRange(of: other) }
}
