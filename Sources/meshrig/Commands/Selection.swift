internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

/// The cases that the words and options of a command line mean.
struct Selection {
    /// Read and ready to run, in the order of their ids.
    private(set) var documents: [ScenarioDocument] = []
    /// Files that cannot run, as results.
    private(set) var bad: [CaseResult] = []
    /// Files looked at.
    private(set) var fileCount = 0
    /// The catalogue folder; nil when there is none.
    private let root: String?

    static let options: [OptionDescriptor] = [
        OptionDescriptor("--tag", short: "-t", .text("EXPR"), "only cases with these tags: \"fast && !retry\", or a,b"),
        OptionDescriptor("--set", .setting, "a parameter's value, instead of the file's", repeats: true),
        OptionDescriptor("--catalogue", .text("DIR"), "the folder of scenarios; Scenarios when missing"),
    ]

    /// The words are those of the command line unless others are given.
    init(_ arguments: Arguments, words: [String]? = nil) throws {
        let words = words ?? arguments.words
        root = Self.root(arguments.text("--catalogue"))
        // Files and folders on disk need no catalogue.
        if root == nil, words.isEmpty {
            throw UsageError("no folder named Scenarios here or above; name it with --catalogue DIR, or name files")
        }
        let folder = try root.map { try ScenarioFolder($0) } ?? ScenarioFolder()
        let entries = try folder.select(words)
        let settings = arguments.settings("--set")
        let tags = try arguments.text("--tag").map { text in
            do { return try TagExpression(text) } catch { throw UsageError("--tag: \(error)") }
        }
        fileCount = entries.count
        var tagsSeen: [String] = []
        for entry in entries {
            do {
                // Replay bundles may lie beside scenarios.
                if entry.path.hasSuffix(".json"), try ScenarioFolder.node(at: entry.path)["bundle"] != nil { continue }
                let problems = ProblemList()
                var wanted: [ScenarioDocument] = []
                for document in try folder.read(entry, settings: settings, strict: entries.count == 1, problems) {
                    tagsSeen += document.tags + [document.tier.rawValue, document.level.rawValue]
                    guard ScenarioFolder.isWanted(document.id, by: words), tags?.matches(document) ?? true else {
                        continue
                    }
                    _ = Script(document, on: .simulator, problems)
                    wanted.append(document)
                }
                try problems.throwIfAny()
                documents += wanted
            } catch {
                bad.append(
                    CaseResult(
                        id: entry.id, title: "", seed: 0, verdict: .bad,
                        reason: error.description + Self.hint(for: entry)))
            }
        }
        try checkSettings(settings)
        if documents.isEmpty, bad.isEmpty { throw Self.nothing(words, tags, tagsSeen, folder) }
    }

    /// What a file is that was taken for a scenario.
    private static func hint(for entry: ScenarioFolder.Entry) -> String {
        guard let keys = (try? ScenarioFolder.node(at: entry.path))?.mapping?.map(\.key), keys.contains("world"),
            !keys.contains("steps"), !keys.contains("extends")
        else { return "" }
        return
            "\nthis is a world and no scenario: `meshrig serve \(entry.path)` runs it, and a scenario can build on it with world: { from: … }"
    }

    /// A parameter that no file has is a slip of the hand.
    private func checkSettings(_ settings: [(name: String, value: String)]) throws(UsageError) {
        guard bad.isEmpty else { return }
        let names = documents.flatMap { $0.parameters.map(\.name) }
        for setting in settings where !names.contains(setting.name) {
            throw UsageError("--set \(setting.name): no chosen scenario has a parameter of that name")
        }
    }

    private static func nothing(
        _ words: [String], _ tags: TagExpression?, _ seen: [String], _ folder: ScenarioFolder
    ) -> UsageError {
        guard let tags else {
            return UsageError(
                words.isEmpty
                    ? "\(folder.root) holds no scenarios" : "no row of that name: \(words.joined(separator: " "))")
        }
        if let unknown = tags.tags.first(where: { !seen.contains($0) }) {
            return .unknown("tag", unknown, among: Set(seen).sorted())
        }
        return UsageError("no chosen scenario matches --tag")
    }

    /// The word that means this case on a command line: its id, or its path when it is not of the catalogue.
    func word(for document: ScenarioDocument) -> String {
        if let root, document.file.hasPrefix(root + "/") { return document.id }
        return document.file + (document.id.last == "]" ? document.id.drop { $0 != "[" } : "")
    }

    /// The folder given, or the nearest `Scenarios` at or above the working folder or this program; nil when there is none.
    static func root(_ given: String?) -> String? {
        if let given { return given }
        if FileAccess.isFolder("Scenarios") { return "Scenarios" }
        for start in [Host.workingFolder, Host.executable] {
            var path = start ?? ""
            while let slash = path.lastIndex(of: "/") {
                path = String(path[..<slash])
                if FileAccess.isFolder(path + "/Scenarios") { return path + "/Scenarios" }
            }
        }
        return nil
    }
}
