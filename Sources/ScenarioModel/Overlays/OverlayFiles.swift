internal import RigBase

/// Finds the files that others build on.
package struct OverlayFiles {
    private let root: String

    /// `root` is the folder of the catalogue, empty when there is none.
    package init(root: String) { self.root = root }

    /// The tree of the file that one at `spot` calls `name`: a path from that file's folder, an id of the catalogue, or the
    /// name of a world in its folder `worlds`.
    package func open(_ name: String, at spot: SourceSpot) throws(ScenarioErrors) -> YAMLNode {
        for path in Self.candidates(name, from: spot.file, root: root) where FileAccess.isFile(path) {
            return try ScenarioFolder.node(at: path)
        }
        throw Self.missing(name, at: spot)
    }

    static func missing(_ name: String, at spot: SourceSpot) -> ScenarioErrors {
        ScenarioErrors([
            ScenarioError(
                spot, "there is no file \"\(YAMLNode.shortened(name))\" to build on",
                hint: "give a path from this file's folder, a scenario's id, or the name of a file in worlds")
        ])
    }

    private static func candidates(_ name: String, from file: String, root: String) -> [String] {
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        let starts =
            name.hasPrefix("/")
            ? [name] : [folder + name] + (root.isEmpty ? [] : [root + "/" + name, root + "/worlds/" + name])
        return starts.flatMap { start in [start] + ScenarioFolder.endings.map { start + $0 } }
    }
}

/// Files by their paths, as a replay bundle holds them.
package struct BundledFiles {
    private let files: [(path: String, text: String)]

    package init(_ files: [(path: String, text: String)]) { self.files = files }

    /// The file that ends as the name does.
    package func open(_ name: String, at spot: SourceSpot) throws(ScenarioErrors) -> YAMLNode {
        var end = Substring(name)
        while end.hasPrefix("./") || end.hasPrefix("../") { end = end.drop { $0 != "/" }.dropFirst() }
        let ends = [String(end)] + ScenarioFolder.endings.map { end + $0 }
        let found = files.first { file in
            ends.contains { file.path == $0 || file.path.hasSuffix($0.hasPrefix("/") ? $0 : "/" + $0) }
        }
        guard let found else { throw OverlayFiles.missing(name, at: spot) }
        do {
            return try YAMLFile.parse(Array(found.text.utf8), file: found.path)
        } catch {
            throw ScenarioErrors([error])
        }
    }
}
