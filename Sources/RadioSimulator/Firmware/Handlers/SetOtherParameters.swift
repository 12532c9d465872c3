internal import CompanionProtocol

extension CommandHandler {
    /// SET_OTHER_PARAMS (companion-protocol §3.21): shorter forms leave the later fields.
    static let setOtherParameters = CommandHandler(.setOtherParameters) { companion in
        let command = companion.command
        companion.preferences.manualAddContacts = command[1]
        if command.length >= 3 { companion.preferences.telemetryModes = command[2] & 0x3F }
        if command.length >= 4 { companion.preferences.advertLocationPolicy = command[3] }
        if command.length >= 5 { companion.preferences.multiAcks = command[4] }
        companion.savePreferences()
        companion.ok()
        return true
    }
}
