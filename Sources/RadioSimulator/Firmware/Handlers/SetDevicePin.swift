internal import CompanionProtocol

extension CommandHandler {
    /// SET_DEVICE_PIN (companion-protocol §3.38).
    static let setDevicePin = CommandHandler(.setDevicePin) { companion in
        let command = companion.command
        guard command.length >= 5 else { return false }
        let pin = command.u32(1)
        guard pin == 0 || (100_000...999_999).contains(pin) else {
            companion.error(.illegalArgument)
            return true
        }
        companion.preferences.pin = pin
        companion.savePreferences()
        companion.ok()
        return true
    }
}
