public import RigBase

/// Lists the contacts changed after `since`, or all of them (§3.6).
public struct GetContactsCommand: CompanionCommand {
    public static let code = CommandCode.getContacts
    public static let rules = CommandRules(since: 1, lengths: 1...CompanionLimits.maxFrameSize, errors: [.badState])
    public static let replies: [RadioCode] = [.contactsStart, .contact, .contactsEnd]
    public static let layout = FrameLayout(FieldLayout.u32("since", unit: "s").optional)
    public static let samples = [Self(), Self(since: Sample.time)]

    /// Contacts whose last modification is later, in the radio's clock; nil asks for all.
    public var since: UInt32?

    public init(since: UInt32? = nil) { self.since = since }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        since = reader.remaining >= 4 ? try reader.u32() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        if let since { writer.u32(since) }
    }
}
