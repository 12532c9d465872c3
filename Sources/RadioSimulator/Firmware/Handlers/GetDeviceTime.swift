internal import CompanionProtocol
internal import RigBase

extension CommandHandler {
    /// GET_DEVICE_TIME (companion-protocol §3.14).
    static let getDeviceTime = CommandHandler(.getDeviceTime) { companion in
        let time = companion.node.seconds()
        companion.writeSmall(.deviceTime) { $0.u32(time) }
        return true
    }
}
