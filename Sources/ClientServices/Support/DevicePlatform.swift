internal import RigBase

/// The kind of chip a radio is built on, told by its model text (client-stack §8.6).
enum DevicePlatform: Sendable, Hashable {
    case esp32, nrf52, unknown

    /// Parts of model texts that give the chip away; the first that is found decides.
    private static let marks: [(String, DevicePlatform)] = [
        ("t114", .nrf52), ("nrf", .nrf52), ("rak", .nrf52), ("wismesh", .nrf52), ("t1000", .nrf52), ("t-echo", .nrf52),
        ("wio tracker", .nrf52), ("promicro", .nrf52), ("nano g2", .nrf52), ("meshpocket", .nrf52),
        ("thinknode m1", .nrf52), ("esp32", .esp32), ("heltec", .esp32), ("t-beam", .esp32), ("tbeam", .esp32),
        ("t-deck", .esp32), ("t3s3", .esp32), ("t3 s3", .esp32), ("station g2", .esp32), ("s3", .esp32), ("c3", .esp32),
        ("c6", .esp32),
    ]

    init(model: String) {
        let lower = model.lowercased()
        self = Self.marks.first { lower.firstRange(of: $0.0) != nil }?.1 ?? .unknown
    }

    /// Channels read that recently are not read again at the next sync; nil: always read.
    var channelSkipWindow: Duration? { self == .esp32 ? .seconds(30) : nil }
}
