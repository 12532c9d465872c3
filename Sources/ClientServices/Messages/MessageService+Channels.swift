internal import ClientStore
internal import CompanionProtocol
internal import MeshTransport
public import RigBase
internal import RigRuntime
internal import RunRecord

extension MessageService {
    /// Stores a channel message and hands it to the radio, which puts the node's name in front. Returns once it is stored;
    /// the radio's OK makes it sent, which is the last word.
    ///
    /// Throws `channelUnknown`, `textTooLong` (over 147 bytes) or `store`.
    public func sendChannel(text: String, index: UInt8) async throws(ServiceError) -> MessageID {
        guard text.utf8.count <= TextLimits.channel else {
            throw .textTooLong(bytes: text.utf8.count, limit: TextLimits.channel)
        }
        let channel = try await storing { () throws(StoreError) in
            try await context.store.channel(index, radio: context.radioID)
        }
        guard let channel else { throw .channelUnknown(String(index)) }
        let now = context.runtime.wallSeconds()
        let row = StoredMessage(
            id: context.runtime.makeID("message"), radioID: context.radioID, conversation: .channel(index),
            direction: .outgoing, text: text, timestamp: now, createdAt: now, status: .pending,
            senderName: context.nodeName, isRead: true)
        try await storing { () throws(StoreError) in
            _ = try await context.store.insertMessage(row)
            try await context.store.touchChannel(index, radio: context.radioID, lastMessage: now)
        }
        let cause = context.post(
            .messageStored,
            [
                "id": .text(row.id.description), "direction": "outgoing", "channel": .text(channel.name),
                "text": .text(text), "timestamp": FieldValue(now),
            ])
        causes[row.id] = cause
        publish(row.id, .pending)
        context.runtime.spawn("\(context.subject): channel send \(row.id)") { [self] in
            await SeamCause.$current.withValue(cause) {
                await transmitChannel(row.id, text: text, timestamp: now, index: index)
            }
        }
        return row.id
    }

    private func transmitChannel(_ id: MessageID, text: String, timestamp: UInt32, index: UInt8) async {
        var onAir = text
        if context.runtime.defects.contains(.channelNameDoubled) { onAir = "\(context.nodeName): \(text)" }
        var random = context.runtime.random.fork("pool back-off", id.description)
        var tries = 0
        while true {
            do throws(RadioFailure) {
                try await context.session.sendChannel(onAir, timestamp: timestamp, index: index)
                return await end(id, .sent, reason: nil)
            } catch {
                // A full packet pool answers a channel text with NOT_FOUND (companion-protocol §11).
                guard error == .device(.notFound), tries < 3 else {
                    return await end(id, .failed, reason: error.description)
                }
                let base = Duration.milliseconds(500) * (1 << tries)
                tries += 1
                let pause = random.duration(in: base * 8 / 10...base * 12 / 10)
                guard (try? await context.runtime.sleep(for: pause)) != nil else { return }
            }
        }
    }

    private func end(_ id: MessageID, _ status: MessageStatus, reason: String?) async {
        do {
            guard try await context.store.setStatusUnlessDelivered(id, status) else { return }
            publish(id, status, reason: reason)
        } catch {
            context.warn("the status of a channel message could not be stored: \(error)")
        }
    }
}
