internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SEND_CHANNEL_TXT_MSG (companion-protocol §3.4). Shorter than its header it crashes the firmware.
    static let sendChannelText = CommandHandler(.sendChannelText) { companion in
        let command = companion.command
        guard command[1] == 0 else { return false }
        guard companion.mayUse(channel: command[2]) else {
            companion.error(.notFound)
            return true
        }
        guard command.length >= 7 else {
            guard companion.profile.quirks.shortChannelTextCrashes else { return false }
            companion.node.crash(
                "a channel text command of \(command.length) bytes, shorter than its header of 7, ran over its buffer")
            return true
        }
        let prefix = companion.preferences.name + Array(": ".utf8)
        let text = companion.cut(prefix + command.rest(7), to: 160)
        let plain = command.slice(3, 4) + [0] + text
        let failure: DeviceErrorCode = companion.quirks.callsChannelFailuresNotFound ? .notFound : .tableFull
        companion.sendToChannel(.groupText, Int(command[2]), plain, failure: failure)
        return true
    }
}

extension Companion {
    /// Whether there is such a slot; the firmware does not ask whether anybody has set it.
    func mayUse(channel index: UInt8) -> Bool {
        channels.indices.contains(Int(index)) && (quirks.usesUnsetChannels || !channels[Int(index)].isUnset)
    }

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
