internal import RigBase

/// A command, as data: how it is called, what it takes, what it does.
struct Command: Sendable {
    var name: String
    /// One line for lists.
    var summary: String
    /// The words it takes, for the usage line.
    var words: String
    var options: [OptionDescriptor]
    /// What its options do not say, in lines for the help; empty when there is nothing.
    var notes: String
    /// A line that can be typed as it is.
    var example: String
    /// Commands below it; a command with some does nothing itself.
    var subcommands: [Command]
    /// Does it and says the exit code.
    var run: @Sendable (Arguments, Output) throws -> Int32

    init(
        _ name: String, _ summary: String, words: String = "", options: [OptionDescriptor] = [], notes: String = "",
        example: String, run: @escaping @Sendable (Arguments, Output) throws -> Int32
    ) {
        self.name = name
        self.summary = summary
        self.words = words
        self.options = options
        self.notes = notes
        self.example = example
        self.subcommands = []
        self.run = run
    }

    /// A command that only groups others.
    init(_ name: String, _ summary: String, example: String, subcommands: [Command]) {
        self.init(name, summary, words: "COMMAND", example: example) { _, _ in 2 }
        self.subcommands = subcommands
    }

    /// Help in full; `path` is what comes before the command's own name.
    func help(path: [String]) -> String {
        let full = (path + [name]).joined(separator: " ")
        var text = summary + "\n\nusage: " + full
        if !options.isEmpty { text += " [options]" }
        if !words.isEmpty { text += " " + words }
        text += "\n"
        if !subcommands.isEmpty {
            text += "\ncommands:\n" + Self.columns(subcommands.map { ($0.name, $0.summary) })
        }
        let help = OptionDescriptor("--help", short: "-h", .flag, "this text")
        text += "\noptions:\n" + Self.columns((options + [help]).map { ($0.usage, $0.doc) })
        if !notes.isEmpty { text += "\n\(notes)\n" }
        text += "\nexample:\n  \(example)\n"
        return text
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count) + "  " + $0.1 + "\n" }
            .joined()
    }

    /// Finds the command that the arguments name, below this one, and runs it.
    func dispatch(_ texts: ArraySlice<String>, path: [String] = [], _ output: Output) throws -> Int32 {
        guard !subcommands.isEmpty else {
            let arguments = try Arguments(texts, declared: options)
            if arguments.asksForHelp {
                output.write(help(path: path))
                return 0
            }
            return try run(arguments, output)
        }
        guard let word = texts.first else { throw UsageError("a command is missing; try: \(callHelp(path))") }
        if word == "--help" || word == "-h" || word == "help" { return try showHelp(texts.dropFirst(), path, output) }
        if word == "--version", path.isEmpty { return try dispatch(["version"], path: path, output) }
        guard let command = subcommands.first(where: { $0.name == word }) else { throw unknown(word, path) }
        return try command.dispatch(texts.dropFirst(), path: path + [name], output)
    }

    /// `help`, `help run`, `help fixtures verify`.
    private func showHelp(_ words: ArraySlice<String>, _ path: [String], _ output: Output) throws -> Int32 {
        guard let word = words.first else {
            output.write(help(path: path))
            return 0
        }
        guard let command = subcommands.first(where: { $0.name == word }) else { throw unknown(word, path) }
        return try command.showHelp(words.dropFirst(), path + [name], output)
    }

    private func unknown(_ word: String, _ path: [String]) -> UsageError {
        if subcommands.isEmpty { return UsageError("\(name) has no commands of its own") }
        let nearest = Nearest.name(to: word, among: subcommands.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
        return UsageError("unknown command \"\(word)\"\(nearest)\(nearest.isEmpty ? ";" : "") try: \(callHelp(path))")
    }

    private func callHelp(_ path: [String]) -> String { (path + [name, "--help"]).joined(separator: " ") }
}
