public import CompanionProtocol
internal import RigBase

/// What a server tells about its owner.
public struct OwnerInfo: Sendable, Hashable {
    public var version: String
    public var name: String
    public var info: String

    /// Three lines; the last one may hold further line ends.
    init(_ data: [UInt8]) {
        let text = WireText.untilNUL(data).string
        let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        version = parts.first ?? ""
        name = parts.count > 1 ? parts[1] : ""
        info = parts.count > 2 ? parts[2] : ""
    }
}

/// One line of a server's access list.
public struct AccessEntry: Sendable, Hashable {
    /// First 6 bytes of the client's key.
    public var keyPrefix: [UInt8]
    public var permission: UInt8

    /// Entries of 7 bytes; one of zeros is padding.
    static func list(_ data: [UInt8]) -> [AccessEntry] {
        stride(from: 0, through: data.count - 7, by: 7).compactMap { start in
            let prefix = Array(data[start..<start + 6])
            return prefix.allSatisfy { $0 == 0 } ? nil : AccessEntry(keyPrefix: prefix, permission: data[start + 6])
        }
    }
}

/// A node a repeater has heard.
public struct Neighbour: Sendable, Hashable {
    public var keyPrefix: [UInt8]
    public var secondsAgo: UInt32
    public var snrQuarterDB: Int8
}

/// Neighbours a repeater told, and how many it has.
public struct NeighbourListing: Sendable, Hashable {
    public var total: Int
    public var neighbours: [Neighbour]

    /// One page: total, number, then prefix, age and SNR of each; nil when it is cut off.
    init?(_ data: [UInt8], prefixSize: Int) {
        var reader = ByteReader(data)
        do {
            total = Int(try reader.i16())
            let count = Int(try reader.i16())
            neighbours = []
            while neighbours.count < count, reader.remaining >= prefixSize + 5 {
                neighbours.append(
                    Neighbour(
                        keyPrefix: try reader.take(prefixSize), secondsAgo: try reader.u32(),
                        snrQuarterDB: try reader.i8()))
            }
        } catch {
            return nil
        }
    }

    init(total: Int, neighbours: [Neighbour]) {
        self.total = total
        self.neighbours = neighbours
    }
}

/// Smallest, largest and mean value of one sensor over a time.
public struct SensorSeries: Sendable, Hashable {
    public var channel: UInt8
    public var type: TelemetryType
    public var minimum: Int64
    public var maximum: Int64
    public var mean: Int64

    /// The server's clock, then the entries; of values with several axes only the first is told. Nil without a clock.
    static func list(_ data: [UInt8]) -> (time: UInt32, series: [SensorSeries])? {
        var reader = ByteReader(data)
        guard let time = try? reader.u32() else { return nil }
        var series: [SensorSeries] = []
        while reader.remaining >= 2, let channel = try? reader.u8(), channel != 0, let raw = try? reader.u8() {
            let type = TelemetryType(rawValue: raw)
            guard let component = type.format?.components.first, reader.remaining >= 3 * component.size else { break }
            // Currents come without a sign here.
            let isSigned = component.isSigned && type != .current
            var values: [Int64] = []
            for _ in 0..<3 {
                let bytes = (try? reader.take(component.size)) ?? []
                values.append(BigEndian.number(bytes, signed: isSigned))
            }
            series.append(
                SensorSeries(channel: channel, type: type, minimum: values[0], maximum: values[1], mean: values[2]))
        }
        return (time, series)
    }
}

/// Numbers of sensor values, high byte first.
enum BigEndian {
    static func number(_ bytes: [UInt8], signed: Bool) -> Int64 {
        let value = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard signed, let first = bytes.first, first & 0x80 != 0 else { return value }
        return value - (1 << Int64(8 * bytes.count))
    }
}
