public import RigBase

/// Logs in at a repeater, room or sensor; the result comes as a push or not at all (§3.28).
public struct SendLoginCommand: CompanionCommand {
    public static let code = CommandCode.sendLogin
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(.key(), FieldLayout.text("password").secret)
    public static let samples = [
        Self(key: Sample.key, password: Secret(utf8: "password")), Self(key: Sample.key, password: Secret([])),
    ]

    public var key: [UInt8]
    /// Radios use its first 15 bytes.
    public var password: Secret

    public init(key: [UInt8], password: Secret) {
        self.key = key
        self.password = password
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        key = try reader.key()
        password = Secret(reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.field(key, size: CompanionLimits.publicKeySize)
        password.reveal { writer.append($0) }
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.key(key) }
}

/// Asks a node for its status; answered by SENT, then by the push STATUS_RESPONSE (§3.29).
public struct SendStatusRequestCommand: KeyCommand {
    public static let code = CommandCode.sendStatusRequest
    public static let replies: [RadioCode] = [.sent]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}

/// Asks for telemetry, of a node or of the radio itself (§3.30).
///
/// A node answers by SENT and the push TELEMETRY_RESPONSE, the radio itself by that push alone.
public struct SendTelemetryRequestCommand: CompanionCommand {
    public static let code = CommandCode.sendTelemetryRequest
    public static let replies: [RadioCode] = [.sent, .telemetryResponse]
    public static let layout = FrameLayout(.reserved(3), FieldLayout.key().optional)
    public static let samples = [Self(), Self(key: Sample.key)]

    /// nil asks for the radio's own telemetry.
    public var key: [UInt8]?

    public init(key: [UInt8]? = nil) { self.key = key }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.skip(3)
        if reader.isAtEnd {
            key = nil
        } else {
            try reader.require(frameLength: 36)
            key = try reader.key()
        }
    }

    public func encode(into writer: inout ByteWriter) {
        writer.zeros(3)
        if let key { writer.field(key, size: CompanionLimits.publicKeySize) }
    }

    public func validate() throws(FieldLimitError) {
        if let key { try FieldLimit.key(key) }
    }
}

/// A command of a key and at least one byte of request.
public protocol RequestCommand: CompanionCommand {
    var key: [UInt8] { get }
    var request: [UInt8] { get }
    init(key: [UInt8], request: [UInt8])
}

extension RequestCommand {
    public static var layout: FrameLayout { FrameLayout(.key(), .rest("request")) }
    public static var samples: [Self] { [Self(key: Sample.key, request: [5, 0, 0])] }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 34)
        self.init(key: try reader.key(), request: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.field(key, size: CompanionLimits.publicKeySize)
        writer.append(request)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.key(key)
        try FieldLimit.some(request.isEmpty, "request")
    }
}

/// Sends a request to a node one is logged in at; answered by SENT, then by BINARY_RESPONSE (§3.31).
public struct SendBinaryRequestCommand: RequestCommand {
    public static let code = CommandCode.sendBinaryRequest
    public static let replies: [RadioCode] = [.sent]
    public var key: [UInt8]
    public var request: [UInt8]
    public init(key: [UInt8], request: [UInt8]) {
        self.key = key
        self.request = request
    }
}

/// Sends a request that needs no login and no contact; answered like a binary request (§3.32).
public struct SendAnonymousRequestCommand: RequestCommand {
    public static let code = CommandCode.sendAnonymousRequest
    public static let replies: [RadioCode] = [.sent]
    public var key: [UInt8]
    public var request: [UInt8]
    public init(key: [UInt8], request: [UInt8]) {
        self.key = key
        self.request = request
    }
}

/// Finds the paths to and from a node without storing them (§3.33).
public struct SendPathDiscoveryCommand: CompanionCommand {
    public static let code = CommandCode.sendPathDiscovery
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(.u8("kind"), .key())
    public static let samples = [Self(key: Sample.key)]

    public var key: [UInt8]

    public init(key: [UInt8]) { self.key = key }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        let kind = try reader.u8()
        guard kind == 0 else { throw .unknownKind(kind) }
        key = try reader.key()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(0)
        writer.field(key, size: CompanionLimits.publicKeySize)
    }

    public func validate() throws(FieldLimitError) { try FieldLimit.key(key) }
}

/// Sends a packet along the given hops and back to whoever stands at their end (§3.34).
public struct SendTracePathCommand: CompanionCommand {
    public static let code = CommandCode.sendTracePath
    public static let replies: [RadioCode] = [.sent]
    public static let layout = FrameLayout(.bytes("tag", 4), .u32("authentication"), .u8("flags"), .rest("path"))
    public static let samples = [
        Self(tag: 0x1122_3344, authentication: 0x5566_7788, path: [0xEF]),
        Self(tag: 1, authentication: 0, flags: 1, path: [1, 2, 3, 4]),
    ]

    public var tag: UInt32
    public var authentication: UInt32
    /// Low 2 bits: a hash has 1, 2, 4 or 8 bytes.
    public var flags: UInt8
    /// The hops' hashes, one after the other.
    public var path: [UInt8]

    public init(tag: UInt32, authentication: UInt32, flags: UInt8 = 0, path: [UInt8]) {
        self.tag = tag
        self.authentication = authentication
        self.flags = flags
        self.path = path
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 11)
        tag = try reader.u32()
        authentication = try reader.u32()
        flags = try reader.u8()
        path = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u32(tag)
        writer.u32(authentication)
        writer.u8(flags)
        writer.append(path)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.some(path.isEmpty, "path")
        let size = 1 << Int(flags & 3)
        guard path.count % size == 0 else {
            throw .wrongSize(field: "path", expected: (path.count / size + 1) * size, got: path.count)
        }
        try FieldLimit.atMost(64 * size, path.count, "path")
    }
}

/// Asks whether a kept connection to a server exists (§3.35).
public struct HasConnectionCommand: KeyCommand {
    public static let code = CommandCode.hasConnection
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}

/// Forgets a kept connection; nothing is sent over the air (§3.35).
public struct LogoutCommand: KeyCommand {
    public static let code = CommandCode.logout
    public static let replies: [RadioCode] = [.ok]
    public var key: [UInt8]
    public init(key: [UInt8]) { self.key = key }
}
