internal import CompanionProtocol

extension CommandHandler {
    /// DEVICE_QUERY (companion-protocol §3.2): remembers the app's version and answers DEVICE_INFO (§4.4).
    static let deviceQuery = CommandHandler(.deviceQuery) { companion in
        let command = companion.command
        guard command.length >= 2 else { return false }
        companion.appVersion = command[1]
        let (profile, board, preferences) = (companion.profile, companion.board, companion.preferences)
        companion.reply(.deviceInfo) { out in
            out.u8(profile.protocolCode)
            // Reserved before protocol version 3 (companion-protocol §10).
            let tellsLimits = profile.protocolCode >= 3
            out.u8(tellsLimits ? UInt8(truncatingIfNeeded: board.maximumContacts / 2) : 0)
            out.u8(tellsLimits ? UInt8(truncatingIfNeeded: board.maximumChannels) : 0)
            out.u32(preferences.pin)
            out.field(profile.buildDate.utf8.prefix(11), size: 12)
            out.field(board.model.utf8.prefix(39), size: 40)
            out.field(profile.version.utf8.prefix(19), size: 20)
            if profile.protocolCode >= 9 { out.u8(preferences.clientRepeat ? 1 : 0) }
            if profile.protocolCode >= 10 { out.u8(preferences.pathHashMode) }
        }
        return true
    }
}
