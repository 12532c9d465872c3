internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_CHANNEL_DATA (companion-protocol §3.5); checks in the order given there.
    static let sendChannelData = CommandHandler(.sendChannelData) { companion in
        let command = companion.command
        guard command.length >= 4 else {
            companion.error(.illegalArgument)
            return true
        }
        let length = PathLength(rawValue: command[2])
        guard length == .none || length.isValid else {
            companion.error(.illegalArgument)
            return true
        }
        let pathBytes = length == .none ? 0 : length.byteCount
        let type = command.u16(3 + pathBytes)
        let data = command.rest(5 + pathBytes)
        if !companion.mayUse(channel: command[1]) {
            companion.error(.notFound)
        } else if type == 0 || data.count > 167 {
            companion.error(.illegalArgument)
        } else if data.count > 165 {
            companion.error(.tableFull)
        } else {
            let plain = command.slice(3 + pathBytes, 2) + [UInt8(data.count)] + data
            companion.sendToChannel(
                .groupData, Int(command[1]), plain, failure: .tableFull, length: length,
                path: command.slice(3, pathBytes))
        }
        return true
    }
}
