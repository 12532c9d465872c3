public import RigBase

/// Messages wait to be fetched (§5, 83).
public struct MessageWaitingPush: BareRadioPayload {
    public static let codes = [RadioCode.messageWaiting]
    public init() {}
    public var frame: RadioFrame { .messageWaiting(self) }
}

/// A sent text was acknowledged (§5, 82).
public struct SendConfirmedPush: RadioPayload {
    public static let codes = [RadioCode.sendConfirmed]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(.bytes("tag", 4), FieldLayout.u32("trip-time", unit: "ms").optional)
    }
    public static let samples = [Self(tag: [0x3D, 0xA8, 0xD1, 0x48], tripTimeMillis: 844), Self(tag: [1, 2, 3, 4])]

    /// The confirmation code, as SENT told it.
    public var tag: [UInt8]
    /// From queuing to acknowledgement; nil when the radio did not tell.
    public var tripTimeMillis: UInt32?

    public init(tag: [UInt8], tripTimeMillis: UInt32? = nil) {
        self.tag = tag
        self.tripTimeMillis = tripTimeMillis
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        tag = try reader.take(4)
        tripTimeMillis = reader.remaining >= 4 ? try reader.u32() : nil
    }
    public func encode(into writer: inout ByteWriter) {
        writer.field(tag, size: 4)
        if let tripTimeMillis { writer.u32(tripTimeMillis) }
    }
    public var frame: RadioFrame { .sendConfirmed(self) }
}

/// Signal and content of something received: RAW_DATA, LOG_RX_DATA and CONTROL_DATA begin alike.
public struct ReceivedSignal: Sendable, Hashable {
    public var snrQuarterDB: Int8
    /// dBm.
    public var rssi: Int8

    public init(snrQuarterDB: Int8, rssi: Int8) {
        self.snrQuarterDB = snrQuarterDB
        self.rssi = rssi
    }

    static let fields: [FieldLayout] = [.snr(), .i8("rssi", unit: "dBm")]
    static let sample = ReceivedSignal(snrQuarterDB: 48, rssi: -60)

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        snrQuarterDB = try reader.i8()
        rssi = try reader.i8()
    }

    func encode(into writer: inout ByteWriter) {
        writer.i8(snrQuarterDB)
        writer.i8(rssi)
    }
}

/// Application bytes addressed to this radio (§5, 84).
public struct RawDataPush: RadioPayload {
    public static let codes = [RadioCode.rawData]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(ReceivedSignal.fields + [.reserved(1), .rest("data")])
    }
    public static let samples = [Self(signal: .sample, data: [1, 2, 3, 4])]

    public var signal: ReceivedSignal
    public var data: [UInt8]

    public init(signal: ReceivedSignal, data: [UInt8]) {
        self.signal = signal
        self.data = data
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        signal = try ReceivedSignal(decoding: &reader)
        try reader.skip(1)
        data = reader.rest()
    }
    public func encode(into writer: inout ByteWriter) {
        signal.encode(into: &writer)
        writer.u8(0xFF)
        writer.append(data)
    }
    public var frame: RadioFrame { .rawData(self) }
}

/// A packet as the radio received it, before anything was done with it (§5, 88).
public struct ReceivedPacketLogPush: RadioPayload {
    public static let codes = [RadioCode.receivedPacketLog]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(ReceivedSignal.fields + [.rest("packet")])
    }
    public static let samples = [Self(signal: .sample, packet: [0x11, 0x00, 0x55])]

    public var signal: ReceivedSignal
    public var packet: [UInt8]

    public init(signal: ReceivedSignal, packet: [UInt8]) {
        self.signal = signal
        self.packet = packet
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        signal = try ReceivedSignal(decoding: &reader)
        packet = reader.rest()
    }
    public func encode(into writer: inout ByteWriter) {
        signal.encode(into: &writer)
        writer.append(packet)
    }
    public var frame: RadioFrame { .receivedPacketLog(self) }
}

/// A control payload from a direct neighbour (§5, 8E).
public struct ControlDataPush: RadioPayload {
    public static let codes = [RadioCode.controlData]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(ReceivedSignal.fields + [.pathLength(), .rest("payload")])
    }
    public static let samples = [
        Self(signal: .sample, pathLength: .zeroHops, payload: [0x92, 48, 1, 2, 3, 4] + Sample.key.prefix(8))
    ]

    public var signal: ReceivedSignal
    public var pathLength: PathLengthByte
    /// At least one byte, bit 7 of the first set.
    public var payload: [UInt8]

    public init(signal: ReceivedSignal, pathLength: PathLengthByte, payload: [UInt8]) {
        self.signal = signal
        self.pathLength = pathLength
        self.payload = payload
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 5)
        signal = try ReceivedSignal(decoding: &reader)
        pathLength = PathLengthByte(rawValue: try reader.u8())
        payload = reader.rest()
    }
    public func encode(into writer: inout ByteWriter) {
        signal.encode(into: &writer)
        writer.u8(pathLength.rawValue)
        writer.append(payload)
    }
    public var frame: RadioFrame { .controlData(self) }

    /// The answer to a node discovery, if it is one (companion-protocol §14.6).
    public var discovery: DiscoveryAnswer? {
        guard payload[0] & 0xF0 == 0x90, payload.count >= 6 else { return nil }
        return DiscoveryAnswer(
            nodeType: ContactType(rawValue: payload[0] & 0x0F), heardSNRQuarterDB: Int8(bitPattern: payload[1]),
            tag: Array(payload[2..<6]), key: Array(payload[6...].prefix(CompanionLimits.publicKeySize)))
    }

    /// A node that answered a discovery request.
    public struct DiscoveryAnswer: Sendable, Hashable {
        public var nodeType: ContactType
        /// How well it heard the request.
        public var heardSNRQuarterDB: Int8
        /// The request's tag, 4 bytes.
        public var tag: [UInt8]
        /// Its key: 32 bytes, 8, or what came.
        public var key: [UInt8]
    }
}
