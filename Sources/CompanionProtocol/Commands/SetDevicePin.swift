public import RigBase

/// Sets the BLE PIN of the next boot: 0 for the build's own, else 6 digits (§3.38).
public struct SetDevicePinCommand: CompanionCommand {
    public static let code = CommandCode.setDevicePin
    public static let rules = CommandRules(
        since: 3, lengths: 5...CompanionLimits.maxFrameSize, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(FieldLayout.u32("pin").secret)
    public static let samples = [Self(pin: 123_456)]

    public var pin: UInt32

    public init(pin: UInt32) { self.pin = pin }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { pin = try reader.u32() }
    public func encode(into writer: inout ByteWriter) { writer.u32(pin) }
    public func validate() throws(FieldLimitError) {
        if pin != 0 { try FieldLimit.range(pin, 100_000...999_999, "pin") }
    }
}
