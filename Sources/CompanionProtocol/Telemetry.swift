internal import RigBase

/// One value of a CayenneLPP list: channel, type and the numbers as whole units of the type's resolution.
///
/// Numbers are big-endian, unlike everything else of the protocol (companion-protocol §7.10).
public struct TelemetryRecord: Sendable, Hashable {
    public var channel: UInt8
    public var type: TelemetryType
    /// One number, or one for each axis; divided by the type's divisor they are in the type's unit.
    public var values: [Int64]

    public init(channel: UInt8, type: TelemetryType, values: [Int64]) {
        self.channel = channel
        self.type = type
        self.values = values
    }

    /// The numbers with their unit, for people: `4.1 V`.
    public var text: String {
        guard let format = type.format else { return "" }
        let numbers = zip(values, format.components).map { Self.decimal($0, dividedBy: $1.divisor) }
        return numbers.joined(separator: ", ") + (format.unit.isEmpty ? "" : " " + format.unit)
    }

    private static func decimal(_ value: Int64, dividedBy divisor: Int64) -> String {
        var text = (value < 0 ? "-" : "") + "\(value.magnitude / divisor.magnitude)"
        var rest = value.magnitude % divisor.magnitude
        guard rest > 0 else { return text }
        text += "."
        // Divisors are 2 or powers of ten, so that the digits end.
        while rest > 0 {
            text += "\(rest * 10 / divisor.magnitude)"
            rest = rest * 10 % divisor.magnitude
        }
        return text
    }
}

/// The kind of a CayenneLPP value. An open set; the size of a kind that is not known is not known either.
public struct TelemetryType: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    private init(_ value: UInt8) { rawValue = value }

    public static let digitalInput = TelemetryType(0)
    public static let digitalOutput = TelemetryType(1)
    public static let analogInput = TelemetryType(2)
    public static let analogOutput = TelemetryType(3)
    public static let genericSensor = TelemetryType(100)
    public static let luminosity = TelemetryType(101)
    public static let presence = TelemetryType(102)
    public static let temperature = TelemetryType(103)
    public static let relativeHumidity = TelemetryType(104)
    public static let accelerometer = TelemetryType(113)
    public static let barometricPressure = TelemetryType(115)
    public static let voltage = TelemetryType(116)
    public static let current = TelemetryType(117)
    public static let frequency = TelemetryType(118)
    public static let percentage = TelemetryType(120)
    public static let altitude = TelemetryType(121)
    public static let load = TelemetryType(122)
    public static let concentration = TelemetryType(125)
    public static let power = TelemetryType(128)
    public static let distance = TelemetryType(130)
    public static let energy = TelemetryType(131)
    public static let direction = TelemetryType(132)
    public static let unixTime = TelemetryType(133)
    public static let gyrometer = TelemetryType(134)
    public static let colour = TelemetryType(135)
    public static let gps = TelemetryType(136)
    public static let switchState = TelemetryType(142)
    public static let polyline = TelemetryType(240)

    /// One number inside a value.
    public struct Component: Sendable, Hashable {
        public var size: Int
        public var isSigned: Bool
        public var divisor: Int64
    }

    /// Layout of the value behind channel and type.
    public struct Format: Sendable, Hashable {
        public var name: String
        public var unit: String
        public var components: [Component]
        public var size: Int { components.reduce(0) { $0 + $1.size } }
    }

    /// Nil for a kind that is not known.
    public var format: Format? {
        func one(_ name: String, _ unit: String, _ size: Int, _ signed: Bool = false, _ divisor: Int64 = 1) -> Format {
            Format(name: name, unit: unit, components: [Component(size: size, isSigned: signed, divisor: divisor)])
        }
        func three(_ name: String, _ unit: String, _ size: Int, _ divisors: [Int64], signed: Bool = true) -> Format {
            Format(
                name: name, unit: unit,
                components: divisors.map { Component(size: size, isSigned: signed, divisor: $0) })
        }
        switch self {
        case .digitalInput: return one("digital input", "", 1)
        case .digitalOutput: return one("digital output", "", 1)
        case .analogInput: return one("analog input", "", 2, true, 100)
        case .analogOutput: return one("analog output", "", 2, true, 100)
        case .genericSensor: return one("generic", "", 4)
        case .luminosity: return one("luminosity", "lx", 2)
        case .presence: return one("presence", "", 1)
        case .temperature: return one("temperature", "°C", 2, true, 10)
        case .relativeHumidity: return one("humidity", "%", 1, false, 2)
        case .accelerometer: return three("accelerometer", "g", 2, [1_000, 1_000, 1_000])
        case .barometricPressure: return one("pressure", "hPa", 2, false, 10)
        case .voltage: return one("voltage", "V", 2, true, 100)
        case .current: return one("current", "A", 2, true, 1_000)
        case .frequency: return one("frequency", "Hz", 4)
        case .percentage: return one("percentage", "%", 1)
        case .altitude: return one("altitude", "m", 2, true)
        case .load: return one("load", "kg", 3, true, 1_000)
        case .concentration: return one("concentration", "ppm", 2)
        case .power: return one("power", "W", 2)
        case .distance: return one("distance", "m", 4, false, 1_000)
        case .energy: return one("energy", "kWh", 4, false, 1_000)
        case .direction: return one("direction", "°", 2)
        case .unixTime: return one("time", "s", 4)
        case .gyrometer: return three("gyrometer", "°/s", 2, [100, 100, 100])
        case .colour: return three("colour", "", 1, [1, 1, 1], signed: false)
        case .gps: return three("position", "°, °, m", 3, [10_000, 10_000, 100])
        case .switchState: return one("switch", "", 1)
        default: return nil
        }
    }
}

/// Reads and writes CayenneLPP lists.
public enum CayenneLPP {
    /// The values up to the first that is not known, is cut off, or has channel 0, which is padding.
    public static func decode(_ bytes: [UInt8]) -> [TelemetryRecord] {
        var records: [TelemetryRecord] = []
        var offset = 0
        while offset + 2 <= bytes.count, bytes[offset] != 0 {
            let type = TelemetryType(rawValue: bytes[offset + 1])
            if type == .polyline, offset + 2 < bytes.count {
                // Its own length stands first; nothing here draws it.
                offset += 3 + Int(bytes[offset + 2])
                continue
            }
            guard let format = type.format, offset + 2 + format.size <= bytes.count else { break }
            var position = offset + 2
            var values: [Int64] = []
            for component in format.components {
                values.append(number(bytes[position..<position + component.size], signed: component.isSigned))
                position += component.size
            }
            records.append(TelemetryRecord(channel: bytes[offset], type: type, values: values))
            offset = position
        }
        return records
    }

    /// The list's bytes. Numbers too large for their field lose their high bytes; a type without a known format, or
    /// with another number of values than it has, is a caller's mistake.
    public static func encode(_ records: [TelemetryRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        for record in records {
            guard let format = record.type.format, format.components.count == record.values.count else {
                preconditionFailure("no telemetry format for type \(record.type.rawValue)")
            }
            bytes += [record.channel, record.type.rawValue]
            for (value, component) in zip(record.values, format.components) {
                for index in (0..<component.size).reversed() {
                    bytes.append(UInt8(truncatingIfNeeded: value >> (8 * Int64(index))))
                }
            }
        }
        return bytes
    }

    /// A big-endian number of up to 4 bytes.
    static func number(_ bytes: ArraySlice<UInt8>, signed: Bool) -> Int64 {
        let value = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard signed, let first = bytes.first, first & 0x80 != 0 else { return value }
        return value - (1 << Int64(8 * bytes.count))
    }
}
