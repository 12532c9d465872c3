public import RigBase

/// What the radio is and how it is set; answers APP_START (§4.3).
public struct SelfInfoReply: RadioPayload {
    public static let codes = [RadioCode.selfInfo]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            [
                .u8("advert-type"), .i8("power", unit: "dBm"), .i8("max-power", unit: "dBm"), .key(),
                .i32("latitude", unit: "µ°"), .i32("longitude", unit: "µ°"), .u8("multi-acks"),
                .u8("advert-location-policy"), .u8("telemetry-modes"), .u8("manual-add-contacts"),
            ] + RadioSettings.fields + [.text("name")])
    }
    public static let samples = [
        Self(
            power: 22, maxPower: 22, key: Sample.key,
            position: GeoPosition(latitude: 52_520_008, longitude: 13_404_954),
            parameters: OtherParameters(
                manualAddContacts: 0, telemetryModes: TelemetryModes(rawValue: 0x2A), advertLocationPolicy: 1,
                multiAcks: 1), radio: .sample, name: "Alice")
    ]

    /// Always 1 in known firmware.
    public var advertType: UInt8
    public var power: Int8
    public var maxPower: Int8
    public var key: [UInt8]
    public var position: GeoPosition
    public var parameters: OtherParameters
    public var radio: RadioSettings
    public var name: WireText

    public init(
        advertType: UInt8 = 1, power: Int8, maxPower: Int8, key: [UInt8], position: GeoPosition,
        parameters: OtherParameters, radio: RadioSettings, name: WireText
    ) {
        self.advertType = advertType
        self.power = power
        self.maxPower = maxPower
        self.key = key
        self.position = position
        self.parameters = parameters
        self.radio = radio
        self.name = name
    }

    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 58)
        advertType = try reader.u8()
        power = try reader.i8()
        maxPower = try reader.i8()
        key = try reader.key()
        position = try GeoPosition(decoding: &reader)
        let multiAcks = try reader.u8()
        let policy = try reader.u8()
        let modes = TelemetryModes(rawValue: try reader.u8())
        parameters = OtherParameters(
            manualAddContacts: try reader.u8(), telemetryModes: modes, advertLocationPolicy: policy,
            multiAcks: multiAcks)
        radio = try RadioSettings(decoding: &reader)
        name = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(advertType)
        writer.i8(power)
        writer.i8(maxPower)
        writer.field(key, size: CompanionLimits.publicKeySize)
        position.encode(into: &writer)
        writer.u8(parameters.multiAcks)
        writer.u8(parameters.advertLocationPolicy)
        writer.u8(parameters.telemetryModes.rawValue)
        writer.u8(parameters.manualAddContacts)
        radio.encode(into: &writer)
        writer.append(name.bytes)
    }

    public var keyPrefix: [UInt8] { Array(key.prefix(CompanionLimits.keyPrefixSize)) }
    public var displayName: String { name.validPrefix }
    public var frame: RadioFrame { .selfInfo(self) }
}

/// Firmware, board and limits; answers DEVICE_QUERY (§4.4).
public struct DeviceInfoReply: RadioPayload {
    public static let codes = [RadioCode.deviceInfo]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            .u8("protocol-version"), FieldLayout.u8("max-contacts-halved").optional,
            FieldLayout.u8("max-channels").optional, FieldLayout.u32("pin").secret.optional,
            FieldLayout.name("build-date", 12).optional, FieldLayout.name("model", 40).optional,
            FieldLayout.name("version", 20).optional, FieldLayout.u8("client-repeat").optional,
            FieldLayout.u8("path-hash-mode").optional)
    }
    public static let samples = [
        Self(
            protocolVersion: 13,
            details: Details(
                maxContactsHalved: 175, maxChannels: 40, pin: 0, buildDate: "14 Aug 2026", model: "Oracle Native",
                version: "v1.17.1", clientRepeat: 0, pathHashMode: 0)),
        Self(
            protocolVersion: 8,
            details: Details(
                maxContactsHalved: 50, maxChannels: 8, pin: 123_456, buildDate: "x", model: "y", version: "z")),
        Self(protocolVersion: 2, details: nil),
    ]

    /// What radios tell since protocol 3.
    public struct Details: Sendable, Hashable {
        public var maxContactsHalved: UInt8
        public var maxChannels: UInt8
        private var pinBytes: Secret
        public var buildDate: WireText
        public var model: WireText
        public var version: WireText
        /// Since protocol 9.
        public var clientRepeat: UInt8?
        /// Hash size − 1 of own floods, since protocol 10.
        public var pathHashMode: UInt8?

        public init(
            maxContactsHalved: UInt8, maxChannels: UInt8, pin: UInt32, buildDate: WireText, model: WireText,
            version: WireText, clientRepeat: UInt8? = nil, pathHashMode: UInt8? = nil
        ) {
            self.maxContactsHalved = maxContactsHalved
            self.maxChannels = maxChannels
            pinBytes = Secret((0..<4).map { UInt8(truncatingIfNeeded: pin >> (8 * UInt32($0))) })
            self.buildDate = buildDate
            self.model = model
            self.version = version
            self.clientRepeat = clientRepeat
            self.pathHashMode = pathHashMode
        }

        /// The stored BLE PIN; 0 for the build's own.
        public var pin: UInt32 { pinBytes.reveal { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } } }
        /// Size of the contact table, an odd one told as one less.
        public var maxContacts: Int { Int(maxContactsHalved) * 2 }
        public var repeatsForClients: Bool { clientRepeat ?? 0 != 0 }

        init(decoding reader: inout FrameReader) throws(FrameDefect) {
            self.init(
                maxContactsHalved: try reader.u8(), maxChannels: try reader.u8(), pin: try reader.u32(),
                buildDate: try reader.nameField(12), model: try reader.nameField(40),
                version: try reader.nameField(20))
            clientRepeat = reader.isAtEnd ? nil : try reader.u8()
            pathHashMode = reader.isAtEnd ? nil : try reader.u8()
        }

        func encode(into writer: inout ByteWriter) {
            writer.u8(maxContactsHalved)
            writer.u8(maxChannels)
            writer.u32(pin)
            writer.field(buildDate.bytes.prefix(12), size: 12)
            writer.field(model.bytes.prefix(40), size: 40)
            writer.field(version.bytes.prefix(20), size: 20)
            guard let clientRepeat else { return }
            writer.u8(clientRepeat)
            if let pathHashMode { writer.u8(pathHashMode) }
        }
    }

    public var protocolVersion: UInt8
    public var details: Details?

    public init(protocolVersion: UInt8, details: Details?) {
        self.protocolVersion = protocolVersion
        self.details = details
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        protocolVersion = try reader.u8()
        guard protocolVersion >= 3 else {
            details = nil
            return
        }
        try reader.require(frameLength: 80)
        details = try Details(decoding: &reader)
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(protocolVersion)
        details?.encode(into: &writer)
    }
    public var frame: RadioFrame { .deviceInfo(self) }
}

/// One channel slot (§4.6).
public struct ChannelInfoReply: RadioPayload {
    public static let codes = [RadioCode.channelInfo]
    public static func layout(of code: RadioCode) -> FrameLayout { SetChannelCommand.layout }
    public static let samples = [
        Self(index: 3, name: "#test", secret: Secret(Sample.secret)),
        Self(index: 4, name: "", secret: Secret([UInt8](repeating: 0, count: 16))),
    ]

    public var index: UInt8
    /// Up to the first NUL; a radio leaves old bytes behind it.
    public var name: WireText
    /// 16 bytes.
    public var secret: Secret

    public init(index: UInt8, name: WireText, secret: Secret) {
        self.index = index
        self.name = name
        self.secret = secret
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 50)
        index = try reader.u8()
        name = try reader.radioName()
        secret = Secret(try reader.take(CompanionLimits.channelSecretSize))
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(index)
        writer.field(name.bytes.prefix(CompanionLimits.maxNameSize), size: 32)
        secret.reveal { writer.field($0, size: CompanionLimits.channelSecretSize) }
    }
    public var displayName: String { name.validPrefix }
    /// A slot nobody uses: no name and a secret of zeros.
    public var isUnused: Bool { name.isEmpty && secret.reveal { $0.allSatisfy { $0 == 0 } } }
    public var frame: RadioFrame { .channelInfo(self) }
}

/// Counters since the radio's start (§4.7).
public struct StatisticsReply: RadioPayload {
    public static let codes = [RadioCode.statistics]
    public static func layout(of code: RadioCode) -> FrameLayout {
        func part(_ kind: UInt64, _ fields: FieldLayout...) -> [FieldLayout] {
            fields.map { $0.when("kind", is: kind) }
        }
        return FrameLayout(
            [.u8("kind")]
                + part(
                    0, .u16("battery", unit: "mV"), .u32("uptime", unit: "s"), .u16("error-flags"),
                    .u8("queue-length"))
                + part(
                    1, .i16("noise-floor", unit: "dBm"), .i8("last-rssi", unit: "dBm"), .snr("last-snr"),
                    .u32("transmit-time", unit: "s"), .u32("receive-time", unit: "s"))
                + part(
                    2, .u32("received"), .u32("sent"), .u32("flood-sent"), .u32("direct-sent"),
                    .u32("flood-received"), .u32("direct-received"), .u32("receive-errors")))
    }
    public static let samples = [
        Self(.core(Core(batteryMillivolts: 4_100, uptimeSeconds: 18, errorFlags: 0, queueLength: 1))),
        Self(
            .radio(
                Radio(
                    noiseFloor: -110, lastRSSI: -60, lastSNRQuarterDB: 48, transmitSeconds: 2, receiveSeconds: 3))),
        Self(.packets(Packets(counters: [10, 9, 8, 7, 6, 5], receiveErrors: 4))),
        Self(.packets(Packets(counters: [10, 9, 8, 7, 6, 5], receiveErrors: nil))),
    ]

    public struct Core: Sendable, Hashable {
        public var batteryMillivolts: UInt16
        public var uptimeSeconds: UInt32
        /// Bit 0 packet pool was empty, bit 1 channel stayed busy, bit 2 radio did not receive for 8 s.
        public var errorFlags: UInt16
        public var queueLength: UInt8
        public init(batteryMillivolts: UInt16, uptimeSeconds: UInt32, errorFlags: UInt16, queueLength: UInt8) {
            self.batteryMillivolts = batteryMillivolts
            self.uptimeSeconds = uptimeSeconds
            self.errorFlags = errorFlags
            self.queueLength = queueLength
        }
    }

    public struct Radio: Sendable, Hashable {
        /// dBm.
        public var noiseFloor: Int16
        public var lastRSSI: Int8
        public var lastSNRQuarterDB: Int8
        public var transmitSeconds: UInt32
        public var receiveSeconds: UInt32
        public init(
            noiseFloor: Int16, lastRSSI: Int8, lastSNRQuarterDB: Int8, transmitSeconds: UInt32, receiveSeconds: UInt32
        ) {
            self.noiseFloor = noiseFloor
            self.lastRSSI = lastRSSI
            self.lastSNRQuarterDB = lastSNRQuarterDB
            self.transmitSeconds = transmitSeconds
            self.receiveSeconds = receiveSeconds
        }
    }

    public struct Packets: Sendable, Hashable {
        /// Received, sent, flood sent, direct sent, flood received, direct received.
        public var counters: [UInt32]
        /// Since protocol 9.
        public var receiveErrors: UInt32?
        public init(counters: [UInt32], receiveErrors: UInt32?) {
            precondition(counters.count == 6, "six packet counters")
            self.counters = counters
            self.receiveErrors = receiveErrors
        }
        public var received: UInt32 { counters[0] }
        public var sent: UInt32 { counters[1] }
        public var floodSent: UInt32 { counters[2] }
        public var directSent: UInt32 { counters[3] }
        public var floodReceived: UInt32 { counters[4] }
        public var directReceived: UInt32 { counters[5] }
    }

    public enum Content: Sendable, Hashable {
        case core(Core)
        case radio(Radio)
        case packets(Packets)
    }

    public var content: Content

    public init(_ content: Content) { self.content = content }

    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        let kind = try reader.u8()
        switch StatisticsKind(rawValue: kind) {
        case .core:
            content = .core(
                Core(
                    batteryMillivolts: try reader.u16(), uptimeSeconds: try reader.u32(),
                    errorFlags: try reader.u16(), queueLength: try reader.u8()))
        case .radio:
            content = .radio(
                Radio(
                    noiseFloor: try reader.i16(), lastRSSI: try reader.i8(), lastSNRQuarterDB: try reader.i8(),
                    transmitSeconds: try reader.u32(), receiveSeconds: try reader.u32()))
        case .packets:
            var counters: [UInt32] = []
            for _ in 0..<6 { counters.append(try reader.u32()) }
            content = .packets(
                Packets(counters: counters, receiveErrors: reader.remaining >= 4 ? try reader.u32() : nil))
        default: throw .unknownKind(kind)
        }
    }

    public func encode(into writer: inout ByteWriter) {
        switch content {
        case .core(let core):
            writer.u8(StatisticsKind.core.rawValue)
            writer.u16(core.batteryMillivolts)
            writer.u32(core.uptimeSeconds)
            writer.u16(core.errorFlags)
            writer.u8(core.queueLength)
        case .radio(let radio):
            writer.u8(StatisticsKind.radio.rawValue)
            writer.i16(radio.noiseFloor)
            writer.i8(radio.lastRSSI)
            writer.i8(radio.lastSNRQuarterDB)
            writer.u32(radio.transmitSeconds)
            writer.u32(radio.receiveSeconds)
        case .packets(let packets):
            writer.u8(StatisticsKind.packets.rawValue)
            for counter in packets.counters { writer.u32(counter) }
            if let errors = packets.receiveErrors { writer.u32(errors) }
        }
    }

    public var kind: StatisticsKind {
        switch content {
        case .core: .core
        case .radio: .radio
        case .packets: .packets
        }
    }
    public var frame: RadioFrame { .statistics(self) }
}
