import Foundation
import Testing

/// The recordings in `Firmware-fixtures/1.17.1`.
enum Fixtures {
    struct Manifest: Decodable {
        struct File: Decodable {
            var file: String
            /// What it records.
            var what: String
            var bytes: Int
            var sha256: String
        }

        struct Firmware: Decodable {
            var version: String
        }

        struct Options: Decodable {
            var companion: [String]
        }

        var firmware: Firmware
        var options: Options
        var files: [File]
    }

    static func folder(file: String = #filePath) -> URL {
        URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Firmware-fixtures/1.17.1")
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder().appendingPathComponent(name)))
    }

    static func manifest() throws -> Manifest {
        try JSONDecoder().decode(Manifest.self, from: Data(try bytes("manifest.json")))
    }

    /// The rows as text, for tests that change them.
    static func lines(_ name: String) throws -> [String] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// How many rows up to a millisecond have to be compared, counted by another reader.
    static func comparedRows(_ name: String, until: Int = .max) throws -> Int {
        try lines(name).count { line in
            let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if row["req"] != nil { return true }
            guard let time = row["t"] as? Int, (row["boot"] as? Int ?? time) <= until else { return false }
            let event = row["event"] as? String
            let direction = row["dir"] as? String
            return direction == "radio>app" || direction == "cli" || row["ota"] != nil || event == "reboot"
                || event == "process-exit"
        }
    }
}
