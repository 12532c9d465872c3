public import RigBase

/// Sets one of the board's own settings (§3.39).
public struct SetCustomVariableCommand: CompanionCommand {
    public static let code = CommandCode.setCustomVariable
    public static let rules = CommandRules(
        since: 5, lengths: 4...CompanionLimits.maxFrameSize, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.text("assignment"))
    public static let samples = [Self(name: "gps", value: "1")]

    /// `name:value`, split at the first colon.
    public var assignment: WireText

    public init(name: String, value: String) { assignment = WireText(name + ":" + value) }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 4)
        assignment = WireText(bytes: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) { writer.append(assignment.bytes) }

    public func validate() throws(FieldLimitError) {
        guard assignment.bytes.count >= 3 else { throw .empty(field: "assignment") }
    }
}
