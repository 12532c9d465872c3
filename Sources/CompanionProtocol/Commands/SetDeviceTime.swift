public import RigBase

/// Sets the radio's clock; it never moves back, an earlier time is ERR(6) (§3.14).
public struct SetDeviceTimeCommand: CompanionCommand {
    public static let code = CommandCode.setDeviceTime
    public static let rules = CommandRules(
        since: 1, lengths: 5...CompanionLimits.maxFrameSize, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u32("time", unit: "s"))
    public static let samples = [Self(seconds: Sample.time)]

    /// Unix time.
    public var seconds: UInt32

    public init(seconds: UInt32) { self.seconds = seconds }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { seconds = try reader.u32() }
    public func encode(into writer: inout ByteWriter) { writer.u32(seconds) }
}
