public import RigBase

/// Restarts the radio; there is no reply (§3.23).
public struct RebootCommand: CompanionCommand {
    public static let code = CommandCode.reboot
    public static let rules = CommandRules(since: 1, lengths: nil, errors: [.unsupportedCommand])
    public static let replies: [RadioCode] = []
    public static let layout = FrameLayout(.init("word", .fixed(6), .text))
    public static let samples = [Self()]
    static let word = Array("reboot".utf8)

    public init() {}

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        guard try reader.take(Self.word.count) == Self.word else { throw .wrongWord }
    }

    public func encode(into writer: inout ByteWriter) { writer.append(Self.word) }
}
