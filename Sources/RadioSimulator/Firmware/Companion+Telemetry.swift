internal import RigBase

/// Telemetry records in CayenneLPP form, big-endian (companion-protocol §7.10).
extension Companion {
    /// Voltage first; then, for the node itself, the temperature before the sensors, for others behind them.
    func telemetry(permissions: UInt8, isOwn: Bool) -> [UInt8] {
        let voltage = UInt16(truncatingIfNeeded: Int(Float(battery) / 1000 * 100))
        var record: [UInt8] = [1, 0x74, UInt8(voltage >> 8), UInt8(truncatingIfNeeded: voltage)]
        if isOwn { record += temperature }
        if board.hasGPS, isGPSOn, permissions & 2 != 0 { record += location }
        if !isOwn { record += temperature }
        return record
    }

    private var temperature: [UInt8] {
        guard let tenths = board.temperatureTenths else { return [] }
        return [1, 0x67, UInt8(truncatingIfNeeded: tenths >> 8), UInt8(truncatingIfNeeded: tenths)]
    }

    private var location: [UInt8] {
        let (latitude, longitude) = preferences.degrees
        var record: [UInt8] = [1, 0x88]
        for value in [Int32(latitude * 10_000), Int32(longitude * 10_000), 0] {
            for shift: Int32 in [16, 8, 0] { record.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        return record
    }
}
