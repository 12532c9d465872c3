internal import CompanionProtocol

extension CommandHandler {
    /// SET_ADVERT_LATLON (companion-protocol §3.17).
    static let setAdvertPosition = CommandHandler(.setAdvertPosition) { companion in
        let command = companion.command
        guard command.length >= 9 else { return false }
        let position = Position(latitude: command.i32(1), longitude: command.i32(5))
        guard (-90_000_000...90_000_000).contains(position.latitude),
            (-180_000_000...180_000_000).contains(position.longitude)
        else {
            companion.error(.illegalArgument)
            return true
        }
        companion.preferences.position = position
        companion.savePreferences()
        companion.ok()
        return true
    }
}
