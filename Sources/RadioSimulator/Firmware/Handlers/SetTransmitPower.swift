internal import CompanionProtocol

extension CommandHandler {
    /// SET_RADIO_TX_POWER (companion-protocol §3.19).
    static let setTransmitPower = CommandHandler(.setTransmitPower) { companion in
        let power = Int8(bitPattern: companion.command[1])
        guard power >= -9, power <= companion.board.maximumTransmitPower else {
            companion.error(.illegalArgument)
            return true
        }
        companion.preferences.transmitPower = power
        companion.savePreferences()
        companion.ok()
        return true
    }
}
