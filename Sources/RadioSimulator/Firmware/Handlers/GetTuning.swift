internal import CompanionProtocol

extension CommandHandler {
    /// GET_TUNING_PARAMS (companion-protocol §3.20).
    static let getTuning = CommandHandler(.getTuning) { companion in
        let preferences = companion.preferences
        companion.reply(.tuning) { out in
            out.u32(preferences.receiveDelayMilli)
            out.u32(preferences.airtimeFactorMilli)
        }
        return true
    }
}
