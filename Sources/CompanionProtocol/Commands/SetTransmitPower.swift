public import RigBase

/// Sets the transmit power (§3.19).
public struct SetTransmitPowerCommand: CompanionCommand {
    public static let code = CommandCode.setTransmitPower
    public static let rules = CommandRules(since: 1, lengths: nil, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.i8("power", unit: "dBm"))
    public static let samples = [Self(dBm: -9), Self(dBm: 22)]

    public var dBm: Int8

    public init(dBm: Int8) { self.dBm = dBm }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { dBm = try reader.i8() }
    public func encode(into writer: inout ByteWriter) { writer.i8(dBm) }
}
