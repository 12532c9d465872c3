internal import RigRuntime
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

/// Lists cases without running them.
enum ListCommand {
    static let command = Command(
        "list", "Lists scenarios.", words: "[ID, folder or file…]",
        options: Selection.options + [
            OptionDescriptor("--json", .flag, "one JSON object a line"),
            OptionDescriptor("--defects", .flag, "the defects that can be built into the client, instead of scenarios"),
        ],
        example: "meshrig list --tag \"retry && fast\""
    ) { arguments, output in
        if arguments.flag("--defects") {
            let width = Defect.allCases.map(\.rawValue.count).max() ?? 0
            for defect in Defect.allCases {
                let gap = String(repeating: " ", count: width - defect.rawValue.count)
                output.write("\(defect.rawValue)\(gap)  \(defect.summary)\n")
            }
            return 0
        }
        let selection = try Selection(arguments)
        let width = selection.documents.map(\.id.count).max() ?? 0
        for document in selection.documents {
            if arguments.flag("--json") {
                output.write(json(document) + "\n")
            } else {
                let gap = String(repeating: " ", count: width - document.id.count)
                output.write("\(document.id)\(gap)  \(document.title)\n")
            }
        }
        for result in selection.bad { Output.errors.write(result.reason + "\n") }
        return selection.bad.isEmpty ? 0 : Verdict.bad.exitCode
    }

    private static func json(_ document: ScenarioDocument) -> String {
        var json = JSONText()
        json.object { json in
            for (key, value) in [
                ("id", document.id), ("file", document.file), ("title", document.title),
                ("requirement", document.requirement), ("tier", document.tier.rawValue),
                ("level", document.level.rawValue),
            ] {
                json.key(key)
                json.string(value)
            }
            for (key, values) in [("refs", document.refs), ("tags", document.tags)] {
                json.key(key)
                json.array { for value in values { $0.string(value) } }
            }
        }
        return json.text
    }
}

/// Reads files and says what is wrong with them.
enum CheckCommand {
    static let command = Command(
        "check", "Checks scenario and world files without running them.", words: "[ID, folder or file…]",
        options: Selection.options, example: "meshrig check Scenarios/client/sync"
    ) { arguments, output in
        let root = Selection.root(arguments.text("--catalogue"))
        let worlds = try worlds(arguments.words, below: root)
        let others = arguments.words.filter { !worlds.contains($0) }
        // Words that all mean worlds leave no scenario to look at.
        let selection = others.isEmpty && !arguments.words.isEmpty ? nil : try Selection(arguments, words: others)
        var wrong = selection?.bad.map(\.reason) ?? []
        let count = (selection?.fileCount ?? 0) + worlds.count
        for path in worlds {
            do {
                let world = try WorldDocument.file(try ScenarioFolder.node(at: path)).world
                try WorldBuilder.check(world)
            } catch { wrong.append("\(error)") }
        }
        for document in selection?.documents ?? [] {
            do { try CaseRunner.check(document) } catch { wrong.append("\(error)") }
        }
        for reason in wrong { Output.errors.write(reason + "\n") }
        let caseCount = selection?.documents.count ?? 0
        let files = count == 1 ? "1 file" : "\(count) files"
        let cases = caseCount == 1 ? "1 case" : "\(caseCount) cases"
        output.write("\(files), \(cases), \(wrong.isEmpty ? "nothing wrong" : "\(wrong.count) wrong")\n")
        return wrong.isEmpty ? 0 : Verdict.bad.exitCode
    }

    /// Whether a file has a world and nothing that only a scenario has.
    private static func isWorld(_ path: String) -> Bool {
        guard let keys = (try? ScenarioFolder.node(at: path))?.mapping?.map(\.key) else { return false }
        return keys.contains("world") && !keys.contains("steps") && !keys.contains("requirement")
    }

    /// The world files among the words, or all of the catalogue when there are no words.
    private static func worlds(_ words: [String], below root: String?) throws -> [String] {
        let folder = root.map { $0 + "/worlds" }
        guard words.isEmpty else {
            let place = folder.flatMap(FileAccess.resolved)
            return words.filter { word in
                guard FileAccess.isFile(word) else { return false }
                if let place, FileAccess.resolved(word)?.hasPrefix(place + "/") == true { return true }
                return isWorld(word)
            }
        }
        guard let folder, FileAccess.isFolder(folder) else { return [] }
        return try FileAccess.files(below: folder)
            .filter { path in ScenarioFolder.endings.contains { path.hasSuffix($0) } }
            .map { folder + "/" + $0 }
    }
}
