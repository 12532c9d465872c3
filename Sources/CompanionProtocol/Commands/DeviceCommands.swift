public import RigBase

/// Reads the radio's clock (§3.14).
public struct GetDeviceTimeCommand: BareCommand {
    public static let code = CommandCode.getDeviceTime
    public static let replies: [RadioCode] = [.deviceTime]
    public init() {}
}

/// Sets the radio's clock; it never moves back, an earlier time is ERR(6) (§3.14).
public struct SetDeviceTimeCommand: CompanionCommand {
    public static let code = CommandCode.setDeviceTime
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u32("time", unit: "s"))
    public static let samples = [Self(seconds: Sample.time)]

    /// Unix time.
    public var seconds: UInt32

    public init(seconds: UInt32) { self.seconds = seconds }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { seconds = try reader.u32() }
    public func encode(into writer: inout ByteWriter) { writer.u32(seconds) }
}

/// Asks for battery voltage and storage (§3.25).
public struct GetBatteryAndStorageCommand: BareCommand {
    public static let code = CommandCode.getBatteryAndStorage
    public static let replies: [RadioCode] = [.batteryAndStorage]
    public init() {}
}

/// Which set of counters GET_STATS reads.
public struct StatisticsKind: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let core = StatisticsKind(rawValue: 0)
    public static let radio = StatisticsKind(rawValue: 1)
    public static let packets = StatisticsKind(rawValue: 2)
}

/// Reads counters (§3.41).
public struct GetStatisticsCommand: CompanionCommand {
    public static let code = CommandCode.getStatistics
    public static let replies: [RadioCode] = [.statistics]
    public static let layout = FrameLayout(.u8("kind"))
    public static let samples = [Self(kind: .core), Self(kind: .packets)]

    public var kind: StatisticsKind

    public init(kind: StatisticsKind) { self.kind = kind }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        kind = StatisticsKind(rawValue: try reader.u8())
    }
    public func encode(into writer: inout ByteWriter) { writer.u8(kind.rawValue) }
}

/// The four preferences that share one command; each shorter form leaves the later ones as they are (§3.21).
public struct SetOtherParametersCommand: CompanionCommand {
    public static let code = CommandCode.setOtherParameters
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("manual-add-contacts"), FieldLayout.u8("telemetry-modes").optional,
        FieldLayout.u8("advert-location-policy").optional, FieldLayout.u8("multi-acks").optional)
    public static let samples = [
        Self(OtherParameters(manualAddContacts: 1, telemetryModes: 0x2A, advertLocationPolicy: 1, multiAcks: 1)),
        Self(OtherParameters(), count: 1),
    ]

    public var parameters: OtherParameters
    /// How many of the four are sent, 1 to 4.
    public var count: Int

    public init(_ parameters: OtherParameters, count: Int = 4) {
        precondition((1...4).contains(count), "one to four parameters")
        self.parameters = parameters
        self.count = count
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        count = max(1, min(4, reader.remaining))
        parameters = OtherParameters(
            manualAddContacts: try reader.u8(),
            telemetryModes: TelemetryModes(rawValue: count > 1 ? try reader.u8() : 0),
            advertLocationPolicy: count > 2 ? try reader.u8() : 0, multiAcks: count > 3 ? try reader.u8() : 0)
    }

    public func encode(into writer: inout ByteWriter) {
        let all = [
            parameters.manualAddContacts, parameters.telemetryModes.rawValue, parameters.advertLocationPolicy,
            parameters.multiAcks,
        ]
        writer.append(all.prefix(count))
    }
}

/// Who may read a node's telemetry: two bits each for base, location and environment.
public struct TelemetryModes: RawRepresentable, Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Answer to requests of one class of telemetry.
    public enum Mode: UInt8, Sendable, Hashable, CaseIterable {
        case deny = 0
        /// Contacts with the class's flag.
        case byContactFlags = 1
        case all = 2
        /// Acts like `deny`.
        case reserved = 3
    }

    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(integerLiteral value: UInt8) { rawValue = value }
    public init(base: Mode, location: Mode, environment: Mode) {
        rawValue = base.rawValue | location.rawValue << 2 | environment.rawValue << 4
    }

    public var base: Mode { mode(shift: 0) }
    public var location: Mode { mode(shift: 2) }
    public var environment: Mode { mode(shift: 4) }

    private func mode(shift: UInt8) -> Mode { Mode(rawValue: rawValue >> shift & 3) ?? .reserved }
}

/// The parameters of SET_OTHER_PARAMS as SELF_INFO reports them.
public struct OtherParameters: Sendable, Hashable {
    /// Bit 0 set: contacts are added by hand only.
    public var manualAddContacts: UInt8
    public var telemetryModes: TelemetryModes
    /// 0 keeps the position out of adverts.
    public var advertLocationPolicy: UInt8
    public var multiAcks: UInt8

    public init(
        manualAddContacts: UInt8 = 0, telemetryModes: TelemetryModes = 0, advertLocationPolicy: UInt8 = 0,
        multiAcks: UInt8 = 0
    ) {
        self.manualAddContacts = manualAddContacts
        self.telemetryModes = telemetryModes
        self.advertLocationPolicy = advertLocationPolicy
        self.multiAcks = multiAcks
    }
}

/// Sets the BLE PIN of the next boot: 0 for the build's own, else 6 digits (§3.38).
public struct SetDevicePinCommand: CompanionCommand {
    public static let code = CommandCode.setDevicePin
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(FieldLayout.u32("pin").secret)
    public static let samples = [Self(pin: 123_456)]

    public var pin: UInt32

    public init(pin: UInt32) { self.pin = pin }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { pin = try reader.u32() }
    public func encode(into writer: inout ByteWriter) { writer.u32(pin) }
    public func validate() throws(FieldLimitError) {
        if pin != 0 { try FieldLimit.range(pin, 100_000...999_999, "pin") }
    }
}

/// Lists the board's own settings (§3.39).
public struct GetCustomVariablesCommand: BareCommand {
    public static let code = CommandCode.getCustomVariables
    public static let replies: [RadioCode] = [.customVariables]
    public init() {}
}

/// Sets one of the board's own settings (§3.39).
public struct SetCustomVariableCommand: CompanionCommand {
    public static let code = CommandCode.setCustomVariable
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.text("assignment"))
    public static let samples = [Self(name: "gps", value: "1")]

    /// `name:value`, split at the first colon.
    public var assignment: WireText

    public init(name: String, value: String) { assignment = WireText(name + ":" + value) }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 4)
        assignment = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) { writer.append(assignment.bytes) }

    public func validate() throws(FieldLimitError) {
        guard assignment.bytes.count >= 3 else { throw .empty(field: "assignment") }
    }
}

/// Which node types are added to the contacts by themselves (§3.45).
public struct SetAutoAddCommand: CompanionCommand {
    public static let code = CommandCode.setAutoAdd
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u8("mask"), FieldLayout.u8("max-hops").optional)
    public static let samples = [Self(mask: [.chat, .overwriteOldest], maxHops: 3), Self(mask: .chat)]

    public var mask: AutoAddMask
    /// nil leaves the hop limit as it is.
    public var maxHops: UInt8?

    public init(mask: AutoAddMask, maxHops: UInt8? = nil) {
        self.mask = mask
        self.maxHops = maxHops
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        mask = AutoAddMask(rawValue: try reader.u8())
        maxHops = reader.isAtEnd ? nil : try reader.u8()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(mask.rawValue)
        if let maxHops { writer.u8(maxHops) }
    }
}

/// Bits of the auto-add setting.
public struct AutoAddMask: OptionSet, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The contact changed longest ago makes room when the table is full.
    public static let overwriteOldest = AutoAddMask(rawValue: 0x01)
    public static let chat = AutoAddMask(rawValue: 0x02)
    public static let repeater = AutoAddMask(rawValue: 0x04)
    public static let room = AutoAddMask(rawValue: 0x08)
    public static let sensor = AutoAddMask(rawValue: 0x10)
}

/// Reads the auto-add setting (§3.45).
public struct GetAutoAddCommand: BareCommand {
    public static let code = CommandCode.getAutoAdd
    public static let replies: [RadioCode] = [.autoAdd]
    public init() {}
}
