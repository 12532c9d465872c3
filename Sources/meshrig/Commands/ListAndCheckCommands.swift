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
        "check", "Checks scenario, world and testbed files without running them.", words: "[ID, folder or file…]",
        options: Selection.options, example: "meshrig check Scenarios/client/sync"
    ) { arguments, output in
        let root = Selection.root(arguments.text("--catalogue"))
        let others = try SideFile.allCases.map { kind in
            (kind: kind, paths: try kind.files(arguments.words, below: root))
        }
        let words = arguments.words.filter { word in !others.contains { $0.paths.contains(word) } }
        // Words that all mean such files leave no scenario to look at.
        let selection = words.isEmpty && !arguments.words.isEmpty ? nil : try Selection(arguments, words: words)
        var wrong = selection?.bad.map(\.reason) ?? []
        let count = (selection?.fileCount ?? 0) + others.reduce(0) { $0 + $1.paths.count }
        for (kind, paths) in others {
            for path in paths {
                do { try kind.check(path) } catch { wrong.append("\(error)") }
            }
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
}

/// Files that stand beside scenarios and run nothing by themselves.
private enum SideFile: String, CaseIterable {
    case worlds, testbeds

    /// The key that only this kind has at its top.
    private var mark: String {
        switch self {
        case .worlds: "world"
        case .testbeds: "radios"
        }
    }

    func check(_ path: String) throws {
        let root = try ScenarioFolder.node(at: path)
        switch self {
        case .worlds: try WorldBuilder.check(try WorldDocument.file(root).world)
        case .testbeds: _ = try TestbedDocument(root, file: path)
        }
    }

    private func isOne(_ path: String) -> Bool {
        guard let keys = (try? ScenarioFolder.node(at: path))?.mapping?.map(\.key) else { return false }
        return keys.contains(mark) && !["steps", "requirement", "extends"].contains(where: keys.contains)
    }

    /// Those among the words, or all of the catalogue's folder for them when there are no words.
    func files(_ words: [String], below root: String?) throws -> [String] {
        let folder = root.map { $0 + "/" + rawValue }
        guard words.isEmpty else {
            let place = folder.flatMap(FileAccess.resolved)
            return words.filter { word in
                guard FileAccess.isFile(word) else { return false }
                if let place, FileAccess.resolved(word)?.hasPrefix(place + "/") == true { return true }
                return isOne(word)
            }
        }
        guard let folder, FileAccess.isFolder(folder) else { return [] }
        return try FileAccess.files(below: folder)
            .filter { path in ScenarioFolder.endings.contains { path.hasSuffix($0) } }
            .map { folder + "/" + $0 }
    }
}
