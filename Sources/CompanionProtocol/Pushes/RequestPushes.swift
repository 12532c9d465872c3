public import RigBase

/// What a server lets a client do.
public enum LoginPermission: UInt8, Sendable, Hashable, CaseIterable {
    case guest = 0
    case readWrite = 1
    case admin = 2
}

/// A login was accepted (§5, 85).
public struct LoginSucceededPush: RadioPayload {
    public static let codes = [RadioCode.loginSucceeded]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            .u8("permission"), .prefix("server"), FieldLayout.u32("server-time", unit: "s").optional,
            FieldLayout.u8("acl-permission").optional, FieldLayout.u8("feature-level").optional)
    }
    public static let samples = [
        Self(
            permissionByte: 1, serverPrefix: Sample.prefix,
            extended: Extended(serverTime: Sample.time, aclPermission: 3, featureLevel: 2)),
        Self(
            permissionByte: 2, serverPrefix: Sample.prefix,
            extended: Extended(serverTime: Sample.time, aclPermission: 2, featureLevel: nil)),
        Self(permissionByte: 0, serverPrefix: Sample.prefix, extended: nil),
    ]

    /// What servers tell since v1.7.3.
    public struct Extended: Sendable, Hashable {
        /// 0 when the server has no clock.
        public var serverTime: UInt32
        public var aclPermission: UInt8
        /// Since v1.9.0.
        public var featureLevel: UInt8?
        public init(serverTime: UInt32, aclPermission: UInt8, featureLevel: UInt8?) {
            self.serverTime = serverTime
            self.aclPermission = aclPermission
            self.featureLevel = featureLevel
        }
    }

    public var permissionByte: UInt8
    /// Empty in a frame too short to have one.
    public var serverPrefix: [UInt8]
    public var extended: Extended?

    public init(permissionByte: UInt8, serverPrefix: [UInt8], extended: Extended?) {
        self.permissionByte = permissionByte
        self.serverPrefix = serverPrefix
        self.extended = extended
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        guard reader.remaining >= 7 else {
            permissionByte = 0
            serverPrefix = []
            extended = nil
            return
        }
        permissionByte = try reader.u8()
        serverPrefix = try reader.keyPrefix()
        guard reader.remaining >= 5 else {
            extended = nil
            return
        }
        extended = Extended(
            serverTime: try reader.u32(), aclPermission: try reader.u8(),
            featureLevel: reader.isAtEnd ? nil : try reader.u8())
    }
    public func encode(into writer: inout ByteWriter) {
        guard !serverPrefix.isEmpty else { return }
        writer.u8(permissionByte)
        writer.field(serverPrefix, size: CompanionLimits.keyPrefixSize)
        guard let extended else { return }
        writer.u32(extended.serverTime)
        writer.u8(extended.aclPermission)
        if let level = extended.featureLevel { writer.u8(level) }
    }

    /// The permission in one scale for all servers and versions.
    public var permission: LoginPermission {
        if let extended {
            return permissionByte == 1 ? .admin : extended.aclPermission == 2 ? .readWrite : .guest
        }
        return permissionByte == 1 ? .admin : permissionByte == 2 ? .guest : .readWrite
    }
    /// The server's clock, nil when it told none.
    public var serverTime: UInt32? { extended.flatMap { $0.serverTime == 0 ? nil : $0.serverTime } }
    public var frame: RadioFrame { .loginSucceeded(self) }
}

/// A login was answered with something else than success (§5, 86).
public struct LoginFailedPush: RadioPayload {
    public static let codes = [RadioCode.loginFailed]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(FieldLayout.reserved(1).optional, FieldLayout.prefix("server").optional)
    }
    public static let samples = [Self(serverPrefix: Sample.prefix), Self(serverPrefix: nil)]

    public var serverPrefix: [UInt8]?

    public init(serverPrefix: [UInt8]?) { self.serverPrefix = serverPrefix }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        guard reader.remaining >= 7 else {
            serverPrefix = nil
            return
        }
        try reader.skip(1)
        serverPrefix = try reader.keyPrefix()
    }
    public func encode(into writer: inout ByteWriter) {
        guard let serverPrefix else { return }
        writer.u8(0)
        writer.field(serverPrefix, size: CompanionLimits.keyPrefixSize)
    }
    public var frame: RadioFrame { .loginFailed(self) }
}

/// A node's status (§5, 87).
public struct StatusResponsePush: RadioPayload {
    public static let codes = [RadioCode.statusResponse]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout([.reserved(1), .prefix("server")] + NodeStatus.fields + [.rest("more")])
    }
    public static let samples = [Self(serverPrefix: Sample.prefix, blob: [UInt8](1...56))]

    public var serverPrefix: [UInt8]
    /// Status fields, maybe with zero padding; read by `NodeStatus`.
    public var blob: [UInt8]

    public init(serverPrefix: [UInt8], blob: [UInt8]) {
        self.serverPrefix = serverPrefix
        self.blob = blob
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 8 + NodeStatus.commonSize)
        try reader.skip(1)
        serverPrefix = try reader.keyPrefix()
        blob = reader.rest()
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(serverPrefix, size: CompanionLimits.keyPrefixSize)
        writer.append(blob)
    }
    public var frame: RadioFrame { .statusResponse(self) }
}

/// Telemetry of a node or of the radio itself, as CayenneLPP (§5, 8B).
public struct TelemetryResponsePush: RadioPayload {
    public static let codes = [RadioCode.telemetryResponse]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(.reserved(1), .prefix("node"), .rest("telemetry"))
    }
    public static let samples = [Self(nodePrefix: Sample.prefix, telemetry: [1, 0x74, 1, 0x9A])]

    /// The radio's own prefix for its own telemetry.
    public var nodePrefix: [UInt8]
    public var telemetry: [UInt8]

    public init(nodePrefix: [UInt8], telemetry: [UInt8]) {
        self.nodePrefix = nodePrefix
        self.telemetry = telemetry
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 8)
        try reader.skip(1)
        nodePrefix = try reader.keyPrefix()
        telemetry = reader.rest()
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(nodePrefix, size: CompanionLimits.keyPrefixSize)
        writer.append(telemetry)
    }
    public var frame: RadioFrame { .telemetryResponse(self) }
}

/// The answer to a binary or anonymous request (§5, 8C).
public struct BinaryResponsePush: RadioPayload {
    public static let codes = [RadioCode.binaryResponse]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(.reserved(1), .bytes("tag", 4), .rest("data"))
    }
    public static let samples = [Self(tag: [0x2E, 0x78, 0xE7, 0x68], data: [1, 2, 3])]

    /// The request's tag, as SENT told it.
    public var tag: [UInt8]
    /// May end in zero padding.
    public var data: [UInt8]

    public init(tag: [UInt8], data: [UInt8]) {
        self.tag = tag
        self.data = data
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 6)
        try reader.skip(1)
        tag = try reader.take(4)
        data = reader.rest()
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(tag, size: 4)
        writer.append(data)
    }
    public var frame: RadioFrame { .binaryResponse(self) }
}

/// The paths to and from a node, asked for by path discovery (§5, 8D).
public struct PathDiscoveryResponsePush: RadioPayload {
    public static let codes = [RadioCode.pathDiscoveryResponse]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            .reserved(1), .prefix("node"), .pathLength("out-length"), .init("out-path", .path("out-length"), .bytes),
            .pathLength("in-length"), .init("in-path", .path("in-length"), .bytes))
    }
    public static let samples = [
        Self(
            nodePrefix: Sample.prefix, outLength: PathLengthByte(hashSize: 2, hopCount: 1), outPath: [1, 2],
            inLength: .zeroHops, inPath: [])
    ]

    public var nodePrefix: [UInt8]
    public var outLength: PathLengthByte
    public var outPath: [UInt8]
    public var inLength: PathLengthByte
    public var inPath: [UInt8]

    public init(
        nodePrefix: [UInt8], outLength: PathLengthByte, outPath: [UInt8], inLength: PathLengthByte, inPath: [UInt8]
    ) {
        self.nodePrefix = nodePrefix
        self.outLength = outLength
        self.outPath = outPath
        self.inLength = inLength
        self.inPath = inPath
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.require(frameLength: 10)
        try reader.skip(1)
        nodePrefix = try reader.keyPrefix()
        outLength = PathLengthByte(rawValue: try reader.u8())
        guard reader.remaining > outLength.byteCount else { throw .truncatedPath }
        outPath = try reader.take(outLength.byteCount)
        inLength = PathLengthByte(rawValue: try reader.u8())
        guard reader.remaining >= inLength.byteCount else { throw .truncatedPath }
        inPath = try reader.take(inLength.byteCount)
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(nodePrefix, size: CompanionLimits.keyPrefixSize)
        writer.u8(outLength.rawValue)
        writer.field(outPath, size: outLength.byteCount)
        writer.u8(inLength.rawValue)
        writer.field(inPath, size: inLength.byteCount)
    }
    public var frame: RadioFrame { .pathDiscoveryResponse(self) }
}

/// A trace packet that ended at this radio (§5, 89).
public struct TraceDataPush: RadioPayload {
    public static let codes = [RadioCode.traceData]
    public static func layout(of code: RadioCode) -> FrameLayout {
        FrameLayout(
            .reserved(1), .u8("hash-size-sum"), .u8("flags"), .bytes("tag", 4), .u32("authentication"),
            .init("hashes", .counted("hash-size-sum"), .bytes),
            .init("hop-snrs", .hops(bytes: "hash-size-sum", flags: "flags"), .quarterList, unit: "dB"),
            .snr("final-snr"))
    }
    public static let samples = [
        Self(
            flags: 0, tag: 0x1122_3344, authentication: 0x5566_7788, hashes: [0xEF], hopSNRsQuarterDB: [48],
            finalSNRQuarterDB: 48),
        Self(
            flags: 1, tag: 1, authentication: 2, hashes: [1, 2, 3, 4], hopSNRsQuarterDB: [-3, 4], finalSNRQuarterDB: 5),
    ]

    /// Low 2 bits: a hash has 1, 2, 4 or 8 bytes.
    public var flags: UInt8
    public var tag: UInt32
    public var authentication: UInt32
    public var hashes: [UInt8]
    /// How well each hop heard the packet.
    public var hopSNRsQuarterDB: [Int8]
    /// How well it was heard here.
    public var finalSNRQuarterDB: Int8

    public init(
        flags: UInt8, tag: UInt32, authentication: UInt32, hashes: [UInt8], hopSNRsQuarterDB: [Int8],
        finalSNRQuarterDB: Int8
    ) {
        self.flags = flags
        self.tag = tag
        self.authentication = authentication
        self.hashes = hashes
        self.hopSNRsQuarterDB = hopSNRsQuarterDB
        self.finalSNRQuarterDB = finalSNRQuarterDB
    }
    public init(decoding reader: inout FrameReader, code: RadioCode) throws(FrameDefect) {
        try reader.skip(1)
        let count = Int(try reader.u8())
        flags = try reader.u8()
        tag = try reader.u32()
        authentication = try reader.u32()
        let hops = count >> Int(flags & 3)
        guard reader.remaining >= count + hops + 1 else { throw .truncatedPath }
        hashes = try reader.take(count)
        hopSNRsQuarterDB = try reader.take(hops).map { Int8(bitPattern: $0) }
        finalSNRQuarterDB = try reader.i8()
    }
    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.u8(UInt8(clamping: hashes.count))
        writer.u8(flags)
        writer.u32(tag)
        writer.u32(authentication)
        writer.append(hashes)
        for snr in hopSNRsQuarterDB { writer.i8(snr) }
        writer.i8(finalSNRQuarterDB)
    }
    public var frame: RadioFrame { .traceData(self) }
}
