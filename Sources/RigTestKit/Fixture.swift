internal import Glibc

/// Data files of this repository, found from where this source file lies.
package enum Fixture {
    /// The file's content below `Firmware-fixtures/`; a file that is not there is a mistake of the test.
    package static func text(_ path: String, from source: String = #filePath) -> String {
        let file = repositoryRoot(from: source) + "/Firmware-fixtures/" + path
        guard let handle = fopen(file, "r") else { preconditionFailure("no fixture at \(file)") }
        defer { fclose(handle) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, handle)
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The folder that holds `Package.swift`.
    package static func repositoryRoot(from source: String = #filePath) -> String {
        source.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    }
}
