internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// APP_START (companion-protocol §3.1): stops a running listing and answers SELF_INFO (§4.3).
    static let appStart = CommandHandler(.appStart) { companion in
        guard companion.command.length >= 8 else { return false }
        companion.command[companion.command.length] = 0
        companion.listing = nil
        let (node, preferences) = (companion.node, companion.preferences)
        companion.reply(.selfInfo) { out in
            out.u8(1)
            out.i8(preferences.transmitPower)
            out.i8(companion.board.maximumTransmitPower)
            out.append(node.publicKey.bytes)
            out.i32(preferences.position.latitude)
            out.i32(preferences.position.longitude)
            out.u8(preferences.multiAcks)
            out.u8(preferences.advertLocationPolicy)
            out.u8(preferences.telemetryModes)
            out.u8(preferences.manualAddContacts)
            out.u32(preferences.frequencyKHz)
            out.u32(preferences.bandwidthHz)
            out.u8(preferences.spreadingFactor)
            out.u8(preferences.codingRate)
            out.append(preferences.name)
        }
        return true
    }
}
