internal import CompanionProtocol

extension CommandHandler {
    /// GET_AUTOADD_CONFIG (companion-protocol §3.45).
    static let getAutoAdd = CommandHandler(.getAutoAdd) { companion in
        let preferences = companion.preferences
        companion.reply(.autoAdd) { out in
            out.u8(preferences.autoAddMask)
            out.u8(preferences.autoAddMaxHops)
        }
        return true
    }
}
