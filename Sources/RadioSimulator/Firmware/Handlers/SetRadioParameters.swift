internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SET_RADIO_PARAMS (companion-protocol §3.18): applied at once; without byte 11 client repeat ends.
    static let setRadioParameters = CommandHandler(.setRadioParameters) { companion in
        let command = companion.command
        let frequency = command.u32(1)
        let mayRepeat = Companion.repeatFrequencies.contains { $0.contains(frequency) }
        let keepsRepeat = !companion.quirks.endsRepeatWithoutByte && companion.preferences.clientRepeat && mayRepeat
        let wantsRepeat = command.length > 11 ? command[11] != 0 : keepsRepeat
        guard !wantsRepeat || mayRepeat,
            let radio = RadioParameters(
                checkingKHz: frequency, bandwidthHz: command.u32(5), spreadingFactor: command[9],
                codingRate: command[10])
        else {
            companion.error(.illegalArgument)
            return true
        }
        companion.preferences.setRadio(radio)
        companion.preferences.clientRepeat = wantsRepeat
        companion.node.radio = companion.preferences.radio
        companion.savePreferences()
        companion.ok()
        return true
    }
}
