public import RigBase

/// Asks for telemetry, of a node or of the radio itself (§3.30).
///
/// A node answers by SENT and the push TELEMETRY_RESPONSE, the radio itself by that push alone.
public struct SendTelemetryRequestCommand: CompanionCommand {
    public static let code = CommandCode.sendTelemetryRequest
    public static let rules = CommandRules(
        since: 5, lengths: 4...CompanionLimits.maxFrameSize, errors: [.unsupportedCommand, .notFound, .tableFull])
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
