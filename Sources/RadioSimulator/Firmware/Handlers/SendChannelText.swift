internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_CHANNEL_TXT_MSG (companion-protocol §3.4). Shorter than its header it crashes the firmware.
    static let sendChannelText = CommandHandler(.sendChannelText) { companion in
        let command = companion.command
        guard command[1] == 0 else { return false }
        guard companion.channels.indices.contains(Int(command[2])) else {
            companion.error(.notFound)
            return true
        }
        guard command.length >= 7 else {
            guard companion.profile.quirks.shortChannelTextCrashes else { return false }
            companion.node.restart = .crash
            return true
        }
        let prefix = companion.preferences.name + Array(": ".utf8)
        let text = (prefix + command.rest(7)).prefix(max(prefix.count, 160))
        let plain = command.slice(3, 4) + [0] + text
        companion.sendToChannel(.groupText, Int(command[2]), plain, failure: .notFound)
        return true
    }
}

extension Companion {
    /// Seals for a channel and floods; answers OK or, without a buffer, the given error.
    func sendToChannel(
        _ type: PayloadType, _ index: Int, _ plain: [UInt8], failure: DeviceErrorCode,
        length: PathLength = .none, path: [UInt8] = []
    ) {
        let secret = channels[index].secret
        guard let packet = node.makePacket(type, payload: [secret.hash] + secret.seal(plain)) else {
            return error(failure)
        }
        if length == .none {
            node.sendFlood(packet, scope: floodScope)
        } else {
            node.sendDirect(packet, length: length, path: path)
        }
        ok()
    }
}
