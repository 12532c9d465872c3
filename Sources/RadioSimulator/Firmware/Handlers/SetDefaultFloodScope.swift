internal import CompanionProtocol

extension CommandHandler {
    /// SET_DEFAULT_FLOOD_SCOPE (companion-protocol §3.43).
    static let setDefaultFloodScope = CommandHandler(.setDefaultFloodScope) { companion in
        let command = companion.command
        guard command.length >= 48 else {
            companion.preferences.scopeNameField = [UInt8](repeating: 0, count: 31)
            companion.preferences.scopeKey = [UInt8](repeating: 0, count: 16)
            companion.savePreferences()
            companion.ok()
            return true
        }
        let name = command.text(1, limit: 31)
        guard (1...30).contains(name.count) else {
            companion.error(.illegalArgument)
            return true
        }
        if !companion.quirks.leavesBytesBehindScopes {
            companion.preferences.scopeNameField = [UInt8](repeating: 0, count: 31)
        }
        companion.preferences.scopeNameField.replaceSubrange(0...name.count, with: name + [0])
        companion.preferences.scopeKey = command.slice(32, 16)
        companion.savePreferences()
        companion.ok()
        return true
    }
}
