internal import RigBase
internal import RigCrypto

/// What is read out of a received text before it is stored (client-stack §4.6, §7.3).
enum IncomingText {
    /// The sender's name and the text of a channel message: cut at the first colon, both trimmed; a message without a
    /// name, or without text after it, has no sender and stays as it is.
    static func splitChannel(_ text: String) -> (sender: String?, text: String) {
        guard let colon = text.firstIndex(of: ":") else { return (nil, text) }
        let sender = trimmed(text[..<colon])
        let rest = trimmed(text[text.index(after: colon)...])
        return sender.isEmpty || rest.isEmpty ? (nil, text) : (sender, rest)
    }

    /// The time to show, and the sender's own when that was more than 5 minutes ahead of or more than 180 days behind
    /// `received` (all Unix seconds).
    static func correctedTimestamp(_ sent: UInt32, received: UInt32) -> (timestamp: UInt32, original: UInt32?) {
        let ahead = Int64(sent) - Int64(received)
        return ahead > 300 || ahead < -180 * 86_400 ? (received, sent) : (sent, nil)
    }

    static func mentions(_ name: String, in text: String) -> Bool { !name.isEmpty && text.contains("@[\(name)]") }

    /// Key of a direct message: its content, because every attempt of it is another packet.
    static func directKey(contact: UUID128?, timestamp: UInt32, text: String) -> String {
        "dm-\(contact.map(\.description) ?? "unknown")-\(timestamp)-\(hash(text))"
    }

    static func channelKey(index: UInt8, timestamp: UInt32, sender: String?, text: String) -> String {
        "ch-\(index)-\(timestamp)-\(sender ?? "")-\(hash(text))"
    }

    private static func hash(_ text: String) -> String {
        Hex.encode(Digest.sha256(Array(text.utf8)).prefix(4)).uppercased()
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
