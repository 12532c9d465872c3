/// Reads the radio's private key; DISABLED when the build forbids it (§3.26).
public struct ExportPrivateKeyCommand: BareCommand {
    public static let code = CommandCode.exportPrivateKey
    public static let rules = CommandRules(since: 1, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.privateKey, .disabled]
    public init() {}
}
