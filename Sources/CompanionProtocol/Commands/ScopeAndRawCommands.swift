public import RigBase

/// Sets the scope of floods until the radio restarts (§3.42).
public struct SetFloodScopeCommand: CompanionCommand {
    public static let code = CommandCode.setFloodScope
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("kind"), FieldLayout.bytes("key", CompanionLimits.channelSecretSize).secret.optional)
    public static let samples = [Self(scope: .key(Secret(Sample.secret))), Self(scope: .standard), Self(scope: .none)]

    public enum Scope: Sendable, Hashable {
        /// Floods carry codes made with this 16-byte key.
        case key(Secret)
        /// No override: the default scope counts.
        case standard
        /// Floods go out without a scope (protocol 12).
        case none
    }

    public var scope: Scope

    public init(scope: Scope) { self.scope = scope }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        let kind = try reader.u8()
        switch kind {
        case 0 where reader.remaining >= CompanionLimits.channelSecretSize:
            scope = .key(Secret(try reader.take(CompanionLimits.channelSecretSize)))
        case 0: scope = .standard
        case 1: scope = .none
        default: throw .unknownKind(kind)
        }
    }

    public func encode(into writer: inout ByteWriter) {
        switch scope {
        case .key(let key):
            writer.u8(0)
            key.reveal { writer.field($0, size: CompanionLimits.channelSecretSize) }
        case .standard: writer.u8(0)
        case .none: writer.u8(1)
        }
    }

    public func validate() throws(FieldLimitError) {
        guard case .key(let key) = scope, key.count != CompanionLimits.channelSecretSize else { return }
        throw .wrongSize(field: "key", expected: CompanionLimits.channelSecretSize, got: key.count)
    }
}

/// A named flood scope: name of 1 to 30 bytes and 16-byte key.
public struct FloodScope: Sendable, Hashable {
    public var name: WireText
    public var key: Secret

    public init(name: WireText, key: Secret) {
        self.name = name
        self.key = key
    }

    /// Size of the name field; its last byte is always NUL.
    static let nameField = 31
    static let fields: [FieldLayout] = [
        FieldLayout.name("name", nameField).optional,
        FieldLayout.bytes("key", CompanionLimits.channelSecretSize).secret.optional,
    ]
    static let sample = FloodScope(name: "#region", key: Secret(Sample.secret))

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        name = try reader.nameField(Self.nameField)
        key = Secret(try reader.take(CompanionLimits.channelSecretSize))
    }

    func encode(into writer: inout ByteWriter) {
        writer.field(name.bytes, size: Self.nameField)
        key.reveal { writer.field($0, size: CompanionLimits.channelSecretSize) }
    }
}

/// Sets or clears the scope that floods have unless told otherwise; it is kept over restarts (§3.43).
public struct SetDefaultFloodScopeCommand: CompanionCommand {
    public static let code = CommandCode.setDefaultFloodScope
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(FloodScope.fields)
    public static let samples = [Self(scope: .sample), Self(scope: nil)]

    /// nil clears it.
    public var scope: FloodScope?

    public init(scope: FloodScope?) { self.scope = scope }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        scope = reader.frameLength >= 48 ? try FloodScope(decoding: &reader) : nil
    }

    public func encode(into writer: inout ByteWriter) { scope?.encode(into: &writer) }

    public func validate() throws(FieldLimitError) {
        guard let scope else { return }
        try FieldLimit.some(scope.name.isEmpty, "name")
        try FieldLimit.atMost(FloodScope.nameField - 1, scope.name.bytes.count, "name")
        guard scope.key.count == CompanionLimits.channelSecretSize else {
            throw .wrongSize(field: "key", expected: CompanionLimits.channelSecretSize, got: scope.key.count)
        }
    }
}

/// Reads the default flood scope (§3.43).
public struct GetDefaultFloodScopeCommand: BareCommand {
    public static let code = CommandCode.getDefaultFloodScope
    public static let replies: [RadioCode] = [.defaultFloodScope]
    public init() {}
}

/// Sends bytes of the application's own along a path (§3.27).
public struct SendRawDataCommand: CompanionCommand {
    public static let code = CommandCode.sendRawData
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("path-size"), .init("path", .counted("path-size"), .bytes), .rest("data"))
    public static let samples = [Self(path: [0xAA], data: [1, 2, 3, 4])]

    /// One-byte hashes.
    public var path: [UInt8]
    /// At least 4 bytes.
    public var data: [UInt8]

    public init(path: [UInt8], data: [UInt8]) {
        self.path = path
        self.data = data
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 6)
        let count = try reader.i8()
        guard count >= 0 else { throw .unknownKind(UInt8(bitPattern: count)) }
        path = try reader.take(Int(count))
        guard reader.remaining >= 4 else { throw .tooShort(needed: 6 + Int(count), got: reader.frameLength) }
        data = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(UInt8(clamping: path.count))
        writer.append(path)
        writer.append(data)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.atMost(63, path.count, "path")
        guard data.count >= 4 else { throw .wrongSize(field: "data", expected: 4, got: data.count) }
    }
}

/// Sends a control payload to direct neighbours (§3.44).
public struct SendControlDataCommand: CompanionCommand {
    public static let code = CommandCode.sendControlData
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.rest("payload"))
    public static let samples = [Self(payload: [0x81, 0xFF, 0xEF, 0xBE, 0xAD, 0xDE])]

    /// Bit 7 of its first byte is set.
    public var payload: [UInt8]

    public init(payload: [UInt8]) { self.payload = payload }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 2)
        payload = reader.rest()
        guard payload[0] & 0x80 != 0 else { throw .unknownKind(payload[0]) }
    }

    public func encode(into writer: inout ByteWriter) { writer.append(payload) }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.some(payload.isEmpty, "payload")
        try FieldLimit.range(payload[0], 0x80...0xFF, "payload type")
    }
}

/// Sends a packet as it is (§3.47).
public struct SendRawPacketCommand: CompanionCommand {
    public static let code = CommandCode.sendRawPacket
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u8("priority"), .rest("packet"))
    public static let samples = [Self(priority: 1, packet: [0x09, 0x00, 0x55])]

    /// 0 goes first; 255 would never be sent.
    public var priority: UInt8
    public var packet: [UInt8]

    public init(priority: UInt8, packet: [UInt8]) {
        self.priority = priority
        self.packet = packet
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 4)
        priority = try reader.u8()
        packet = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(priority)
        writer.append(packet)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.range(priority, 0...254, "priority")
        guard packet.count >= 2 else { throw .wrongSize(field: "packet", expected: 2, got: packet.count) }
    }
}
