public import RigBase

/// Sends the radio's own advert (§3.15).
public struct SendSelfAdvertCommand: CompanionCommand {
    public static let code = CommandCode.sendSelfAdvert
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(FieldLayout.u8("flood").optional)
    public static let samples = [Self(floods: true), Self(floods: false)]

    /// False sends to direct neighbours only.
    public var floods: Bool

    public init(floods: Bool) { self.floods = floods }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        floods = reader.isAtEnd ? false : try reader.u8() == 1
    }

    public func encode(into writer: inout ByteWriter) { writer.u8(floods ? 1 : 0) }
}

/// Sets the radio's name (§3.16).
public struct SetAdvertNameCommand: CompanionCommand {
    public static let code = CommandCode.setAdvertName
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.text("name"))
    public static let samples = [Self(name: "Alice")]

    /// At most 31 bytes, the radio cuts the rest byte by byte.
    public var name: WireText

    public init(name: WireText) { self.name = name }

    /// Cuts the name between two characters, so that no half one is stored.
    public init(cutting name: String) { self.name = .cut(name, toBytes: CompanionLimits.maxNameSize) }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 2)
        name = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) { writer.append(name.bytes) }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.some(name.isEmpty, "name")
        try FieldLimit.atMost(CompanionLimits.maxNameSize, name.bytes.count, "name")
    }
}

/// Sets the radio's position (§3.17).
public struct SetAdvertPositionCommand: CompanionCommand {
    public static let code = CommandCode.setAdvertPosition
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .i32("latitude", unit: "µ°"), .i32("longitude", unit: "µ°"), FieldLayout.i32("altitude").optional)
    public static let samples = [
        Self(position: GeoPosition(latitude: 52_520_008, longitude: 13_404_954)),
        Self(position: GeoPosition(latitude: -1, longitude: 1), altitude: 0),
    ]

    public var position: GeoPosition
    /// Read and ignored by radios.
    public var altitude: Int32?

    public init(position: GeoPosition, altitude: Int32? = nil) {
        self.position = position
        self.altitude = altitude
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        position = try GeoPosition(decoding: &reader)
        altitude = reader.remaining >= 4 ? try reader.i32() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        position.encode(into: &writer)
        if let altitude { writer.i32(altitude) }
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.range(position.latitude, -90_000_000...90_000_000, "latitude")
        try FieldLimit.range(position.longitude, -180_000_000...180_000_000, "longitude")
    }
}

/// Frequency, bandwidth, spreading factor and coding rate as frames carry them.
public struct RadioSettings: Sendable, Hashable {
    public var frequencyKHz: UInt32
    public var bandwidthHz: UInt32
    /// 5 to 12.
    public var spreadingFactor: UInt8
    /// 5 to 8, for 4/5 to 4/8.
    public var codingRate: UInt8

    public init(frequencyKHz: UInt32, bandwidthHz: UInt32, spreadingFactor: UInt8, codingRate: UInt8) {
        self.frequencyKHz = frequencyKHz
        self.bandwidthHz = bandwidthHz
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
    }

    static let fields: [FieldLayout] = [
        .u32("frequency", unit: "kHz"), .u32("bandwidth", unit: "Hz"), .u8("spreading-factor"), .u8("coding-rate"),
    ]
    static let sample = RadioSettings(frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 5)

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        frequencyKHz = try reader.u32()
        bandwidthHz = try reader.u32()
        spreadingFactor = try reader.u8()
        codingRate = try reader.u8()
    }

    func encode(into writer: inout ByteWriter) {
        writer.u32(frequencyKHz)
        writer.u32(bandwidthHz)
        writer.u8(spreadingFactor)
        writer.u8(codingRate)
    }
}

/// Retunes the radio; leaving the repeat byte out switches client repeat off (§3.18).
public struct SetRadioParametersCommand: CompanionCommand {
    public static let code = CommandCode.setRadioParameters
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

/// Sets the transmit power (§3.19).
public struct SetTransmitPowerCommand: CompanionCommand {
    public static let code = CommandCode.setTransmitPower
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.i8("power", unit: "dBm"))
    public static let samples = [Self(dBm: -9), Self(dBm: 22)]

    public var dBm: Int8

    public init(dBm: Int8) { self.dBm = dBm }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { dBm = try reader.i8() }
    public func encode(into writer: inout ByteWriter) { writer.i8(dBm) }
}

/// Receive delay base and airtime factor, both in thousandths.
public struct Tuning: Sendable, Hashable {
    public var receiveDelayThousandths: UInt32
    public var airtimeFactorThousandths: UInt32

    public init(receiveDelayThousandths: UInt32, airtimeFactorThousandths: UInt32) {
        self.receiveDelayThousandths = receiveDelayThousandths
        self.airtimeFactorThousandths = airtimeFactorThousandths
    }

    static let layout = FrameLayout(.u32("receive-delay", unit: "‰"), .u32("airtime-factor", unit: "‰"))

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        receiveDelayThousandths = try reader.u32()
        airtimeFactorThousandths = try reader.u32()
    }

    func encode(into writer: inout ByteWriter) {
        writer.u32(receiveDelayThousandths)
        writer.u32(airtimeFactorThousandths)
    }
}

/// Sets receive delay and airtime factor (§3.20).
public struct SetTuningCommand: CompanionCommand {
    public static let code = CommandCode.setTuning
    public static let replies: [RadioCode] = [.ok]
    public static let layout = Tuning.layout
    public static let samples = [Self(Tuning(receiveDelayThousandths: 0, airtimeFactorThousandths: 1_000))]

    public var tuning: Tuning

    public init(_ tuning: Tuning) { self.tuning = tuning }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { tuning = try Tuning(decoding: &reader) }
    public func encode(into writer: inout ByteWriter) { tuning.encode(into: &writer) }
}

/// Reads receive delay and airtime factor (§3.20).
public struct GetTuningCommand: BareCommand {
    public static let code = CommandCode.getTuning
    public static let replies: [RadioCode] = [.tuning]
    public init() {}
}

/// Reads the frequency ranges in which client repeat is allowed (§3.46).
public struct GetRepeatFrequenciesCommand: BareCommand {
    public static let code = CommandCode.getRepeatFrequencies
    public static let replies: [RadioCode] = [.repeatFrequencies]
    public init() {}
}

/// Sets the hash size of floods this radio originates (§3.22).
public struct SetPathHashModeCommand: CompanionCommand {
    public static let code = CommandCode.setPathHashMode
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u8("kind"), .u8("mode"))
    public static let samples = [Self(mode: 2)]

    /// Hash size − 1, 0 to 2.
    public var mode: UInt8

    public init(mode: UInt8) { self.mode = mode }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        let kind = try reader.u8()
        guard kind == 0 else { throw .unknownKind(kind) }
        mode = try reader.u8()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.u8(mode)
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.range(mode, 0...2, "mode") }
}

/// Reads a channel slot (§3.36).
public struct GetChannelCommand: CompanionCommand {
    public static let code = CommandCode.getChannel
    public static let replies: [RadioCode] = [.channelInfo]
    public static let layout = FrameLayout(.u8("channel"))
    public static let samples = [Self(index: 3)]

    public var index: UInt8

    public init(index: UInt8) { self.index = index }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { index = try reader.u8() }
    public func encode(into writer: inout ByteWriter) { writer.u8(index) }
}

/// Writes a channel slot; an empty name with an all-zero secret empties it (§3.36).
public struct SetChannelCommand: CompanionCommand {
    public static let code = CommandCode.setChannel
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("channel"), .name("name", 32), FieldLayout.bytes("secret", CompanionLimits.channelSecretSize).secret)
    public static let samples = [Self(index: 1, name: "#test", secret: Secret(Sample.secret))]

    public var index: UInt8
    /// At most 31 bytes.
    public var name: WireText
    /// 16 bytes.
    public var secret: Secret

    public init(index: UInt8, name: WireText, secret: Secret) {
        self.index = index
        self.name = name
        self.secret = secret
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        // The form with a 32-byte secret is refused by radios too.
        guard reader.frameLength < 66 else { throw .oddLength(reader.frameLength) }
        index = try reader.u8()
        name = try reader.nameField(32)
        secret = Secret(try reader.take(CompanionLimits.channelSecretSize))
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(index)
        writer.field(name.bytes, size: 32)
        secret.reveal { writer.field($0, size: CompanionLimits.channelSecretSize) }
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.atMost(CompanionLimits.maxNameSize, name.bytes.count, "name")
        guard secret.count == CompanionLimits.channelSecretSize else {
            throw .wrongSize(field: "secret", expected: CompanionLimits.channelSecretSize, got: secret.count)
        }
    }
}
