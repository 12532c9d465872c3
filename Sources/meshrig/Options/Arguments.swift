internal import RigBase
internal import ScenarioModel

/// What a command was called with, checked against the options it declares.
///
/// Reading an option that the command does not declare is a mistake in this program and traps.
struct Arguments {
    private let declared: [OptionDescriptor]
    private var given: [(name: String, value: String)] = []
    /// What is no option, in order.
    private(set) var words: [String] = []
    private(set) var asksForHelp = false

    /// `--name value`, `--name=value` and `-n value` are understood; numbers below zero and, after `--`, everything are words.
    init(_ texts: ArraySlice<String>, declared: [OptionDescriptor]) throws(UsageError) {
        self.declared = declared
        var rest = texts
        while let text = rest.popFirst() {
            if text == "--" {
                words += rest
                break
            }
            if text == "--help" || text == "-h" {
                asksForHelp = true
                continue
            }
            // A number is no option.
            guard text.hasPrefix("-"), text.count > 1, !("0"..."9").contains(text.dropFirst().first ?? " ") else {
                words.append(text)
                continue
            }
            try take(text, &rest)
        }
    }

    func flag(_ name: String) -> Bool {
        _ = describe(name)
        return given.contains { $0.name == name }
    }

    func text(_ name: String) -> String? {
        _ = describe(name)
        return given.last { $0.name == name }?.value
    }

    func texts(_ name: String) -> [String] {
        _ = describe(name)
        return given.filter { $0.name == name }.map(\.value)
    }

    func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

    func seed(_ name: String) -> UInt64? { text(name).flatMap(Self.seed) }

    /// The seeds of an `A..B` option, in order.
    func seeds(_ name: String) -> ClosedRange<UInt64>? { text(name).flatMap(Self.range) }

    /// Which part of how many an `I/N` option means.
    func shard(_ name: String) -> (part: Int, count: Int)? { text(name).flatMap(Self.shard) }

    func settings(_ name: String) -> [(name: String, value: String)] {
        texts(name).compactMap(Self.setting)
    }

    /// The words, which may be at most `limit`, the first of them needed as `what` says.
    func words(upTo limit: Int, needing what: String? = nil) throws(UsageError) -> [String] {
        if let what, words.isEmpty { throw UsageError("\(what) is missing") }
        if words.count > limit { throw UsageError("\"\(words[limit])\" is one word too many") }
        return words
    }

    private mutating func take(_ text: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isLong = text.hasPrefix("--")
        let name = isLong ? parts[0] : text
        guard let option = declared.first(where: { $0.name == name || $0.short == name }) else {
            throw unknown(name)
        }
        var value = isLong && parts.count == 2 ? parts[1] : nil
        if case .flag = option.value {
            if value != nil { throw UsageError("\(option.name) takes no value") }
        } else if value == nil {
            guard let next = rest.popFirst() else {
                throw UsageError("\(option.name) needs a value: \(option.usage)")
            }
            value = next
        }
        if !option.repeats, given.contains(where: { $0.name == option.name }) {
            throw UsageError("\(option.name) is given twice")
        }
        try Self.check(value ?? "", option)
        given.append((option.name, value ?? ""))
    }

    private func unknown(_ name: String) -> UsageError {
        let names = declared.map(\.name) + ["--help"]
        let nearest = Nearest.name(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown option \(name)\(nearest)")
    }

    private static func check(_ value: String, _ option: OptionDescriptor) throws(UsageError) {
        let expected: String
        switch option.value {
        case .flag: return
        case .text:
            if !value.isEmpty { return }
            expected = "a value"
        case .number(let range):
            if let number = Int(value), range.contains(number) { return }
            expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .seed:
            if seed(value) != nil { return }
            expected = "a number of at most 64 bits"
        case .seedRange:
            if range(value) != nil { return }
            expected = "a range such as 1..100 (at most 100000 seeds)"
        case .setting:
            if setting(value) != nil { return }
            expected = "NAME=VALUE"
        case .shard:
            if shard(value) != nil || value == OptionDescriptor.automatic { return }
            expected = "a part such as 1/4 (of at most 10000), or auto"
        case .pace:
            if (1...1_000_000_000).contains(ScalarText.fixedPoint(value, places: 3) ?? 0) { return }
            expected = "a factor such as 1 or 0.5, at most 1000000"
        }
        throw UsageError("\(option.name) takes \(expected), not \"\(value)\"")
    }

    private static func seed(_ text: String) -> UInt64? {
        guard text.first?.isHexDigit == true else { return nil }
        return text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    }

    private static func shard(_ text: String) -> (part: Int, count: Int)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let part = parts[0], let count = parts[1], (1...10_000).contains(count),
            (1...count).contains(part)
        else { return nil }
        return (part, count)
    }

    private static func range(_ text: String) -> ClosedRange<UInt64>? {
        guard let dots = text.firstRange(of: ".."), let low = seed(String(text[..<dots.lowerBound])),
            let high = seed(String(text[dots.upperBound...])), low <= high, high - low < 100_000
        else { return nil }
        return low...high
    }

    private static func setting(_ text: String) -> (name: String, value: String)? {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    private func describe(_ name: String) -> OptionDescriptor {
        guard let option = declared.first(where: { $0.name == name }) else {
            preconditionFailure("\(name) is read but not declared")
        }
        return option
    }
}
