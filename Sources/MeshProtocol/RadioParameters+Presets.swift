extension RadioParameters {
    /// The firmware's build default: 869.618 MHz, 62.5 kHz, SF 8, CR 4/5.
    public static let firmwareDefault = RadioParameters(
        frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 5)
    /// The preset most European meshes use.
    public static let eu868Narrow = RadioParameters(
        frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 8)

    /// Names with their parameters: the firmware's default, then regional presets of client apps (mesh-protocol §5.4).
    public static let presets: [(name: String, parameters: RadioParameters)] = [
        ("firmware-default", firmwareDefault),
        ("eu-868-narrow", eu868Narrow),
        ("eu-868-long-range", of(869_525, 250_000, 11, 5)),
        ("netherlands", of(869_618, 62_500, 7, 5)),
        ("czech", of(869_432, 62_500, 7, 5)),
        ("portugal-868", of(869_618, 62_500, 7, 6)),
        ("portugal-433", of(433_375, 62_500, 9, 6)),
        ("eu-433-narrow", of(433_650, 62_500, 8, 8)),
        ("eu-433-long-range", of(433_650, 250_000, 11, 5)),
        ("usa-canada", of(910_525, 62_500, 7, 5)),
        ("southern-california", of(927_875, 62_500, 7, 5)),
        ("australia", of(915_800, 250_000, 10, 5)),
        ("australia-narrow", of(916_575, 62_500, 7, 8)),
        ("australia-mid", of(915_075, 125_000, 9, 5)),
        ("australia-sa-wa", of(923_125, 62_500, 8, 8)),
        ("australia-qld", of(923_125, 62_500, 8, 5)),
        ("brazil", of(923_125, 62_500, 8, 8)),
        ("new-zealand", of(917_375, 250_000, 11, 5)),
        ("new-zealand-narrow", of(917_375, 62_500, 7, 5)),
        ("chile", of(927_875, 62_500, 8, 5)),
        ("vietnam-narrow", of(920_250, 62_500, 8, 5)),
        ("vietnam-long-range", of(920_250, 250_000, 11, 5)),
    ]

    /// The preset with this name.
    public static func preset(named name: String) -> RadioParameters? {
        presets.first { $0.name == name }?.parameters
    }

    private static func of(_ khz: UInt32, _ hertz: UInt32, _ factor: UInt8, _ rate: UInt8) -> RadioParameters {
        RadioParameters(frequencyKHz: khz, bandwidthHz: hertz, spreadingFactor: factor, codingRate: rate)
    }
}
