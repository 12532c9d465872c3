internal import CompanionProtocol

extension CommandHandler {
    /// SIGN_DATA (companion-protocol §3.37).
    static let signData = CommandHandler(.signData) { companion in
        let command = companion.command
        guard command.length >= 2 else { return false }
        guard let collected = companion.signing else {
            companion.error(.badState)
            return true
        }
        guard collected.count + command.length - 1 <= Companion.signingLimit else {
            companion.error(.tableFull)
            return true
        }
        companion.signing = collected + command.rest(1)
        companion.ok()
        return true
    }
}
