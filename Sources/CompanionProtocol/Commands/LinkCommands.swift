public import RigBase

/// Begins a session: stops a contact listing left by an earlier client and is answered by SELF_INFO (§3.1).
public struct AppStartCommand: CompanionCommand {
    public static let code = CommandCode.appStart
    public static let replies: [RadioCode] = [.selfInfo]
    public static let layout = FrameLayout(.u8("version"), .reserved(6), FieldLayout.text("app-name").optional)
    public static let samples = [Self(appName: "MeshRig"), Self(version: 3, appName: "")]

    /// Byte 1; radios ignore it.
    public var version: UInt8
    public var appName: WireText

    public init(version: UInt8 = 0, appName: WireText) {
        self.version = version
        self.appName = appName
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        version = try reader.u8()
        try reader.skip(6)
        appName = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(version)
        writer.zeros(6)
        writer.append(appName.bytes)
    }
}

/// Tells the radio which protocol version the client understands and asks for DEVICE_INFO (§3.2).
///
/// From 3 on, texts received later are queued in the form that carries the SNR.
public struct DeviceQueryCommand: CompanionCommand {
    public static let code = CommandCode.deviceQuery
    public static let replies: [RadioCode] = [.deviceInfo]
    public static let layout = FrameLayout(.u8("app-version"))
    public static let samples = [Self(appVersion: 13)]

    public var appVersion: UInt8

    public init(appVersion: UInt8) { self.appVersion = appVersion }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { appVersion = try reader.u8() }
    public func encode(into writer: inout ByteWriter) { writer.u8(appVersion) }
}

/// Restarts the radio; there is no reply (§3.23).
public struct RebootCommand: CompanionCommand {
    public static let code = CommandCode.reboot
    public static let replies: [RadioCode] = []
    public static let layout = FrameLayout(.init("word", .fixed(6), .text))
    public static let samples = [Self()]
    static let word = Array("reboot".utf8)

    public init() {}

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        guard try reader.take(Self.word.count) == Self.word else { throw .wrongWord }
    }

    public func encode(into writer: inout ByteWriter) { writer.append(Self.word) }
}

/// Erases the radio and restarts it; the link is lost without a reply (§3.24).
public struct FactoryResetCommand: CompanionCommand {
    public static let code = CommandCode.factoryReset
    public static let replies: [RadioCode] = []
    public static let layout = FrameLayout(.init("word", .fixed(5), .text))
    public static let samples = [Self()]
    static let word = Array("reset".utf8)

    public init() {}

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        guard try reader.take(Self.word.count) == Self.word else { throw .wrongWord }
    }

    public func encode(into writer: inout ByteWriter) { writer.append(Self.word) }
}

/// Takes the oldest waiting message off the radio; a reply that gets lost is lost for good (§3.48).
public struct SyncNextMessageCommand: BareCommand {
    public static let code = CommandCode.syncNextMessage
    public static let replies: [RadioCode] = [
        .directMessage, .channelMessage, .directMessageV3, .channelMessageV3, .channelData, .noMoreMessages,
    ]
    public init() {}
}
