public import RigBase

/// Sends a packet as it is (§3.47).
public struct SendRawPacketCommand: CompanionCommand {
    public static let code = CommandCode.sendRawPacket
    public static let rules = CommandRules(
        since: 13, lengths: 4...CompanionLimits.maxFrameSize, errors: [.tableFull, .illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.u8("priority"), .rest("packet"))
    public static let samples = [Self(priority: 1, packet: [0x09, 0x00, 0x55])]

    /// 0 goes first; 255 would never be sent.
    public var priority: UInt8
    public var packet: [UInt8]

    public init(priority: UInt8, packet: [UInt8]) {
        self.priority = priority
        self.packet = packet
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 4)
        priority = try reader.u8()
        packet = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) {
        writer.u8(priority)
        writer.append(packet)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.range(priority, 0...254, "priority")
        guard packet.count >= 2 else { throw .wrongSize(field: "packet", expected: 2, got: packet.count) }
    }
}
