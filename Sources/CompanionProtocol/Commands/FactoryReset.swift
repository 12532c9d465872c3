public import RigBase

/// Erases the radio and restarts it; the link is lost without a reply (§3.24).
public struct FactoryResetCommand: CompanionCommand {
    public static let code = CommandCode.factoryReset
    public static let rules = CommandRules(since: 7, lengths: nil, errors: [.unsupportedCommand])
    public static let replies: [RadioCode] = []
    public static let layout = FrameLayout(.init("word", .fixed(5), .text))
    public static let samples = [Self()]
    static let word = Array("reset".utf8)

    public init() {}

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        guard try reader.take(Self.word.count) == Self.word else { throw .wrongWord }
    }

    public func encode(into writer: inout ByteWriter) { writer.append(Self.word) }
}
