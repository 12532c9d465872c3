internal import RigBase

/// The scenario files below one folder, by id; nothing is read until asked for.
package struct ScenarioFolder: Sendable {
    /// A file that holds a scenario.
    package struct Entry: Sendable, Hashable {
        /// Path below the folder without its ending.
        package var id: String
        package var path: String
    }

    /// Folders at the top whose files are not scenarios.
    package static let otherKinds = ["testbeds", "sweeps", "worlds"]
    package static let endings = [".yaml", ".yml", ".json"]

    package let root: String
    /// Sorted by id.
    package let entries: [Entry]

    /// No folder at all: words mean files and folders on disk.
    package init() {
        root = ""
        entries = []
    }

    /// Lists the folder. Two files that differ in their ending only have one id and are an error.
    package init(_ root: String) throws(FileError) {
        let base = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
        var entries: [Entry] = []
        for path in try FileAccess.files(below: base) {
            guard let id = Self.withoutEnding(path), let top = id.split(separator: "/").first,
                !Self.otherKinds.contains(String(top))
            else { continue }
            if let other = entries.first(where: { $0.id == id }) {
                throw FileError(base + "/" + path, "has the same id as \(other.path)")
            }
            entries.append(Entry(id: id, path: base + "/" + path))
        }
        self.root = base
        self.entries = entries.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// The entries that words from a command line mean, each once, in the order of their ids; all when there is none.
    ///
    /// A word is an id, a folder of ids (`client/direct-messages`), or the path of a file or folder on disk, which need
    /// not lie below the root. A row's id (`id[row]`) means its file; pick the row with `isWanted`.
    package func select(_ words: [String]) throws(FileError) -> [Entry] {
        guard !words.isEmpty else { return entries }
        var chosen: [Entry] = []
        for word in words {
            for entry in try lookUp(word) where !chosen.contains(where: { $0.path == entry.path }) {
                if let other = chosen.first(where: { $0.id == entry.id }) {
                    throw FileError(entry.path, "has the same id as \(other.path)")
                }
                chosen.append(entry)
            }
        }
        return chosen.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// Whether a case is meant by the words that selected its file.
    package static func isWanted(_ id: String, by words: [String]) -> Bool {
        let wanted = parts(id)
        let rows = words.map(parts).filter { $0.file == wanted.file }.map(\.row)
        return rows.allSatisfy(\.isEmpty) || rows.contains("") || rows.contains(wanted.row)
    }

    /// The cases of a file, as they run with the settings of a command line.
    package func load(
        _ entry: Entry, settings: [(name: String, value: String)] = [], strict: Bool = false
    ) throws(ScenarioErrors) -> [ScenarioDocument] {
        try ScenarioDocument.cases(
            of: try Self.node(at: entry.path), id: entry.id, settings: settings, strict: strict,
            open: OverlayFiles(root: root).open)
    }

    /// The cases of a file as far as they can be read; what is wrong goes to `problems`. Throws when there is nothing to
    /// read.
    package func read(
        _ entry: Entry, settings: [(name: String, value: String)], strict: Bool, _ problems: ProblemList
    ) throws(ScenarioErrors) -> [ScenarioDocument] {
        try ScenarioDocument.read(
            try Self.node(at: entry.path), id: entry.id, settings: settings, strict: strict,
            open: OverlayFiles(root: root).open, problems)
    }

    /// The tree of a file on disk.
    package static func node(at path: String) throws(ScenarioErrors) -> YAMLNode {
        do {
            return try YAMLFile.parse(try FileAccess.read(path), file: path)
        } catch let error as ScenarioError {
            throw ScenarioErrors([error])
        } catch {
            let spot = SourceSpot(file: path, line: 1, column: 1)
            throw ScenarioErrors([ScenarioError(spot, (error as? FileError)?.reason ?? "\(error)")])
        }
    }

    private func lookUp(_ word: String) throws(FileError) -> [Entry] {
        let clean = word.count > 1 && word.hasSuffix("/") ? String(word.dropLast()) : word
        let file = Self.fileID(clean)
        let byID = entries.filter { $0.id == file || $0.id.hasPrefix(clean + "/") }
        if !byID.isEmpty { return byID }
        if FileAccess.isFolder(clean) {
            let target = FileAccess.resolved(clean) ?? clean
            let below = entries.filter { FileAccess.resolved($0.path)?.hasPrefix(target + "/") ?? false }
            if !below.isEmpty || target == FileAccess.resolved(root) { return below }
            // With the folder before them, so that the ids find the files again.
            return try ScenarioFolder(clean).entries.map { Entry(id: clean + "/" + $0.id, path: $0.path) }
        }
        // A file outside the root bears its path as id, which is to be found without its ending and with a row.
        let paths = [clean, file] + Self.endings.map { file + $0 }
        if let path = paths.first(where: FileAccess.isFile) {
            let target = FileAccess.resolved(path)
            if let known = entries.first(where: { FileAccess.resolved($0.path) == target }) { return [known] }
            return [Entry(id: Self.withoutEnding(path) ?? path, path: path)]
        }
        throw FileError(word, "is no scenario, folder or file here" + suggestion(for: clean))
    }

    private func suggestion(for word: String) -> String {
        let last = word.split(separator: "/").last.map(String.init) ?? word
        let ids = entries.map(\.id)
        let ends = ids.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let folders = ids.flatMap { id in id.indices.filter { id[$0] == "/" }.map { String(id[..<$0]) } }
        if let near = Nearest.name(to: word, among: folders + ids) { return "; did you mean \"\(near)\"?" }
        if let position = ends.firstIndex(of: last) { return "; did you mean \"\(ids[position])\"?" }
        if let near = Nearest.name(to: last, among: ends), let position = ends.firstIndex(of: near) {
            return "; did you mean \"\(ids[position])\"?"
        }
        guard ids.isEmpty else { return "" }
        return root.isEmpty ? "; name a folder of scenarios with --catalogue DIR" : " (\(root) holds no scenarios)"
    }

    /// The file a word means, without its ending, and the row in it; the row is empty when all are meant.
    private static func parts(_ word: String) -> (file: String, row: String) {
        let file = fileID(word)
        return (withoutEnding(file) ?? file, String(word.dropFirst(file.count)))
    }

    private static func fileID(_ id: String) -> String {
        guard id.hasSuffix("]"), let open = id.lastIndex(of: "[") else { return id }
        return String(id[..<open])
    }

    private static func withoutEnding(_ path: String) -> String? {
        endings.first(where: path.hasSuffix).map { String(path.dropLast($0.count)) }
    }
}
