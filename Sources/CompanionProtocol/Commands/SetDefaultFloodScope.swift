public import RigBase

/// Sets or clears the scope that floods have unless told otherwise; it is kept over restarts (§3.43).
public struct SetDefaultFloodScopeCommand: CompanionCommand {
    public static let code = CommandCode.setDefaultFloodScope
    public static let rules = CommandRules(
        since: 11, lengths: 1...CompanionLimits.maxFrameSize, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(FloodScope.fields)
    public static let samples = [Self(scope: .sample), Self(scope: nil)]

    /// nil clears it.
    public var scope: FloodScope?

    public init(scope: FloodScope?) { self.scope = scope }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        scope = reader.frameLength >= 48 ? try FloodScope(decoding: &reader) : nil
    }

    public func encode(into writer: inout ByteWriter) { scope?.encode(into: &writer) }

    public func validate() throws(FieldLimitError) {
        guard let scope else { return }
        try FieldLimit.some(scope.name.isEmpty, "name")
        try FieldLimit.atMost(FloodScope.nameField - 1, scope.name.bytes.count, "name")
        guard scope.key.count == CompanionLimits.channelSecretSize else {
            throw .wrongSize(field: "key", expected: CompanionLimits.channelSecretSize, got: scope.key.count)
        }
    }
}
