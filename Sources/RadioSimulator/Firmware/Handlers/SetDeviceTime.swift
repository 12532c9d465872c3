internal import CompanionProtocol

extension CommandHandler {
    /// SET_DEVICE_TIME (companion-protocol §3.14): only forward; the running second starts anew.
    static let setDeviceTime = CommandHandler(.setDeviceTime) { companion in
        let command = companion.command
        guard command.length >= 5 else { return false }
        let (node, time) = (companion.node, command.u32(1))
        guard time >= node.seconds() || companion.profile.quirks.acceptsEarlierTime else {
            companion.error(.illegalArgument)
            return true
        }
        node.clock.set(time, at: node.now)
        companion.ok()
        return true
    }
}
