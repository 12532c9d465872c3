public import RigBase

/// Begins a session: stops a contact listing left by an earlier client and is answered by SELF_INFO (§3.1).
public struct AppStartCommand: CompanionCommand {
    public static let code = CommandCode.appStart
    public static let rules = CommandRules(since: 1, lengths: 8...CompanionLimits.maxFrameSize, errors: [])
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
