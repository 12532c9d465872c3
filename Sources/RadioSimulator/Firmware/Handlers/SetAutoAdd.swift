internal import CompanionProtocol

extension CommandHandler {
    /// SET_AUTOADD_CONFIG (companion-protocol §3.45).
    static let setAutoAdd = CommandHandler(.setAutoAdd) { companion in
        let command = companion.command
        companion.preferences.autoAddMask = command[1]
        if command.length >= 3 { companion.preferences.autoAddMaxHops = min(command[2], 64) }
        companion.savePreferences()
        companion.ok()
        return true
    }
}
