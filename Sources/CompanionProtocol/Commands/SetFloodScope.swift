public import RigBase

/// Sets the scope of floods until the radio restarts (§3.42).
public struct SetFloodScopeCommand: CompanionCommand {
    public static let code = CommandCode.setFloodScope
    public static let rules = CommandRules(
        since: 8, lengths: 2...CompanionLimits.maxFrameSize, errors: [.unsupportedCommand])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .u8("kind"), FieldLayout.bytes("key", CompanionLimits.channelSecretSize).secret.optional)
    public static let samples = [Self(scope: .key(Secret(Sample.secret))), Self(scope: .standard), Self(scope: .none)]

    public enum Scope: Sendable, Hashable {
        /// Floods carry codes made with this 16-byte key.
        case key(Secret)
        /// No override: the default scope counts.
        case standard
        /// Floods go out without a scope (protocol 12).
        case none
    }

    public var scope: Scope

    public init(scope: Scope) { self.scope = scope }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        let kind = try reader.u8()
        switch kind {
        case 0 where reader.remaining >= CompanionLimits.channelSecretSize:
            scope = .key(Secret(try reader.take(CompanionLimits.channelSecretSize)))
        case 0: scope = .standard
        case 1: scope = .none
        default: throw .unknownKind(kind)
        }
    }

    public func encode(into writer: inout ByteWriter) {
        switch scope {
        case .key(let key):
            writer.u8(0)
            key.reveal { writer.field($0, size: CompanionLimits.channelSecretSize) }
        case .standard: writer.u8(0)
        case .none: writer.u8(1)
        }
    }

    public func validate() throws(FieldLimitError) {
        guard case .key(let key) = scope, key.count != CompanionLimits.channelSecretSize else { return }
        throw .wrongSize(field: "key", expected: CompanionLimits.channelSecretSize, got: key.count)
    }
}
