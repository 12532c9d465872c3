public import RigBase

/// Adds bytes to what will be signed (§3.37).
public struct SignDataCommand: CompanionCommand {
    public static let code = CommandCode.signData
    public static let rules = CommandRules(
        since: 3, lengths: 2...CompanionLimits.maxFrameSize, errors: [.tableFull, .badState])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.rest("data"))
    public static let samples = [Self(data: [1, 2, 3])]

    /// 1 to 175 bytes.
    public var data: [UInt8]

    public init(data: [UInt8]) { self.data = data }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 2)
        data = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) { writer.append(data) }
    public func validate() throws(FieldLimitError) { try FieldLimit.some(data.isEmpty, "data") }
}
