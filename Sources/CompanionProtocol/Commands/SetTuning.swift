public import RigBase

/// Sets receive delay and airtime factor (§3.20).
public struct SetTuningCommand: CompanionCommand {
    public static let code = CommandCode.setTuning
    public static let rules = CommandRules(since: 1, lengths: nil, errors: [])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = Tuning.layout
    public static let samples = [Self(Tuning(receiveDelayThousandths: 0, airtimeFactorThousandths: 1_000))]

    public var tuning: Tuning

    public init(_ tuning: Tuning) { self.tuning = tuning }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { tuning = try Tuning(decoding: &reader) }
    public func encode(into writer: inout ByteWriter) { tuning.encode(into: &writer) }
}
