/// One option of a command, as data: the parser, the help and the checks of its value are made from it.
struct OptionDescriptor: Sendable {
    enum Value: Sendable {
        /// Takes no value.
        case flag
        /// A decimal whole number within the range.
        case number(ClosedRange<Int>)
        /// A decimal or `0x` number of 64 bits.
        case seed
        /// `A..B`, both included, at most 100,000 of them.
        case seedRange
        /// `NAME=VALUE`.
        case setting
        /// `I/N`: part I of N; or `auto`.
        case shard
        /// A decimal number above zero, with at most three digits after the point.
        case pace
        /// Anything; the word stands for it in the help.
        case text(String)
    }

    /// With its two hyphens.
    var name: String
    /// One letter, with its hyphen.
    var short: String?
    var value: Value
    var doc: String
    /// May be given more than once.
    var repeats: Bool

    init(_ name: String, short: String? = nil, _ value: Value, _ doc: String, repeats: Bool = false) {
        self.name = name
        self.short = short
        self.value = value
        self.doc = doc
        self.repeats = repeats
    }

    /// Instead of a part: what started the process tells it.
    static let automatic = "auto"

    /// The word for the value in the help; nil for a flag.
    var placeholder: String? {
        switch value {
        case .flag: nil
        case .number: "N"
        case .seed: "N"
        case .seedRange: "A..B"
        case .setting: "NAME=VALUE"
        case .shard: "I/N|auto"
        case .pace: "R"
        case .text(let word): word
        }
    }

    /// `--seed N`, with the short form before it where there is one.
    var usage: String { (short.map { $0 + ", " } ?? "") + name + (placeholder.map { " " + $0 } ?? "") }
}

/// The command line is wrong; printed to standard error, exit code 2.
struct UsageError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
