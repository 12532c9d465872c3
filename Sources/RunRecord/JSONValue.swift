/// One value of strict JSON (RFC 8259). Numbers keep their text, because callers want different exactness.
package enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the text.
    case object([(key: String, value: JSONValue)])

    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one == other
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)):
            one.count == other.count && zip(one, other).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }

    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }
    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// Whole numbers only.
    package var integer: Int64? { if case .number(let text) = self { Int64(text) } else { nil } }
}

/// Why a text is not JSON: what was wrong at which byte.
package struct JSONError: Error, Equatable {
    package var offset: Int
    package var problem: String

    package init(offset: Int, problem: String) {
        self.offset = offset
        self.problem = problem
    }
}

/// Reads one JSON text of the whole byte range given; nothing but white space may follow it.
package struct JSONReader {
    private let bytes: ArraySlice<UInt8>
    private var at: Int
    private var depth = 0
    /// Deeper nesting is refused, so that no text can exhaust the stack.
    private static let maximumDepth = 64

    package static func read(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value()
        reader.skipSpace()
        guard reader.at == bytes.endIndex else { throw reader.failure("text after the value") }
        return value
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        at = bytes.startIndex
    }

    private func failure(_ problem: String) -> JSONError {
        JSONError(offset: at - bytes.startIndex, problem: problem)
    }

    private var current: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        guard let first = current else { throw failure("a value is missing") }
        switch first {
        case UInt8(ascii: "{"): return try nested { reader throws(JSONError) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(JSONError) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested(
        _ body: (inout JSONReader) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw failure("nested too deeply") }
        depth += 1
        at += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[at...].starts(with: word.utf8) else { throw failure("an unknown word") }
        at += word.utf8.count
        return value
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        skipSpace()
        if accept("}") { return .object([]) }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw failure("a member's name is missing") }
            let key = try string()
            guard !members.contains(where: { $0.key == key }) else { throw failure("'\(key)' occurs twice") }
            skipSpace()
            guard accept(":") else { throw failure("':' is missing after '\(key)'") }
            members.append((key, try value()))
            skipSpace()
            if accept("}") { return .object(members) }
            guard accept(",") else { throw failure("',' or '}' is missing") }
        }
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        skipSpace()
        if accept("]") { return .array([]) }
        while true {
            elements.append(try value())
            skipSpace()
            if accept("]") { return .array(elements) }
            guard accept(",") else { throw failure("',' or ']' is missing") }
        }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = at
        _ = accept("-")
        let firstDigit = at
        guard try digits() == 1 || bytes[firstDigit] != UInt8(ascii: "0") else { throw failure("a leading zero") }
        if accept(".") { _ = try digits() }
        if accept("e") || accept("E") {
            if !accept("+") { _ = accept("-") }
            _ = try digits()
        }
        return .number(String(decoding: bytes[start..<at], as: UTF8.self))
    }

    private mutating func digits() throws(JSONError) -> Int {
        let start = at
        while let byte = current, byte >= 0x30, byte <= 0x39 { at += 1 }
        guard at > start else { throw failure(start == bytes.endIndex ? "a digit is missing" : "no value begins so") }
        return at - start
    }

    private mutating func string() throws(JSONError) -> String {
        at += 1
        let start = at
        // Nearly every string has no escape and is taken in one piece.
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { at += 1 }
        if current == UInt8(ascii: "\"") {
            defer { at += 1 }
            return try checked(bytes[start..<at])
        }
        var collected = Array(bytes[start..<at])
        while let byte = current {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return try checked(collected[...])
            case UInt8(ascii: "\\"): try escape(into: &collected)
            case 0..<0x20: throw failure("a control character in a string")
            default: collected.append(byte)
            }
        }
        throw failure("a string has no end")
    }

    private func checked(_ utf8: ArraySlice<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else { throw failure("a string is not UTF-8") }
        return text
    }

    private mutating func escape(into collected: inout [UInt8]) throws(JSONError) {
        guard let byte = current else { throw failure("an escape has no end") }
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): collected.append(byte)
        case UInt8(ascii: "b"): collected.append(0x08)
        case UInt8(ascii: "f"): collected.append(0x0C)
        case UInt8(ascii: "n"): collected.append(0x0A)
        case UInt8(ascii: "r"): collected.append(0x0D)
        case UInt8(ascii: "t"): collected.append(0x09)
        case UInt8(ascii: "u"): collected.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw failure("an unknown escape")
        }
    }

    private mutating func escapedScalar() throws(JSONError) -> Character {
        let unit = try codeUnit()
        var value = unit
        if (0xD800..<0xDC00).contains(unit) {
            guard accept("\\"), accept("u") else { throw failure("half of a surrogate pair") }
            let low = try codeUnit()
            guard (0xDC00..<0xE000).contains(low) else { throw failure("half of a surrogate pair") }
            value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw failure("half of a surrogate pair") }
        return Character(scalar)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        guard bytes.endIndex - at >= 4, bytes[at] != UInt8(ascii: "+"), bytes[at] != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
        else { throw failure("four hex digits are missing") }
        at += 4
        return value
    }
}
