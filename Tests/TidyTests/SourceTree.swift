import Foundation

/// A text file of the repository, by lines, with a copy free of comments and string contents for looking at code only.
struct SourceFile: CustomStringConvertible {
    /// Path below the repository.
    let path: String
    let lines: [String]
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = Self.stripped(text)
    }

    var description: String { path }
    var name: String { String(path.split(separator: "/").last ?? "") }

    func isBelow(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

    /// The lines (counted from 1) whose code matches a regular expression.
    func places(of pattern: String) -> [String] { lineIndices(of: pattern).map { "\(path):\($0 + 1)" } }

    func lineIndices(of pattern: String) -> [Int] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { preconditionFailure(pattern) }
        return code.indices.filter { index in
            let line = code[index]
            let whole = NSRange(location: 0, length: line.utf16.count)
            return expression.firstMatch(in: line, range: whole) != nil
        }
    }

    private static let declaration =
        #"^\s*(@\w+(\([^)]*\))?\s+)*((public|package|private|fileprivate|internal|static|mutating|nonisolated|convenience|required|override|final|isolated|class)\s+)*(func|init|deinit|subscript)\b"#

    /// Functions and initialisers with a body: place and number of lines.
    var functions: [(place: String, lines: Int)] {
        var found: [(String, Int)] = []
        for start in lineIndices(of: Self.declaration) {
            guard let end = Self.bodyEnd(code, from: start) else { continue }
            found.append(("\(path):\(start + 1)", end - start + 1))
        }
        return found
    }

    /// The line on which the first brace that opens at or after `start` closes again; nil when there is no body.
    private static func bodyEnd(_ code: [String], from start: Int) -> Int? {
        var depth = 0
        var hasOpened = false
        var parentheses = 0
        for index in start..<code.count {
            for character in code[index].utf8 {
                switch character {
                case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
                case UInt8(ascii: "{"):
                    depth += 1
                    if parentheses == 0 { hasOpened = true }
                case UInt8(ascii: "}"):
                    depth -= 1
                    if depth < 0 { return nil }
                    if hasOpened, depth == 0 { return index }
                default: break
                }
            }
            // A requirement of a protocol ends with its line.
            if !hasOpened, parentheses == 0, depth == 0, index > start,
                code[index].trimmingCharacters(in: .whitespaces).isEmpty
            {
                return nil
            }
        }
        return nil
    }

    /// The lines without comments and without what stands in string literals.
    private static func stripped(_ text: String) -> [String] {
        var stripper = Stripper(Array(text.utf8))
        stripper.run()
        return stripper.out.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Leaves comments and the contents of literals out, byte by byte.
private struct Stripper {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var out: [UInt8] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        out.reserveCapacity(bytes.count)
    }

    mutating func run() {
        while position < bytes.count {
            if starts("//") {
                while position < bytes.count, bytes[position] != newline { position += 1 }
            } else if starts("/*") {
                skipBlock()
            } else if starts("\"\"\"") {
                skipLongLiteral()
            } else if bytes[position] == quote {
                position += 1
                skipLiteral()
                out += [quote, quote]
            } else {
                out.append(bytes[position])
                position += 1
            }
        }
    }

    private var newline: UInt8 { UInt8(ascii: "\n") }
    private var quote: UInt8 { UInt8(ascii: "\"") }

    private func starts(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].prefix($0.count).elementsEqual($0) }
    }

    private mutating func skipBlock() {
        var depth = 0
        repeat {
            if starts("/*") || starts("*/") {
                depth += starts("/*") ? 1 : -1
                position += 2
            } else {
                if bytes[position] == newline { out.append(newline) }
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func skipLongLiteral() {
        position += 3
        while position < bytes.count, !starts("\"\"\"") {
            if bytes[position] == newline { out.append(newline) }
            position += 1
        }
        position += 3
        out += [quote, quote]
    }

    /// To behind the closing quote of a one-line literal, interpolations with quotes of their own included.
    private mutating func skipLiteral() {
        var depth = 0
        while position < bytes.count, bytes[position] != newline {
            let byte = bytes[position]
            if starts("\\(") {
                depth += 1
                position += 2
            } else if byte == UInt8(ascii: "\\") {
                position += 2
            } else if byte == quote {
                position += 1
                if depth == 0 { return }
                skipLiteral()
            } else {
                if depth > 0 { depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0 }
                position += 1
            }
        }
    }
}

/// The files of the repository this test was built from.
enum SourceTree {
    static let root: String = {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return here.dropLast(3).joined(separator: "/")
    }()

    static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: root + "/" + path))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Paths below `folder` whose names end in one of `endings`, sorted; build products and hidden files left out.
    static func paths(below folder: String, endings: [String]) -> [String] {
        guard let walker = FileManager.default.enumerator(atPath: root + "/" + folder) else { return [] }
        return walker.compactMap { $0 as? String }
            .filter { path in !path.contains("/.") && !path.hasPrefix(".") && endings.contains { path.hasSuffix($0) } }
            .map { folder + "/" + $0 }
            .sorted()
    }

    static func files(below folder: String, endings: [String] = [".swift"]) -> [SourceFile] {
        paths(below: folder, endings: endings).compactMap { path in
            text(path).map { SourceFile(path: path, text: $0) }
        }
    }

    static let sources = files(below: "Sources") + files(below: "Benchmarks")
    static let tests = files(below: "Tests")
}
