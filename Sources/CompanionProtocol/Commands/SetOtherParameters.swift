public import RigBase

/// The four preferences that share one command; each shorter form leaves the later ones as they are (§3.21).
public struct SetOtherParametersCommand: CompanionCommand {
    public static let code = CommandCode.setOtherParameters
    public static let rules = CommandRules(since: 4, lengths: nil, errors: [])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("manual-add-contacts"), FieldLayout.u8("telemetry-modes").optional,
        FieldLayout.u8("advert-location-policy").optional, FieldLayout.u8("multi-acks").optional)
    public static let samples = [
        Self(OtherParameters(manualAddContacts: 1, telemetryModes: 0x2A, advertLocationPolicy: 1, multiAcks: 1)),
        Self(OtherParameters(), count: 1),
    ]

    public var parameters: OtherParameters
    /// How many of the four are sent, 1 to 4.
    public var count: Int

    public init(_ parameters: OtherParameters, count: Int = 4) {
        precondition((1...4).contains(count), "one to four parameters")
        self.parameters = parameters
        self.count = count
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        count = max(1, min(4, reader.remaining))
        parameters = OtherParameters(
            manualAddContacts: try reader.u8(),
            telemetryModes: TelemetryModes(rawValue: count > 1 ? try reader.u8() : 0),
            advertLocationPolicy: count > 2 ? try reader.u8() : 0, multiAcks: count > 3 ? try reader.u8() : 0)
    }

    public func encode(into writer: inout ByteWriter) {
        let all = [
            parameters.manualAddContacts, parameters.telemetryModes.rawValue, parameters.advertLocationPolicy,
            parameters.multiAcks,
        ]
        writer.append(all.prefix(count))
    }
}
