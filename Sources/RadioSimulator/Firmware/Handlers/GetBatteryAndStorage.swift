internal import CompanionProtocol
internal import RigBase

extension CommandHandler {
    /// GET_BATT_AND_STORAGE (companion-protocol §3.25).
    static let getBatteryAndStorage = CommandHandler(.getBatteryAndStorage) { companion in
        let (battery, total) = (companion.battery, companion.board.storageTotal)
        let used = companion.isStorageFull ? total : companion.flash.usedStorage
        companion.writeSmall(.batteryAndStorage) { writer in
            writer.u16(battery)
            guard companion.profile.protocolCode >= 6 else { return }
            writer.u32(used)
            writer.u32(total)
        }
        return true
    }
}
