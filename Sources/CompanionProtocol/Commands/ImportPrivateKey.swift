public import RigBase

/// Replaces the radio's private key (§3.26).
public struct ImportPrivateKeyCommand: CompanionCommand {
    public static let code = CommandCode.importPrivateKey
    public static let rules = CommandRules(
        since: 1, lengths: 65...CompanionLimits.maxFrameSize, errors: [.fileInputOutput, .illegalArgument])
    public static let replies: [RadioCode] = [.ok, .disabled]
    public static let layout = FrameLayout(FieldLayout.bytes("private-key", 64).secret)
    public static let samples = [Self(key: Secret([UInt8](repeating: 0x41, count: 64)))]

    /// 64 bytes, the expanded form.
    public var key: Secret

    public init(key: Secret) { self.key = key }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { key = Secret(try reader.take(64)) }
    public func encode(into writer: inout ByteWriter) { key.reveal { writer.field($0, size: 64) } }
    public func validate() throws(FieldLimitError) {
        guard key.count == 64 else { throw .wrongSize(field: "private-key", expected: 64, got: key.count) }
    }
}
