internal import RunRecord
internal import ScenarioModel

/// The whole command: finds what was asked for, runs it, and turns every outcome into an exit code.
enum Program {
    static let version = "0.1.0"

    static let root = Command(
        "meshrig", "MeshRig \(version): test harness and radio simulator for MeshCore companion radios.",
        example: "meshrig run client/sync --seed 7",
        subcommands: [
            RunCommand.command, ListCommand.command, CheckCommand.command, PlanCommand.command, ReplayCommand.command,
            ShrinkCommand.command,
            DiffCommand.command,
            ServeCommand.command, WorldCommand.command, ImportCommand.command, FixturesCommand.command,
            ExplainCommand.command,
            LineOfSightCommand.command,
            DecodeCommand.command, DissectorCommand.command,
            ReferenceCommand.command, SchemaCommand.command,
            CompletionsCommand.command, ManCommand.command, VersionCommand.command,
        ])

    /// The exit code of a call with these arguments.
    static func run(_ arguments: [String], output: Output = .standard, errors: Output = .errors) -> Int32 {
        var code: Int32
        do {
            if arguments.isEmpty {
                errors.write(root.help(path: []))
                return 2
            }
            code = try root.dispatch(arguments[...], output)
        } catch {
            errors.write("meshrig: \(error)\n")
            code = error is WriteFailure ? Verdict.broken.exitCode : Verdict.bad.exitCode
        }
        // What the caller was to read has not reached it, so no verdict may be believed.
        if let failure = output.failure {
            errors.write("meshrig: \(failure)\n")
            code = Verdict.broken.exitCode
        }
        return code
    }
}

/// Says which program this is.
enum VersionCommand {
    static let command = Command("version", "Says which version this is.", example: "meshrig version") { _, output in
        output.write("meshrig \(Program.version)\n")
        return 0
    }
}
