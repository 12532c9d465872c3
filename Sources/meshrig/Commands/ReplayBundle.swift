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
    /// The files it builds on, as they were.
    var files: [(path: String, text: String)]

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
            FieldDescriptor("files", .table(.text), "the files it builds on, by their paths"),
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
        files = reader.table("files").compactMap { entry in entry.value.text.map { (entry.key, $0) } }
        settings = reader.table("settings").compactMap { entry in entry.value.text.map { (entry.key, $0) } }
        let seedText = reader.text("seed") ?? ""
        let names = reader.names("defects")
        for name in names { name.check(among: Defect.allCases.map(\.rawValue), what: "defect", problems) }
        defects = names.compactMap { Defect(rawValue: $0.name) }
        if UInt64(seedText) == nil, reader.has("seed") { problems.add(reader.spot(of: "seed"), "seed is no number") }
        seed = UInt64(seedText) ?? 0
        try problems.throwIfAny()
    }

    /// Whether the bytes may be a bundle: whatever else is in them, the key is.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes.prefix(4_096), as: UTF8.self).contains("bundle")
    }

    /// The tree of the scenario in it, with all it builds on.
    var tree: YAMLNode {
        get throws {
            try ScenarioDocument.whole(try YAMLFile.parse(scenario, file: id), open: BundledFiles(files).open)
        }
    }

    /// The id of the file, without the row of its matrix.
    var fileID: String { id.split(separator: "[").first.map(String.init) ?? id }

    /// Runs it once more; `path` is where the bundle lies.
    func run(_ path: String) throws -> CaseResult {
        let documents = try ScenarioDocument.cases(of: try tree, id: fileID, settings: settings, strict: true)
        guard let document = documents.first(where: { $0.id == id }) else {
            throw UsageError("\(path): the scenario in it has no case \(id)")
        }
        let settings = RunSettings(seed: seed, defects: defects)
        guard var result = Runner.run([(document, settings)]).first else { throw UsageError("\(path): nothing ran") }
        result.replayCommand = "meshrig replay " + ShellWord.quoted(path)
        return result
    }

    /// Digits as text: a JSON number holds no 64 bits everywhere.
    static func text(
        of result: CaseResult, scenario: ScenarioDocument, settings: RunSettings, source: String,
        files: [(path: String, text: String)]
    ) -> String {
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
            json.key("files")
            json.object { json in
                for file in files {
                    json.key(file.path)
                    json.string(file.text)
                }
            }
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
            var others: [(path: String, text: String)] = []
            for path in scenario.files where path != scenario.file {
                others.append((path, String(decoding: try FileAccess.read(path), as: UTF8.self)))
            }
            let file = try Output(creating: path + "/" + Self.name(result))
            file.write(
                ReplayBundle.text(of: result, scenario: scenario, settings: settings, source: source, files: others))
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
