public import RigBase

/// Gives the radio an advert as if it had been heard; OK comes before the advert is looked at (§3.13).
public struct ImportContactCommand: CompanionCommand {
    public static let code = CommandCode.importContact
    public static let rules = CommandRules(
        since: 1, lengths: 99...CompanionLimits.maxFrameSize, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.rest("packet"))
    public static let samples = [Self(packet: [0x11, 0x00] + [UInt8](repeating: 7, count: 101))]
    /// Shortest packet a radio looks at.
    public static let minPacketSize = 98

    /// A raw advert packet.
    public var packet: [UInt8]

    public init(packet: [UInt8]) { self.packet = packet }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 1 + Self.minPacketSize)
        packet = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) { writer.append(packet) }

    public func validate() throws(FieldLimitError) {
        guard packet.count >= Self.minPacketSize else {
            throw .wrongSize(field: "packet", expected: Self.minPacketSize, got: packet.count)
        }
    }
}
