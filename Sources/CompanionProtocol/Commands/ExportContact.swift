public import RigBase

/// Asks for a contact's stored advert, or for a fresh one of the radio itself (§3.12).
public struct ExportContactCommand: CompanionCommand {
    public static let code = CommandCode.exportContact
    public static let rules = CommandRules(
        since: 1, lengths: 1...CompanionLimits.maxFrameSize, errors: [.notFound, .tableFull])
    public static let replies: [RadioCode] = [.exportedContact]
    public static let layout = FrameLayout(FieldLayout.key().optional)
    public static let samples = [Self(), Self(key: Sample.key)]

    /// nil exports the radio's own advert.
    public var key: [UInt8]?

    public init(key: [UInt8]? = nil) { self.key = key }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        key = reader.remaining >= CompanionLimits.publicKeySize ? try reader.key() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        if let key { writer.field(key, size: CompanionLimits.publicKeySize) }
    }

    public func validate() throws(FieldLimitError) {
        if let key { try FieldLimit.key(key) }
    }
}
