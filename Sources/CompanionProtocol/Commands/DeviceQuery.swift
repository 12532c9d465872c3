public import RigBase

/// Tells the radio which protocol version the client understands and asks for DEVICE_INFO (§3.2).
///
/// From 3 on, texts received later are queued in the form that carries the SNR.
public struct DeviceQueryCommand: CompanionCommand {
    public static let code = CommandCode.deviceQuery
    public static let rules = CommandRules(since: 1, lengths: 2...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.deviceInfo]
    public static let layout = FrameLayout(.u8("app-version"))
    public static let samples = [Self(appVersion: 13)]

    public var appVersion: UInt8

    public init(appVersion: UInt8) { self.appVersion = appVersion }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { appVersion = try reader.u8() }
    public func encode(into writer: inout ByteWriter) { writer.u8(appVersion) }
}
