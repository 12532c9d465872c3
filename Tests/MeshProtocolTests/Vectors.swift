import Foundation
import MeshProtocol
import RigBase
import Testing

/// The worked examples of the mesh protocol, `Firmware-fixtures/vectors/mesh-examples.json`.
struct Vectors {
    /// One object of the file; every accessor fails the test when the key is missing.
    struct Entry {
        let fields: [String: Any]

        func has(_ key: String) -> Bool { fields[key] != nil }
        func text(_ key: String) throws -> String { try #require(fields[key] as? String, "no text \(key)") }
        func number(_ key: String) throws -> Int { try #require(fields[key] as? Int, "no number \(key)") }
        func real(_ key: String) throws -> Double { try #require((fields[key] as? NSNumber)?.doubleValue) }
        func flag(_ key: String) throws -> Bool { try #require(fields[key] as? Bool, "no flag \(key)") }
        func bytes(_ key: String) throws -> [UInt8] { try #require(Hex.decode(text(key)), "\(key) is not hex") }
        func entry(_ key: String) throws -> Entry { Entry(fields: try #require(fields[key] as? [String: Any])) }
        func optionalBytes(_ key: String) throws -> [UInt8]? { has(key) ? try bytes(key) : nil }
    }

    private let root: [String: Any]

    init(file: String = #filePath) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let url = folder.appendingPathComponent("Firmware-fixtures/vectors/mesh-examples.json")
        root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    }

    func entries(_ key: String) throws -> [Entry] {
        try #require(root[key] as? [[String: Any]], "no list \(key)").map(Entry.init)
    }

    func object(_ key: String) throws -> Entry { Entry(fields: try #require(root[key] as? [String: Any])) }

    func identity(_ name: String) throws -> Identity {
        let entry = try #require(try entries("identities").first { try $0.text("name") == name }, "no \(name)")
        return Identity(seed: try entry.bytes("seed"))
    }

    func channel(_ name: String) throws -> ChannelSecret {
        let entry = try #require(try entries("channels").first { try $0.text("name") == name }, "no \(name)")
        return ChannelSecret(secret32: try entry.bytes("secret_32"))
    }

    func packet(_ id: String) throws -> Entry {
        try #require(try entries("packets").first { try $0.text("id") == id }, "no \(id)")
    }

    /// Radio parameters of an `airtime` entry.
    func radio(_ preset: String) throws -> RadioParameters {
        let entry = try #require(try entries("airtime").first { try $0.text("preset") == preset }, "no \(preset)")
        return RadioParameters(
            frequencyKHz: UInt32((try entry.real("freq_mhz") * 1_000).rounded()),
            bandwidthHz: UInt32((try entry.real("bw_khz") * 1_000).rounded()),
            spreadingFactor: UInt8(try entry.number("sf")), codingRate: UInt8(try entry.number("cr")))
    }
}
