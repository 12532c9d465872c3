internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// A message that waits for the app, as the frame it will be fetched in.
struct QueuedMessage {
    var frame: [UInt8]
    /// The event that told of its arrival; nil for one that was there from the start.
    var cause: EventID?
}

/// Messages on their way to the app (companion-protocol §4.5, §6.5).
extension Companion {
    private static let channelCodes = [
        RadioCode.channelMessage.rawValue, RadioCode.channelMessageV3.rawValue, RadioCode.channelData.rawValue,
    ]

    /// How a packet came: its encoded path length, or 0xFF by direct route.
    private func arrival(_ held: HeldPacket) -> UInt8 { held.isFlood ? held.packet.pathLength.rawValue : 0xFF }

    private var usesV3: Bool { appVersion >= 3 && profile.protocolCode >= 3 }

    /// A direct text; `plain` begins with its timestamp, `extra` is the author's prefix of a room's post.
    func queueText(
        from contact: Contact, type: UInt8, _ plain: [UInt8], extra: [UInt8], _ text: [UInt8], _ held: HeldPacket
    ) {
        build(usesV3 ? .directMessageV3 : .directMessage) { out in
            if usesV3 {
                out.i8(held.snrQuarterDB)
                out.u16(0)
            }
            out.append(contact.key.prefix(6))
            out.u8(arrival(held))
            out.u8(type)
            out.append(plain[..<4])
            out.append(extra)
            out.append(cut(text, to: profile.maximumFrame - out.count))
        }
        let fields: Fields = [
            "from": FieldValue(String(decoding: contact.name, as: UTF8.self)),
            "text": FieldValue(String(decoding: text, as: UTF8.self)), "type": FieldValue(type),
        ]
        let isQueued = enqueueMessage(held, fields)
        if quirks.queuesTextsTwice { _ = enqueueMessage(held, fields) }
        announceMessage(isQueued)
    }

    func queueChannelText(channel: UInt8, _ plain: [UInt8], _ held: HeldPacket) {
        let text = Array(plain[5...].prefix { $0 != 0 })
        build(usesV3 ? .channelMessageV3 : .channelMessage) { out in
            if usesV3 {
                out.i8(held.snrQuarterDB)
                out.u16(0)
            }
            out.u8(channel)
            out.u8(arrival(held))
            out.u8(0)
            out.append(plain[..<4])
            out.append(cut(text, to: profile.maximumFrame - out.count))
        }
        announceMessage(
            enqueueMessage(
                held, ["channel": FieldValue(channel), "text": FieldValue(String(decoding: text, as: UTF8.self))]))
    }

    func queueChannelData(channel: UInt8, _ plain: [UInt8], _ held: HeldPacket) {
        // What would not fit a frame is dropped as if it had never come.
        guard Int(plain[2]) <= profile.maximumFrame - 9 else { return node.ignore(held, "too-long") }
        let data = plain[3...].prefix(Int(plain[2]))
        build(.channelData) { out in
            out.i8(held.snrQuarterDB)
            out.u16(0)
            out.u8(channel)
            out.u8(arrival(held))
            out.append(plain[..<3])
            out.append(data)
        }
        announceMessage(enqueueMessage(held, ["channel": FieldValue(channel), "data": .bytes(Array(data))]))
    }

    /// Appends the frame in the output buffer; a full queue gives up its oldest channel message, or the new one, which
    /// false reports.
    private func enqueueMessage(_ held: HeldPacket, _ fields: Fields) -> Bool {
        if offlineQueue.count >= min(board.offlineQueue, queueLimit ?? .max) {
            guard profile.evictsChannelMessages,
                let oldest = offlineQueue.firstIndex(where: { Self.channelCodes.contains($0.frame[0]) })
            else {
                node.post(
                    .queueDropped, packet: held.lineage,
                    fields.merging(["queue": "offline", "dropped": "newest"]))
                return false
            }
            let lost = offlineQueue.remove(at: oldest)
            node.post(
                .queueDropped, packet: held.lineage,
                ["queue": "offline", "dropped": "oldest-channel", "frame": .bytes(lost.frame)])
        }
        let queued = node.post(
            .messageQueued, packet: held.lineage, fields.merging(["waiting": FieldValue(offlineQueue.count + 1)]))
        offlineQueue.append(QueuedMessage(frame: out.frame, cause: queued))
        return true
    }

    private func announceMessage(_ isQueued: Bool) {
        if isAutonomous { fetchForItself() }
        guard host.isConnected, !quirks.losesMessageWaiting, isQueued || quirks.announcesDiscardedMessages else {
            return
        }
        write([RadioCode.messageWaiting.rawValue])
    }
}
