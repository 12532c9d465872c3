internal import CompanionProtocol
internal import MeshProtocol
internal import RigCrypto

extension CommandHandler {
    /// SEND_TXT_MSG (companion-protocol §3.3, §6.4).
    static let sendText = CommandHandler(.sendText) { companion in
        let command = companion.command
        guard command.length >= 14 else { return false }
        guard let index = companion.contactIndex(prefix: command.slice(7, 6)) else {
            companion.error(.notFound)
            return true
        }
        let type = command[1]
        guard type <= 1 else { return false }
        companion.command[command.length] = 0
        let text = Array(command.rest(13).prefix { $0 != 0 })
        let (node, attempt) = (companion.node, command[2])
        let timestamp = type == 0 ? command.u32(3) : node.uniqueSeconds()
        var plain = companion.tagBytes(timestamp) + [attempt & 3 | type << 2] + text
        var ack: [UInt8] = [0, 0, 0, 0]
        if type == 0 {
            ack = Array(Digest.sha256(plain + node.publicKey.bytes)[..<4])
            if attempt > 3 { plain += [0, attempt] }
        }
        guard text.count <= (type == 0 && attempt > 3 ? 158 : 160) else {
            companion.error(companion.quirks.callsLongTextsTableFull ? .tableFull : .illegalArgument)
            return true
        }
        guard
            let packet = node.makeDatagram(
                .textMessage, to: companion.contacts[index].key, secret: companion.secret(at: index), plain: plain)
        else {
            companion.error(.tableFull)
            return true
        }
        let (flood, timeout) = companion.sendToContact(packet, companion.contacts[index])
        if ack != [0, 0, 0, 0] {
            companion.expectedAcks.add(ack, at: node.uptime, contact: companion.contacts[index].key)
        }
        companion.sent(flood: flood, tag: ack, timeout: timeout)
        return true
    }
}
