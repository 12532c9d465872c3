internal import CompanionProtocol

extension CommandHandler {
    /// GET_DEFAULT_FLOOD_SCOPE (companion-protocol §3.43).
    static let getDefaultFloodScope = CommandHandler(.getDefaultFloodScope) { companion in
        let preferences = companion.preferences
        companion.reply(.defaultFloodScope) { out in
            guard preferences.scopeNameField[0] != 0 else { return }
            out.append(preferences.scopeNameField)
            out.append(preferences.scopeKey)
        }
        return true
    }
}
