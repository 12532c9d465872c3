internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SET_CHANNEL (companion-protocol §3.36): 16-byte secrets only.
    static let setChannel = CommandHandler(.setChannel) { companion in
        let command = companion.command
        guard command.length >= 50, command.length < 66 else { return false }
        guard companion.channels.indices.contains(Int(command[1])) else {
            companion.error(.notFound)
            return true
        }
        companion.channels[Int(command[1])] = Channel(
            name: Array(command.text(2, limit: 32).prefix(31)), secret: ChannelSecret(key16: command.slice(34, 16)))
        if !companion.isStorageFull {
            companion.flash.channels = companion.channels
            companion.flash.hasChannels = true
        }
        companion.ok()
        return true
    }
}
