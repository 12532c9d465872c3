internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_RAW_DATA (companion-protocol §3.27): the byte count of the path also serves as its encoded length.
    static let sendRawData = CommandHandler(.sendRawData) { companion in
        let command = companion.command
        guard command.length >= 6 else { return false }
        let count = Int(Int8(bitPattern: command[1]))
        guard count >= 0, 2 + count + 4 <= command.length else { return false }
        guard let packet = companion.node.makePacket(.rawCustom, payload: command.rest(2 + count)) else {
            companion.error(.tableFull)
            return true
        }
        companion.node.sendDirect(packet, length: PathLength(rawValue: command[1]), path: command.slice(2, count))
        companion.ok()
        return true
    }
}
