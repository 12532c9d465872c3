public import RigBase

/// Retunes the radio; leaving the repeat byte out switches client repeat off (§3.18).
public struct SetRadioParametersCommand: CompanionCommand {
    public static let code = CommandCode.setRadioParameters
    public static let rules = CommandRules(since: 1, lengths: nil, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(RadioSettings.fields + [FieldLayout.u8("repeat").optional])
    public static let samples = [Self(settings: .sample), Self(settings: .sample, repeats: true)]

    public var settings: RadioSettings
    /// Client repeat; nil leaves the byte out, which radios read as off.
    public var repeats: Bool?

    public init(settings: RadioSettings, repeats: Bool? = nil) {
        self.settings = settings
        self.repeats = repeats
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        settings = try RadioSettings(decoding: &reader)
        repeats = reader.isAtEnd ? nil : try reader.u8() != 0
    }

    public func encode(into writer: inout ByteWriter) {
        settings.encode(into: &writer)
        if let repeats { writer.u8(repeats ? 1 : 0) }
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.range(settings.frequencyKHz, 150_000...2_500_000, "frequency")
        try FieldLimit.range(settings.bandwidthHz, 7_000...500_000, "bandwidth")
        try FieldLimit.range(settings.spreadingFactor, 5...12, "spreading-factor")
        try FieldLimit.range(settings.codingRate, 5...8, "coding-rate")
    }
}
