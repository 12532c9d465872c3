internal import CompanionProtocol

extension CommandHandler {
    /// SET_CUSTOM_VAR (companion-protocol §3.39): name and value apart at the first colon.
    static let setCustomVariable = CommandHandler(.setCustomVariable) { companion in
        let command = companion.command
        guard command.length >= 4 else { return false }
        companion.command[command.length] = 0
        let text = Array(command.rest(1).prefix { $0 != 0 })
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
            companion.error(.illegalArgument)
            return true
        }
        companion.command[1 + colon] = 0
        let accepted = companion.setVariable(Array(text[..<colon]), to: Array(text[(colon + 1)...]))
        if accepted { companion.ok() } else { companion.error(.illegalArgument) }
        return true
    }
}

extension Companion {
    /// Sets a custom variable; false for a name that is not known.
    fileprivate func setVariable(_ name: [UInt8], to value: [UInt8]) -> Bool {
        guard board.supportsGPS else { return false }
        switch String(decoding: name, as: UTF8.self) {
        case "gps" where board.hasGPS:
            isGPSOn = value != [UInt8(ascii: "0")]
            preferences.gpsEnabled = value.first == UInt8(ascii: "1")
            savePreferences()
        case "gps_interval":
            preferences.gpsInterval = min(86_400, Self.leadingNumber(value))
            savePreferences()
        default: return false
        }
        return true
    }

    /// The digits a text begins with, as a number; 0 without any or for a negative one.
    private static func leadingNumber(_ text: [UInt8]) -> UInt32 {
        var number: UInt64 = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
            number = min(number * 10 + UInt64(byte - UInt8(ascii: "0")), UInt64(UInt32.max))
        }
        return UInt32(number)
    }
}
