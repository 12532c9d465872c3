internal import RunRecord

/// Prints a completion script for a shell, made from the commands themselves.
enum CompletionsCommand {
    private static let shells = ["bash", "zsh", "fish"]

    static let command = Command(
        "completions", "Prints completions for a shell: bash, zsh or fish.", words: "SHELL",
        example: "meshrig completions bash > /etc/bash_completion.d/meshrig"
    ) { arguments, output in
        let shell = try arguments.words(upTo: 1, needing: "the name of a shell")[0]
        switch shell {
        case "bash": output.write(bash)
        case "zsh": output.write("autoload -U +X bashcompinit && bashcompinit\n" + bash)
        case "fish": output.write(fish)
        default: throw UsageError.unknown("shell", shell, among: shells)
        }
        return 0
    }

    /// Every command with the words that lead to it.
    private static func all(_ command: Command, _ path: [String] = []) -> [(path: [String], command: Command)] {
        [(path, command)] + command.subcommands.flatMap { all($0, path + [$0.name]) }
    }

    /// A `case` a command: after its words come its subcommands, its options, or files.
    private static var bash: String {
        var text =
            "_meshrig() {\n    local words=\"${COMP_WORDS[*]:1:COMP_CWORD-1}\" current=${COMP_WORDS[COMP_CWORD]} offers\n"
        text += "    case $words in\n"
        // The longest paths first, so that `fixtures` does not hide `fixtures verify`.
        for (path, command) in all(Program.root).sorted(by: { $0.path.count > $1.path.count }) {
            let offers = command.subcommands.map(\.name) + command.options.map(\.name) + ["--help"]
            let pattern = path.isEmpty ? "*" : "'" + path.joined(separator: " ") + "'*"
            text += "    \(pattern)) offers='\(offers.joined(separator: " "))' ;;\n"
        }
        text += "    esac\n    COMPREPLY=($(compgen -W \"$offers\" -- \"$current\"))\n}\n"
        return text + "complete -o default -F _meshrig meshrig\n"
    }

    private static var fish: String {
        var text = ""
        for (path, command) in all(Program.root) {
            let words = path.map { "__fish_seen_subcommand_from \($0)" }
            let condition = words.isEmpty ? "__fish_use_subcommand" : words.joined(separator: "; and ")
            for inner in command.subcommands {
                text += "complete -c meshrig -n '\(condition)' -f -a \(inner.name) -d '\(quoted(inner.summary))'\n"
            }
            for option in command.options {
                let takesValue = option.placeholder == nil ? "" : " -r"
                text += "complete -c meshrig -n '\(condition)' -l \(option.name.dropFirst(2))\(takesValue)"
                text += " -d '\(quoted(option.doc))'\n"
            }
        }
        return text
    }

    private static func quoted(_ text: String) -> String { text.replacing("'", with: "\\'") }
}
