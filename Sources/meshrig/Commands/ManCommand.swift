internal import RunRecord

/// Prints the man page, made from the commands themselves.
enum ManCommand {
    static let command = Command(
        "man", "Prints the man page, for man -l - or a folder of man pages.",
        example: "meshrig man > /usr/local/share/man/man1/meshrig.1"
    ) { arguments, output in
        _ = try arguments.words(upTo: 0)
        output.write(text)
        return 0
    }

    private static var text: String { page(of: Program.root) }

    static func page(of root: Command) -> String {
        var roff = Roff()
        roff.title(root.name, section: 1, source: "\(root.name) \(Program.version)")
        roff.section("Name")
        roff.paragraph("\(root.name) - test harness and radio simulator for MeshCore companion radios")
        roff.section("Synopsis")
        roff.paragraph("\(root.name) COMMAND [options] [words]")
        roff.section("Description")
        roff.paragraph(
            "MeshRig runs scenarios: files that say which radios there are, what a client does and what must hold. The same seed gives "
                + "the same run. Options may be written --name value or --name=value; after -- everything is a word.")
        roff.section("Commands")
        for command in root.subcommands { describe(command, [], &roff) }
        roff.section("Exit status")
        for (code, meaning) in exitCodes { roff.item(code, meaning) }
        roff.section("Environment")
        for (name, meaning) in environment { roff.item(name, meaning) }
        roff.section("Files")
        roff.item("Scenarios", "the catalogue: looked for in the working folder, above it, and above the program")
        roff.section("Examples")
        roff.example([root.example] + root.subcommands.map(\.example))
        return roff.text
    }

    private static func describe(_ command: Command, _ path: [String], _ roff: inout Roff) {
        let name = (path + [command.name]).joined(separator: " ")
        guard command.subcommands.isEmpty else {
            for inner in command.subcommands { describe(inner, path + [command.name], &roff) }
            return
        }
        roff.subsection(
            name + (command.options.isEmpty ? "" : " [options]") + (command.words.isEmpty ? "" : " " + command.words))
        roff.paragraph(command.summary)
        for option in command.options {
            roff.item(option.usage, option.doc + (option.repeats ? "; may be repeated" : ""))
        }
        if !command.notes.isEmpty { roff.notes(command.notes) }
    }

    private static let exitCodes = [
        ("0", "all is well: everything passed, or there was nothing to complain of"),
        ("1", "something failed or was dead; for diff: something differs"),
        ("2", "a file or the command line is wrong"),
        ("3", "everything was blocked; with --strict: anything was"),
        ("4", "the harness itself is wrong, two runs of one seed differ, or a report could not be written"),
        ("130, 143", "ended by Ctrl-C or SIGTERM"),
    ]

    private static let environment = [
        ("NO_COLOR", "when set, there is no colour on a terminal"),
        (
            "GITHUB_ACTIONS, GITHUB_WORKSPACE, GITHUB_STEP_SUMMARY",
            "make run write annotations and the summary of a job on GitHub"
        ),
        (
            "SLURM_ARRAY_TASK_ID, CI_NODE_INDEX, CIRCLE_NODE_INDEX, BUILDKITE_PARALLEL_JOB, JOB_COMPLETION_INDEX",
            "and the counts beside them: the part of run --shard auto"
        ),
        ("XDG_RUNTIME_DIR", "where serve puts the names of its pseudo terminals"),
    ]
}

/// Writes roff with the macros of man(7); text of any kind comes out as it is.
struct Roff {
    private(set) var text = ""

    mutating func title(_ name: String, section: Int, source: String) {
        // Hyphens are not to break, and lines are not to be stretched.
        text += ".TH \(quoted(name.uppercased())) \(section) \"\" \(quoted(source))\n.nh\n.ad l\n"
    }

    mutating func section(_ name: String) { text += ".SH \(quoted(name.uppercased()))\n" }
    mutating func subsection(_ name: String) { text += ".SS \(quoted(name))\n" }
    mutating func paragraph(_ content: String) { text += ".PP\n\(line(content))\n" }

    /// A term with what it means, indented below it.
    mutating func item(_ term: String, _ meaning: String) {
        text += ".TP\n.B \(quoted(term))\n\(line(meaning))\n"
    }

    /// Paragraphs as help texts have them: lines flow together, but indented ones stay lines of their own.
    mutating func notes(_ content: String) {
        text += ".PP\n"
        var isIndented = false
        for part in content.split(separator: "\n", omittingEmptySubsequences: false) {
            if part.hasPrefix(" ") != isIndented {
                isIndented.toggle()
                text += isIndented ? ".RS 4\n" : ".RE\n.PP\n"
            } else if isIndented {
                text += ".br\n"
            }
            text += part.isEmpty ? ".PP\n" : line(String(part.drop { $0 == " " })) + "\n"
        }
        if isIndented { text += ".RE\n" }
    }

    /// Lines to be typed.
    mutating func example(_ lines: [String]) {
        text += ".PP\n.nf\n" + lines.map { "\\fB" + escaped($0) + "\\fR\n" }.joined() + ".fi\n"
    }

    /// A line of text: what would be a request or end a paragraph is neither.
    private func line(_ content: String) -> String {
        let escaped = escaped(content)
        if escaped.isEmpty { return "\\&" }
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }

    /// One argument of a macro.
    private func quoted(_ content: String) -> String {
        "\"" + escaped(content).replacing("\"", with: "\\(dq") + "\""
    }

    private func escaped(_ content: String) -> String {
        var out = ""
        for scalar in content.unicodeScalars {
            switch scalar {
            case "\\": out += "\\e"
            case "-": out += "\\-"
            case "'": out += "\\(aq"
            case "`": out += "\\(ga"
            case "^": out += "\\(ha"
            case "~": out += "\\(ti"
            case "\n": out += " "
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: continue
            case _ where scalar.value > 0x7E:
                let hex = String(scalar.value, radix: 16, uppercase: true)
                out += "\\[u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "]"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
