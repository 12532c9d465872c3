internal import CompanionProtocol

extension CommandHandler {
    /// SET_ADVERT_NAME (companion-protocol §3.16).
    static let setAdvertName = CommandHandler(.setAdvertName) { companion in
        let command = companion.command
        guard command.length >= 2 else { return false }
        companion.preferences.name = companion.cut(Array(command.rest(1).prefix { $0 != 0 }), to: 31)
        companion.savePreferences()
        companion.ok()
        return true
    }
}
