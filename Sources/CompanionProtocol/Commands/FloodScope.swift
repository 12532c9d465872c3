public import RigBase

/// A named flood scope: name of 1 to 30 bytes and 16-byte key.
public struct FloodScope: Sendable, Hashable {
    public var name: WireText
    public var key: Secret

    public init(name: WireText, key: Secret) {
        self.name = name
        self.key = key
    }

    /// Size of the name field; its last byte is always NUL.
    static let nameField = 31
    static let fields: [FieldLayout] = [
        FieldLayout.name("name", nameField).optional,
        FieldLayout.bytes("key", CompanionLimits.channelSecretSize).secret.optional,
    ]
    static let sample = FloodScope(name: "#region", key: Secret(Sample.secret))

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        name = try reader.nameField(Self.nameField)
        key = Secret(try reader.take(CompanionLimits.channelSecretSize))
    }

    func encode(into writer: inout ByteWriter) {
        writer.field(name.bytes, size: Self.nameField)
        key.reveal { writer.field($0, size: CompanionLimits.channelSecretSize) }
    }
}
