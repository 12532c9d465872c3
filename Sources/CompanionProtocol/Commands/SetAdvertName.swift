public import RigBase

/// Sets the radio's name (§3.16).
public struct SetAdvertNameCommand: CompanionCommand {
    public static let code = CommandCode.setAdvertName
    public static let rules = CommandRules(since: 1, lengths: 2...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.text("name"))
    public static let samples = [Self(name: "Alice")]

    /// At most 31 bytes, the radio cuts the rest byte by byte.
    public var name: WireText

    public init(name: WireText) { self.name = name }

    /// Cuts the name between two characters, so that no half one is stored.
    public init(cutting name: String) { self.name = .cut(name, toBytes: CompanionLimits.maxNameSize) }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 2)
        name = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) { writer.append(name.bytes) }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.some(name.isEmpty, "name")
        try FieldLimit.atMost(CompanionLimits.maxNameSize, name.bytes.count, "name")
    }
}
