internal import CompanionProtocol

extension CommandHandler {
    /// GET_CUSTOM_VARS (companion-protocol §3.39).
    static let getCustomVariables = CommandHandler(.getCustomVariables) { companion in
        let text = companion.board.hasGPS ? "gps:" + (companion.isGPSOn ? "1" : "0") : ""
        companion.reply(.customVariables) { $0.append(text.utf8) }
        return true
    }
}
