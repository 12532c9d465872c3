internal import CompanionProtocol

extension CommandHandler {
    /// SET_TUNING_PARAMS (companion-protocol §3.20): not validated until the next boot.
    static let setTuning = CommandHandler(.setTuning) { companion in
        companion.preferences.receiveDelayMilli = companion.command.u32(1)
        companion.preferences.airtimeFactorMilli = companion.command.u32(5)
        companion.node.budget.factor = companion.preferences.airtimeFactor
        companion.savePreferences()
        companion.ok()
        return true
    }
}
