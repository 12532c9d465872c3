public import RigBase

/// Success without content (§4.1).
public struct OkReply: RadioPayload {
    public static let codes = [RadioCode.ok]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(FieldLayout.u32("value").optional) }
    public static let samples = [Self(), Self(value: 7)]

    /// No known firmware sends one; an OK with a value answers no setter.
    public var value: UInt32?

    public init(value: UInt32? = nil) { self.value = value }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        value = reader.remaining >= 4 ? try reader.u32() : nil
    }
    public func encode(into writer: inout ByteWriter) {
        if let value { writer.u32(value) }
    }
    public var frame: RadioFrame { .ok(self) }
}

/// Failure, with a code since v1.4.0 (§2.4).
public struct ErrorReply: RadioPayload {
    public static let codes = [RadioCode.error]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(FieldLayout.u8("error").meaning(.errorCodes).optional)
    }
    public static let samples = [Self(error: .tableFull), Self(error: nil)]

    public var error: DeviceErrorCode?

    public init(error: DeviceErrorCode?) { self.error = error }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        error = reader.isAtEnd ? nil : DeviceErrorCode(rawValue: try reader.u8())
    }
    public func encode(into writer: inout ByteWriter) {
        if let error { writer.u8(error.rawValue) }
    }
    /// The code, 0 when the radio told none.
    public var errorCode: DeviceErrorCode { error ?? DeviceErrorCode(rawValue: 0) }
    public var frame: RadioFrame { .error(self) }
}

/// A text or request was queued for sending (§4.1).
public struct SentReply: RadioPayload {
    public static let codes = [RadioCode.sent]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(.u8("flood"), .bytes("tag", 4), .u32("suggested-timeout", unit: "ms"))
    }
    public static let samples = [Self(floods: true, tag: [0x3D, 0xA8, 0xD1, 0x48], suggestedTimeoutMillis: 5_684)]

    public var floods: Bool
    /// Confirmation code of a text, tag of a request, first key bytes of a login; 4 bytes.
    public var tag: [UInt8]
    /// How long the radio thinks an answer may take.
    public var suggestedTimeoutMillis: UInt32

    public init(floods: Bool, tag: [UInt8], suggestedTimeoutMillis: UInt32) {
        self.floods = floods
        self.tag = tag
        self.suggestedTimeoutMillis = suggestedTimeoutMillis
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 10)
        floods = try reader.u8() != 0
        tag = try reader.take(4)
        suggestedTimeoutMillis = try reader.u32()
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(floods ? 1 : 0)
        writer.field(tag, size: 4)
        writer.u32(suggestedTimeoutMillis)
    }
    public var frame: RadioFrame { .sent(self) }
}

/// The radio's clock (§4.1).
public struct DeviceTimeReply: RadioPayload {
    public static let codes = [RadioCode.deviceTime]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(.u32("time", unit: "s")) }
    public static let samples = [Self(seconds: Sample.time)]

    public var seconds: UInt32

    public init(seconds: UInt32) { self.seconds = seconds }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) { seconds = try reader.u32() }
    public func encode(into writer: inout ByteWriter) { writer.u32(seconds) }
    public var frame: RadioFrame { .deviceTime(self) }
}

/// The message queue is empty (§4.1).
public struct NoMoreMessagesReply: BareRadioPayload {
    public static let codes = [RadioCode.noMoreMessages]
    public init() {}
    public var frame: RadioFrame { .noMoreMessages(self) }
}

/// Battery voltage and, since v1.7.1, storage (§4.1).
public struct BatteryReply: RadioPayload {
    public static let codes = [RadioCode.batteryAndStorage]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            .u16("battery", unit: "mV"), FieldLayout.u32("used", unit: "KiB").optional,
            FieldLayout.u32("total", unit: "KiB").optional)
    }
    public static let samples = [
        Self(millivolts: 4_100, storage: Storage(usedKiB: 28, totalKiB: 1_024)), Self(millivolts: 3_700),
    ]

    public struct Storage: Sendable, Hashable {
        public var usedKiB: UInt32
        public var totalKiB: UInt32
        public init(usedKiB: UInt32, totalKiB: UInt32) {
            self.usedKiB = usedKiB
            self.totalKiB = totalKiB
        }
    }

    public var millivolts: UInt16
    public var storage: Storage?

    public init(millivolts: UInt16, storage: Storage? = nil) {
        self.millivolts = millivolts
        self.storage = storage
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        millivolts = try reader.u16()
        guard !reader.isAtEnd else {
            storage = nil
            return
        }
        guard reader.remaining >= 8 else { throw .oddLength(reader.frameLength) }
        storage = Storage(usedKiB: try reader.u32(), totalKiB: try reader.u32())
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u16(millivolts)
        guard let storage else { return }
        writer.u32(storage.usedKiB)
        writer.u32(storage.totalKiB)
    }
    public var frame: RadioFrame { .battery(self) }
}

/// The radio's private key, 64 bytes (§3.26).
public struct PrivateKeyReply: RadioPayload {
    public static let codes = [RadioCode.privateKey]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(FieldLayout.bytes("private-key", 64).secret)
    }
    public static let samples = [Self(key: Secret([UInt8](repeating: 0x42, count: 64)))]

    public var key: Secret

    public init(key: Secret) { self.key = key }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        key = Secret(try reader.take(64))
    }
    public func encode(into writer: inout ByteWriter) { key.reveal { writer.field($0, size: 64) } }
    public var frame: RadioFrame { .privateKey(self) }
}

/// The build has no key export or import (§4.1).
public struct DisabledReply: BareRadioPayload {
    public static let codes = [RadioCode.disabled]
    public init() {}
    public var frame: RadioFrame { .disabled(self) }
}

/// A signature was begun (§4.1).
public struct SignStartedReply: RadioPayload {
    public static let codes = [RadioCode.signStarted]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(.reserved(1), .u32("limit", unit: "B")) }
    public static let samples = [Self(limit: 8_192)]

    /// How many bytes may be signed.
    public var limit: UInt32

    public init(limit: UInt32) { self.limit = limit }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 6)
        try reader.skip(1)
        limit = try reader.u32()
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.u32(limit)
    }
    public var frame: RadioFrame { .signStarted(self) }
}

/// An Ed25519 signature, 64 bytes (§4.1).
public struct SignatureReply: RadioPayload {
    public static let codes = [RadioCode.signature]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(.bytes("signature", 64)) }
    public static let samples = [Self(signature: [UInt8](repeating: 0x51, count: 64))]

    public var signature: [UInt8]

    public init(signature: [UInt8]) { self.signature = signature }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        signature = try reader.take(64)
    }
    public func encode(into writer: inout ByteWriter) { writer.field(signature, size: 64) }
    public var frame: RadioFrame { .signature(self) }
}

/// The board's own settings as `name:value` joined by commas (§4.1).
public struct CustomVariablesReply: RadioPayload {
    public static let codes = [RadioCode.customVariables]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(.text("variables")) }
    public static let samples = [Self(text: "gps:1,gps_interval:60"), Self(text: "")]

    public var text: WireText

    public init(text: WireText) { self.text = text }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        text = WireText(bytes: reader.rest())
    }
    public func encode(into writer: inout ByteWriter) { writer.append(text.bytes) }
    public var frame: RadioFrame { .customVariables(self) }

    /// The pairs in order; what has no colon is left out.
    public var pairs: [(name: String, value: String)] {
        text.string.split(separator: ",").compactMap { pair in
            let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }
}

/// Receive delay and airtime factor (§4.1).
public struct TuningReply: RadioPayload {
    public static let codes = [RadioCode.tuning]
    public static func layout(of code: RadioCode) -> FrameLayout { Tuning.layout }
    public static let samples = [Self(Tuning(receiveDelayThousandths: 0, airtimeFactorThousandths: 1_000))]

    public var tuning: Tuning

    public init(_ tuning: Tuning) { self.tuning = tuning }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        tuning = try Tuning(decoding: &reader)
    }
    public func encode(into writer: inout ByteWriter) { tuning.encode(into: &writer) }
    public var frame: RadioFrame { .tuning(self) }
}

/// The auto-add setting; the hop limit came with protocol 10 (§4.1).
public struct AutoAddReply: RadioPayload {
    public static let codes = [RadioCode.autoAdd]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(.u8("mask"), FieldLayout.u8("max-hops").optional)
    }
    public static let samples = [Self(mask: .chat, maxHops: 3)]

    public var mask: AutoAddMask
    /// 0 for no limit, also when the radio told none.
    public var maxHops: UInt8

    public init(mask: AutoAddMask, maxHops: UInt8 = 0) {
        self.mask = mask
        self.maxHops = maxHops
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        mask = AutoAddMask(rawValue: try reader.u8())
        maxHops = reader.isAtEnd ? 0 : try reader.u8()
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(mask.rawValue)
        writer.u8(maxHops)
    }
    public var frame: RadioFrame { .autoAdd(self) }
}

/// The frequency ranges in which client repeat is allowed (§4.1).
public struct RepeatFrequenciesReply: RadioPayload {
    public static let codes = [RadioCode.repeatFrequencies]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(.init("ranges", .rest, .numbers, unit: "kHz"))
    }
    public static let samples = [Self(ranges: [Range(low: 433_000, high: 433_000), Range(low: 1, high: 2)])]

    /// Both ends belong to the range, in kHz.
    public struct Range: Sendable, Hashable {
        public var low: UInt32
        public var high: UInt32
        public init(low: UInt32, high: UInt32) {
            self.low = low
            self.high = high
        }
    }

    public var ranges: [Range]

    public init(ranges: [Range]) { self.ranges = ranges }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        ranges = []
        while reader.remaining >= 8 { ranges.append(Range(low: try reader.u32(), high: try reader.u32())) }
    }
    public func encode(into writer: inout ByteWriter) {
        for range in ranges {
            writer.u32(range.low)
            writer.u32(range.high)
        }
    }
    public var frame: RadioFrame { .repeatFrequencies(self) }
}

/// The default flood scope, or none (§4.1).
public struct DefaultFloodScopeReply: RadioPayload {
    public static let codes = [RadioCode.defaultFloodScope]
    public static func layout(of code: RadioCode) -> FrameLayout { FrameLayout(FloodScope.fields) }
    public static let samples = [Self(scope: .sample), Self(scope: nil)]

    public var scope: FloodScope?

    public init(scope: FloodScope?) { self.scope = scope }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        guard !reader.isAtEnd else {
            scope = nil
            return
        }
        guard reader.frameLength == 48 else { throw .oddLength(reader.frameLength) }
        scope = try FloodScope(decoding: &reader)
    }
    public func encode(into writer: inout ByteWriter) { scope?.encode(into: &writer) }
    public var frame: RadioFrame { .defaultFloodScope(self) }
}
