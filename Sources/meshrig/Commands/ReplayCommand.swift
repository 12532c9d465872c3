internal import Glibc
internal import Reporting
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner
internal import Synchronization

/// All that repeats one run: the scenario's text with its parameters, the seed and what came of it. A JSON file.
struct ReplayBundle {
    var id: String
    var seed: UInt64
    var defects: [Defect]
    var settings: [(name: String, value: String)]
    var verdict: String
    var digest: String
    /// The file's text as it was.
    var scenario: [UInt8]

    static let shape = ShapeDescriptor(
        "a replay bundle",
        [
            FieldDescriptor("bundle", .integer(1...1), "version of this format", required: true),
            FieldDescriptor("meshrig", .text, "version that wrote it", required: true),
            FieldDescriptor("id", .text, "the case", required: true),
            FieldDescriptor("seed", .text, "its seed", required: true),
            FieldDescriptor("defects", .list(.text), "defects that were switched on"),
            FieldDescriptor("settings", .table(.text), "parameters from the command line"),
            FieldDescriptor("verdict", .text, "how it ended", required: true),
            FieldDescriptor("digest", .text, "digest of what happened", required: true),
            FieldDescriptor("scenario", .text, "the scenario file", required: true),
        ])

    init(reading path: String) throws {
        let problems = ProblemList()
        let node = try ScenarioFolder.node(at: path)
        // Each key of some other file would be a complaint of its own.
        guard node.mapping?.contains(where: { $0.key == "bundle" }) == true else {
            throw UsageError("\(path): a replay bundle needs \"bundle\"; meshrig run --bundle DIR writes such files")
        }
        let reader = MappingReader(node, Self.shape, problems)
        _ = reader.integer("bundle")
        id = reader.text("id") ?? ""
        verdict = reader.text("verdict") ?? ""
        digest = reader.text("digest") ?? ""
        scenario = Array((reader.text("scenario") ?? "").utf8)
        settings = reader.table("settings").compactMap { entry in entry.value.text.map { (entry.key, $0) } }
        let seedText = reader.text("seed") ?? ""
        let names = reader.names("defects")
        for name in names { name.check(among: Defect.allCases.map(\.rawValue), what: "defect", problems) }
        defects = names.compactMap { Defect(rawValue: $0.name) }
        if UInt64(seedText) == nil, reader.has("seed") { problems.add(reader.spot(of: "seed"), "seed is no number") }
        seed = UInt64(seedText) ?? 0
        try problems.throwIfAny()
    }

    /// Digits as text: a JSON number holds no 64 bits everywhere.
    static func text(of result: CaseResult, scenario: ScenarioDocument, settings: RunSettings, source: String) -> String
    {
        var json = JSONText()
        json.object { json in
            json.key("bundle")
            json.integer(1)
            for (key, value) in [
                ("meshrig", Program.version), ("id", result.id), ("seed", "\(result.seed)"),
                ("verdict", result.verdict.rawValue), ("digest", result.digest),
            ] {
                json.key(key)
                json.string(value)
            }
            json.key("defects")
            json.array { for defect in settings.defects { $0.string(defect.rawValue) } }
            json.key("settings")
            json.object { json in
                for parameter in scenario.parameters where parameter.isSet {
                    json.key(parameter.name)
                    json.string(parameter.value.text)
                }
            }
            json.key("scenario")
            json.string(source)
        }
        return json.text + "\n"
    }
}

/// A folder that bundles are written to, from any thread.
final class BundleFolder: Sendable {
    private let path: String
    private let problem = Mutex<String?>(nil)

    /// Makes the folder when it is not there.
    init(_ path: String) throws(UsageError) {
        self.path = path
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw UsageError("\(path): \(String(cString: strerror(errno)))") }
        guard FileAccess.isFolder(path) else { throw UsageError("\(path): is no folder") }
    }

    /// The first thing that went wrong.
    var failure: String? { problem.withLock { $0 } }

    func write(_ result: CaseResult, _ scenario: ScenarioDocument, _ settings: RunSettings) {
        do {
            let source = String(decoding: try FileAccess.read(scenario.file), as: UTF8.self)
            let file = try Output(creating: path + "/" + Self.name(result))
            file.write(ReplayBundle.text(of: result, scenario: scenario, settings: settings, source: source))
            file.finish()
            if let failure = file.failure { keep(failure) }
        } catch { keep("\(error)") }
    }

    private func keep(_ failure: String) { problem.withLock { $0 = $0 ?? failure } }

    /// The id with everything but letters, digits, `-` and `_` made a point, then the seed.
    private static func name(_ result: CaseResult) -> String {
        let id = result.id.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "." }
        return String(id) + "-seed\(result.seed).json"
    }
}

/// Runs once more what a bundle describes.
enum ReplayCommand {
    static let command = Command(
        "replay", "Repeats the run of a replay bundle, compares, and ends with the code of its verdict.",
        words: "BUNDLE",
        options: [OptionDescriptor("--jsonl", .text("FILE"), "also write the result and all events as lines of JSON")],
        example: "meshrig replay failures/client.sync.full-sync-seed7.json"
    ) { arguments, output in
        let path = try arguments.words(upTo: 1, needing: "the path of a bundle")[0]
        let bundle = try ReplayBundle(reading: path)
        let file = try arguments.text("--jsonl").map { try Output(creating: $0) }
        let root = try YAMLFile.parse(bundle.scenario, file: bundle.id)
        let fileID = bundle.id.split(separator: "[").first.map(String.init) ?? bundle.id
        let documents = try ScenarioDocument.cases(of: root, id: fileID, settings: bundle.settings, strict: true)
        guard let document = documents.first(where: { $0.id == bundle.id }) else {
            throw UsageError("\(path): the scenario in it has no case \(bundle.id)")
        }
        let settings = RunSettings(seed: bundle.seed, defects: bundle.defects)
        guard var result = Runner.run([(document, settings)]).first else { return Verdict.broken.exitCode }
        result.replayCommand = "meshrig replay " + ShellWord.quoted(path)
        let console = ConsoleReport(ids: [result.id], isColoured: Host.wantsColour(output))
        output.write("meshrig \(Program.version), 1 case, seed \(bundle.seed)\n" + console.header + console.row(result))
        let same = result.digest == bundle.digest && result.verdict.rawValue == bundle.verdict
        output.write(
            same
                ? "\nthe same run as recorded: \(bundle.verdict), digest \(bundle.digest)\n"
                : "\nnot the run that was recorded\n  then: \(bundle.verdict), digest \(bundle.digest)\n"
                    + "  now:  \(result.verdict.rawValue), digest \(result.digest)\n")
        if let file {
            file.write(JSONLinesReport.header(seeds: [bundle.seed]) + JSONLinesReport.lines(result, number: 1))
            file.finish()
            if let failure = file.failure { throw WriteFailure(description: failure) }
        }
        return Verdict.exitCode(of: [result.verdict])
    }
}
