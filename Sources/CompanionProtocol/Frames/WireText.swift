/// Text as it is on the wire: bytes that should be UTF-8 and sometimes are not.
///
/// The bytes are kept, so that a frame encodes to what it was decoded from. MeshCore cuts texts and names byte by byte,
/// which can split a character (companion-protocol §7.5).
public struct WireText: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var bytes: [UInt8]

    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    public init(_ text: String) { bytes = Array(text.utf8) }
    public init(stringLiteral value: String) { self.init(value) }

    public var isEmpty: Bool { bytes.isEmpty }

    /// The text with U+FFFD in the place of what is not UTF-8: for message texts.
    public var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The longest prefix that is UTF-8: for names, where a cut character is better left away.
    public var validPrefix: String {
        if let whole = String(validating: bytes, as: UTF8.self) { return whole }
        var end = 0
        while end < bytes.count {
            let width = Self.characterWidth(bytes[end])
            guard end + width <= bytes.count,
                String(validating: bytes[end..<end + width], as: UTF8.self) != nil
            else { break }
            end += width
        }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    public var description: String { string }

    /// `text` cut to at most `limit` bytes of UTF-8, between two characters as a reader counts them.
    public static func cut(_ text: String, toBytes limit: Int) -> WireText {
        var kept: [UInt8] = []
        for character in text {
            let bytes = Array(String(character).utf8)
            guard kept.count + bytes.count <= limit else { break }
            kept.append(contentsOf: bytes)
        }
        return WireText(bytes: kept)
    }

    /// The part before the first NUL, which is where a name field ends.
    public static func untilNUL(_ field: some Collection<UInt8>) -> WireText {
        WireText(bytes: field.prefix { $0 != 0 })
    }

    private static func characterWidth(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC0...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF7: 4
        default: 1
        }
    }
}
