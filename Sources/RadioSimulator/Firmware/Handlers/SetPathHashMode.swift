internal import CompanionProtocol

extension CommandHandler {
    /// SET_PATH_HASH_MODE (companion-protocol §3.22).
    static let setPathHashMode = CommandHandler(.setPathHashMode) { companion in
        let command = companion.command
        guard command.length >= 3, command[1] == 0 else { return false }
        guard command[2] <= 2 else {
            companion.error(.illegalArgument)
            return true
        }
        companion.preferences.pathHashMode = command[2]
        companion.savePreferences()
        companion.ok()
        return true
    }
}
