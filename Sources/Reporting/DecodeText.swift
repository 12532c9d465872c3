internal import CompanionProtocol
package import MeshProtocol
internal import RigBase

/// Explains bytes to a person, a field a line.
package enum DecodeText {
    /// A frame of the companion link, with or without its three-byte envelope.
    ///
    /// Without an envelope and a direction it is explained as both, where both know its code. Nil when there is nothing.
    package static func frame(_ bytes: [UInt8], isToRadio: Bool? = nil) -> [String]? {
        var bytes = bytes
        var directions = LinkDirection.allCases.filter { direction in
            isToRadio.map { ($0 ? .toRadio : .fromRadio) == direction } ?? true
        }
        if let enveloped = directions.first(where: { isEnveloped(bytes, $0) }) {
            bytes = Array(bytes.dropFirst(3))
            directions = [enveloped]
        }
        guard let code = bytes.first else { return nil }
        let known = directions.filter { FrameDescription.layout(of: bytes, $0) != nil }
        if known.isEmpty { return ["unknown code \(code) (0x\(Hex.encode([code]))), \(bytes.count) bytes"] }
        return known.flatMap { direction in
            let name = FrameNames.name(of: bytes, direction)
            return ["\(direction.rawValue): \(name) (code \(code), \(bytes.count) bytes)"]
                + columns(FrameDescription.describe(bytes, direction).map { ($0.name, $0.value) })
        }
    }

    /// A packet from the air; `keys` open what is sealed.
    package static func packet(_ bytes: [UInt8], keys: PacketKeys = PacketKeys()) -> [String] {
        ["packet (\(bytes.count) bytes)"]
            + columns(PacketDescription.fields(of: bytes, keys: keys).map { ($0.name, $0.value) })
    }

    /// A CayenneLPP list. What cannot be read at its end is said so.
    package static func telemetry(_ bytes: [UInt8]) -> [String] {
        let records = CayenneLPP.decode(bytes)
        let lines = columns(
            records.map { record in
                let name = record.type.format?.name ?? "type \(record.type.rawValue)"
                return ("channel \(record.channel)", name + "  " + record.text)
            })
        let used = records.reduce(0) { $0 + 2 + ($1.type.format?.size ?? 0) }
        let rest = used < bytes.count ? ["  not readable: " + Hex.encode(bytes[used...])] : []
        return ["telemetry (\(bytes.count) bytes)"] + lines + rest
    }

    private static func isEnveloped(_ bytes: [UInt8], _ direction: LinkDirection) -> Bool {
        bytes.count > 3 && bytes[0] == direction.startByte
            && Int(bytes[1]) | Int(bytes[2]) << 8 == bytes.count - 3
    }

    private static func columns(_ rows: [(name: String, value: String)]) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { "  " + PlainText.padded($0.name, width) + "  " + PlainText.printable($0.value) }
    }
}
