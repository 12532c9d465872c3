internal import MeshProtocol

/// What a sensor measures besides its battery: one CayenneLPP record of its telemetry (remote-nodes §7).
public struct SensorReading: Sendable, Hashable {
    public enum Quantity: String, Sendable, Hashable, CaseIterable {
        /// Degrees Celsius, per cent, hectopascal.
        case temperature, humidity, pressure
    }

    public var quantity: Quantity
    /// Thousandths of the quantity's unit.
    public var milli: Int32

    public init(_ quantity: Quantity, milli: Int32) {
        self.quantity = quantity
        self.milli = milli
    }

    /// Type byte and value, without the channel: tenths for temperature and pressure, halves for humidity.
    var record: [UInt8] {
        switch quantity {
        case .temperature: [103] + Self.two(milli / 100)
        case .humidity: [104, UInt8(clamping: milli / 500)]
        case .pressure: [115] + Self.two(milli / 100)
        }
    }

    private static func two(_ value: Int32) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}

/// A day of voltages, one at most every five minutes (remote-nodes §2.5). Slots that were never filled count as zero.
struct SensorSeries {
    static let slots = 288
    static let interval: UInt32 = 300

    /// Millivolts, the newest at `newest`.
    private var values = [UInt16](repeating: 0, count: slots)
    private var newest = slots - 1
    private var lastTime: UInt32?

    /// Keeps a value if five minutes have passed since the last one that was kept.
    mutating func add(_ millivolts: UInt16, at now: UInt32) {
        if let lastTime, now &- lastTime < Self.interval { return }
        newest = (newest + 1) % Self.slots
        values[newest] = millivolts
        lastTime = now
    }

    /// Lowest, highest and mean in hundredths of a volt over samples of an age from `end` to below `start` seconds; zeros
    /// when there is none.
    func summary(from start: UInt32, to end: UInt32, at now: UInt32) -> (minimum: UInt16, maximum: UInt16, mean: UInt16)
    {
        let elapsed = UInt64(now &- (lastTime ?? now))
        let chosen = (0..<Self.slots).filter { back in
            let age = elapsed + UInt64(back) * UInt64(Self.interval)
            return age >= UInt64(end) && age < UInt64(start)
        }.map { UInt32(values[(newest + Self.slots - $0) % Self.slots]) }
        guard let low = chosen.min(), let high = chosen.max() else { return (0, 0, 0) }
        let mean = chosen.reduce(0, +) / UInt32(chosen.count)
        return (UInt16(low / 10), UInt16(high / 10), UInt16(mean / 10))
    }
}

/// An alert on its way through the access list (remote-nodes §6).
struct SensorAlert {
    var text: String
    var isUrgent: Bool
    /// Which member is being told, and how far that has got.
    var member = 0
    /// Texts sent to the current member with the time they all carry; 0 for none yet.
    var sent = 0
    var timestamp: UInt32 = 0
    var acks: [AckHash] = []
    /// Millisecond after which the next text goes out.
    var due: Int64 = 0

    /// Permission bit of the members it is for.
    var audience: UInt8 { isUrgent ? 0x80 : 0x40 }
    var attempts: Int { isUrgent ? 4 : 1 }
    /// A low-priority alert has a single text, which calls itself the fourth attempt.
    var attempt: UInt8 { isUrgent ? UInt8(sent) : 3 }
}

/// What a sensor remembers of its measuring; a restart loses it.
struct SensorState {
    static let alertCapacity = 4
    /// Seconds between two readings.
    static let readInterval: UInt32 = 60

    var series = SensorSeries()
    var lastReading: UInt32?
    /// Conditions that held at the last reading: battery critical, battery low.
    var holds = [false, false]
    var alerts: [SensorAlert] = []
    /// Bits of the general-purpose port.
    var port: UInt32 = 0
}

/// Where a GPS says that it is: millionths of a degree, and hundredths of a metre above the sea.
public struct GPSFix: Sendable, Hashable {
    public var latitude: Int32
    public var longitude: Int32
    public var altitude: Int32

    public init(latitude: Int32, longitude: Int32, altitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
