internal import RadioServer
internal import RadioSimulator
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

/// Puts a simulated world on TCP ports and pseudo-terminals, for clients that know nothing of it.
enum ServeCommand {
    static let command = Command(
        "serve", "Serves virtual radios on TCP ports and pseudo-terminals.", words: "[WORLD]",
        options: [
            OptionDescriptor(
                "--port", .number(0...65_535), "TCP port of the first radio, 0 for free ones; 5000 if missing"),
            OptionDescriptor("--address", .text("ADDRESS"), "where to listen; 127.0.0.1 if missing"),
            OptionDescriptor(
                "--node", .text("NAME"), "a companion to offer; all without echo if missing", repeats: true),
            OptionDescriptor("--pace", .pace, "seconds of the world in a second; 1 if missing"),
            OptionDescriptor("--pty-dir", .text("DIR"), "where the links to the pseudo-terminals are"),
            OptionDescriptor("--no-pty", .flag, "TCP only"),
            OptionDescriptor(
                "--print-state", .text("FILE"), "keep this JSON file up to date with what the world knows"),
            OptionDescriptor("--seed", .seed, "seed of the world; 1 if missing"),
        ],
        example: "meshrig serve Scenarios/worlds/sandbox.yaml --port 5000"
    ) { arguments, output in
        let configuration = try configuration(arguments)
        let stop = StopFlag()
        stop.setOnSignals()
        let server = try RadioServer(configuration) { output.write($0 + "\n") }
        server.run(until: stop)
        return 0
    }

    private static func configuration(_ arguments: Arguments) throws -> ServeConfiguration {
        let path = try arguments.words(upTo: 1).first ?? SandboxWorld.name
        let root =
            arguments.words.isEmpty
            ? try YAMLFile.parse(Array(SandboxWorld.text.utf8), file: path) : try ScenarioFolder.node(at: path)
        let document = try WorldDocument.file(root).world
        let echoes = document.nodes.filter(\.isEcho).map(\.name)
        let problems = ProblemList()
        let world = WorldBuilder(document, problems).build(
            seed: arguments.seed("--seed") ?? RunSettings.defaultSeed, isAutonomous: { echoes.contains($0) })
        try problems.throwIfAny()
        let companions = document.nodes.filter { $0.role == .companion }.map(\.name)
        let chosen = arguments.texts("--node")
        for (index, name) in chosen.enumerated() {
            if !companions.contains(name) { throw UsageError.unknown("companion", name, among: companions) }
            if chosen[..<index].contains(name) { throw UsageError("--node \(name) is given twice") }
        }
        let offered = chosen.isEmpty ? companions.filter { !echoes.contains($0) } : chosen
        if offered.isEmpty { throw UsageError("\(path) holds no companion to offer") }
        if arguments.flag("--no-pty"), arguments.text("--pty-dir") != nil {
            throw UsageError("--pty-dir or --no-pty, not both")
        }
        let directory = arguments.text("--pty-dir") ?? TerminalDirectory.standard
        let pace = arguments.text("--pace").flatMap { ScalarText.fixedPoint($0, places: 3) } ?? 1_000
        return ServeConfiguration(
            world: world, companions: offered,
            peers: echoes.filter { !offered.contains($0) }.map { PeerScript(node: $0, action: .echo) },
            address: arguments.text("--address") ?? "127.0.0.1",
            port: UInt16(arguments.number("--port") ?? 5_000),
            terminalDirectory: arguments.flag("--no-pty") ? nil : directory, paceWorld: Int64(pace),
            paceReal: 1_000, stateFile: arguments.text("--print-state"))
    }
}
