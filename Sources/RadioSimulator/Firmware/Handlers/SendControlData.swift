internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_CONTROL_DATA (companion-protocol §3.44): to direct neighbours only.
    static let sendControlData = CommandHandler(.sendControlData) { companion in
        let command = companion.command
        guard command.length >= 2, command[1] & 0x80 != 0 else { return false }
        guard let packet = companion.node.makePacket(.control, payload: command.rest(1)) else {
            companion.error(.tableFull)
            return true
        }
        companion.node.sendZeroHop(packet)
        companion.ok()
        return true
    }
}
