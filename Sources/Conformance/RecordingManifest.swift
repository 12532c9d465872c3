internal import RigBase
internal import RigCrypto
internal import RunRecord

/// The list beside recordings that says which belong there, each with its SHA-256.
package struct RecordingManifest {
    private let file: String
    private let entries: [(name: String, digest: String)]

    /// Reads `manifest.json`: `files`, each with `file` and `sha256`.
    package init(file: String, contents: [UInt8]) throws(RecordingError) {
        self.file = file
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONReader.read(contents[...])
        } catch {
            throw RecordingError(file: file, line: 1, problem: "not JSON: \(error.problem)")
        }
        guard let list = root["files"]?.elements else {
            throw RecordingError(file: file, line: 1, problem: "'files' is missing or no list")
        }
        var entries: [(name: String, digest: String)] = []
        for entry in list {
            guard let name = entry["file"]?.text, let digest = entry["sha256"]?.text else {
                throw RecordingError(file: file, line: 1, problem: "an entry of 'files' takes 'file' and 'sha256'")
            }
            entries.append((name, digest))
        }
        self.entries = entries
    }

    /// What is not as the list says, a line each; `contents` reads a file beside it, nil for one that is not there.
    package func problems(_ contents: (String) -> [UInt8]?) -> [String] {
        entries.compactMap { entry in
            guard let bytes = contents(entry.name) else { return "\(file): \(entry.name) is not there" }
            let isSame = Hex.encode(Digest.sha256(bytes)) == entry.digest.lowercased()
            return isSame ? nil : "\(file): \(entry.name) is not the file that was listed (its SHA-256 differs)"
        }
    }
}
