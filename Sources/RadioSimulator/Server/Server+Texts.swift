internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// Commands and posts that come as texts (remote-nodes §3.2, §4.1).
extension Server {
    func receivedText(from peer: Int, _ plain: [UInt8], _ held: HeldPacket) {
        guard let text = TextMessage(opened: plain), text.type == .plain || text.type == .commandLine else {
            return node.ignore(held, "text-type-not-handled")
        }
        guard kind == .room || table.clients[peer].isAdmin else { return node.ignore(held, "not-admin") }
        let last = table.clients[peer].lastTimestamp
        guard kind == .sensor ? text.timestamp > last : text.timestamp >= last else {
            return node.ignore(held, "replay")
        }
        if kind == .sensor, text.type == .plain { return node.ignore(held, "text-type-not-handled") }
        if kind == .room {
            receivedRoomText(text, isRetry: text.timestamp == last, from: peer, held)
        } else {
            receivedCommand(text, isRetry: text.timestamp == last, from: peer, held)
        }
    }

    private func receivedCommand(_ text: TextMessage, isRetry: Bool, from peer: Int, _ held: HeldPacket) {
        accept(text.timestamp, from: peer)
        if text.type == .plain { acknowledge(text, to: table.clients[peer], held, doubling: false) }
        guard !isRetry else { return }
        let client = table.clients[peer]
        let reply = run(command: Self.string(text.text), from: .mesh(time: text.timestamp))
        guard !reply.isEmpty else { return }
        sendReply(reply, at: node.uniqueSeconds(), to: text, client, held, delay: kind == .sensor ? 1_000 : 600)
    }

    private func receivedRoomText(_ text: TextMessage, isRetry: Bool, from peer: Int, _ held: HeldPacket) {
        let now = node.uniqueSeconds()
        table.clients[peer].lastTimestamp = text.timestamp
        table.clients[peer].lastActivity = now
        table.clients[peer].pushFailures = 0
        let client = table.clients[peer]
        if text.type == .commandLine {
            guard client.isAdmin, !isRetry else { return node.ignore(held, "command-not-run") }
            let reply = run(command: Self.string(text.text), from: .mesh(time: text.timestamp))
            if !reply.isEmpty { sendReply(reply, at: now, to: text, client, held, delay: 300) }
            return
        }
        guard client.role != 0 else { return node.ignore(held, "read-only") }
        if !isRetry { store(text.text, by: client.key) }
        acknowledge(text, to: client, held, doubling: true)
    }

    private func sendReply(
        _ reply: String, at time: UInt32, to command: TextMessage, _ client: ServerClient, _ held: HeldPacket,
        delay: Int64
    ) {
        let answer = TextMessage(
            timestamp: time == command.timestamp ? time &+ 1 : time, type: .commandLine,
            text: Array(reply.consoleBytes.prefix(160)))
        guard
            let packet = node.makeDatagram(
                .textMessage, to: client.key, secret: client.secret, plain: answer.plaintext)
        else { return }
        send(packet, to: client, answering: held.packet, delay: delay)
    }

    /// A bare ACK of four bytes, never a PATH; `doubling` lets a direct one come twice if the setting says so.
    private func acknowledge(_ text: TextMessage, to client: ServerClient, _ held: HeldPacket, doubling: Bool) {
        let ack = text.ackHash(key: client.key).bytes
        if doubling, client.pathLength != .none {
            return node.sendAck(ack, length: client.pathLength, path: client.path, scope: nil, delay: 200)
        }
        guard let packet = node.makePacket(.ack, payload: ack) else { return }
        send(packet, to: client, answering: held.packet, delay: 200)
    }

    /// Bytes as the console handles them: each a character of its own, so that none is lost (`consoleBytes` is the way back).
    static func string(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }
}

extension StringProtocol {
    /// The bytes of text made by `Server.string`.
    var consoleBytes: [UInt8] { unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    /// What these bytes are as UTF-8, for people.
    var consoleText: String { String(decoding: consoleBytes, as: UTF8.self) }
}
