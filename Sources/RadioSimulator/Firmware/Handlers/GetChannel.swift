internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// GET_CHANNEL (companion-protocol §3.36, §4.6): behind the name's NUL stands what the buffer held.
    static let getChannel = CommandHandler(.getChannel) { companion in
        let command = companion.command
        guard command.length >= 2 else { return false }
        guard companion.channels.indices.contains(Int(command[1])) else {
            companion.error(.notFound)
            return true
        }
        let channel = companion.channels[Int(command[1])]
        companion.reply(.channelInfo) { out in
            out.u8(command[1])
            if companion.quirks.leavesBytesBehindNames {
                out.textField(channel.name, size: 32)
            } else {
                out.field(channel.name, size: 32)
            }
            out.append(channel.secret.key16)
        }
        return true
    }
}
