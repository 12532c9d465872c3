internal import CompanionProtocol
package import MeshProtocol
internal import RigBase

/// Explains bytes to a person, a field a line.
package enum DecodeText {
    /// A frame of the companion link without its envelope, or one or more with theirs, as they stand in a capture.
    ///
    /// Without an envelope and a direction it is explained as both, where both know its code. Nil when there is nothing.
    package static func frame(_ bytes: [UInt8], isToRadio: Bool? = nil) -> [String]? {
        guard !bytes.isEmpty else { return nil }
        let directions = LinkDirection.allCases.filter { direction in
            isToRadio.map { ($0 ? .toRadio : .fromRadio) == direction } ?? true
        }
        for direction in directions {
            if let (frames, rest) = unwrap(bytes, direction) {
                let cut = rest.isEmpty ? [] : ["and the beginning of another frame: " + Hex.encode(rest)]
                return frames.flatMap { explain($0, [direction]) } + cut
            }
        }
        return explain(bytes, directions)
    }

    private static func explain(_ frame: [UInt8], _ directions: [LinkDirection]) -> [String] {
        guard let code = frame.first else { return ["an empty frame"] }
        let known = directions.filter { FrameDescription.layout(of: frame, $0) != nil }
        if known.isEmpty { return ["unknown code \(code) (0x\(Hex.encode([code]))), \(frame.count) bytes"] }
        return known.flatMap { direction in
            let name = FrameNames.name(of: frame, direction)
            return ["\(direction.rawValue): \(name) (code \(code), \(frame.count) bytes)"]
                + columns(FrameDescription.describe(frame, direction, inWords: true).map { ($0.name, $0.value) })
        }
    }

    /// The frames in envelopes one after the other, and what is left of one that is cut; nil when that is not what the
    /// bytes look like.
    private static func unwrap(_ bytes: [UInt8], _ direction: LinkDirection) -> (frames: [[UInt8]], rest: [UInt8])? {
        var frames: [[UInt8]] = []
        var rest = bytes[...]
        while rest.count >= 3, rest.first == direction.startByte {
            let length = Int(rest[rest.startIndex + 1]) | Int(rest[rest.startIndex + 2]) << 8
            guard length > 0, rest.count >= 3 + length else { break }
            frames.append(Array(rest.dropFirst(3).prefix(length)))
            rest = rest.dropFirst(3 + length)
        }
        guard !frames.isEmpty, rest.isEmpty || rest.first == direction.startByte else { return nil }
        return (frames, Array(rest))
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

    private static func columns(_ rows: [(name: String, value: String)]) -> [String] {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { "  " + PlainText.padded($0.name, width) + "  " + PlainText.printable($0.value) }
    }
}
