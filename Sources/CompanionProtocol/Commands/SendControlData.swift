public import RigBase

/// Sends a control payload to direct neighbours (§3.44).
public struct SendControlDataCommand: CompanionCommand {
    public static let code = CommandCode.sendControlData
    public static let rules = CommandRules(
        since: 8, lengths: 2...CompanionLimits.maxFrameSize, errors: [.unsupportedCommand, .tableFull])
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
