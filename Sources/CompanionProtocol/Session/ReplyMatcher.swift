/// Which frame answers a command, given that the wire carries no request id (client-stack §1.4.4).
public enum ReplyMatcher: Sendable, Hashable {
    /// OK without a value: an OK with 4 bytes behind it belongs to no setter.
    case ok
    /// A frame of one of these codes; OK only without a value.
    case codes([RadioCode])
    /// SELF_INFO of the handshake: an ERR, which may be left over from a half frame on the line, does not end it.
    case handshake
    /// CONTACT with this key; an ERR means there is none.
    case contact(key: [UInt8])
    /// CHANNEL_INFO of this slot.
    case channel(UInt8)
    /// STATS of this kind.
    case statistics(StatisticsKind)
    /// An advert packet that holds this key, or any when nil.
    case exportedContact(key: [UInt8]?)
    /// The push with the radio's own telemetry.
    case selfTelemetry(prefix: [UInt8])

    /// What a frame is to the command that waits.
    enum Verdict: Sendable, Hashable {
        case answer
        case failure(DeviceErrorCode)
        case absence
        /// Another frame of the wanted code, or one that could not be read.
        case malformed(FrameDefect)
        case unrelated
    }

    func judge(_ frame: RadioFrame) -> Verdict {
        if case .error(let reply) = frame {
            switch self {
            case .handshake: return .unrelated
            case .contact: return .absence
            default: return .failure(reply.errorCode)
            }
        }
        if case .malformed(let code, _, let defect) = frame {
            return wanted.contains(code) ? .malformed(defect) : .unrelated
        }
        return accepts(frame) ? .answer : .unrelated
    }

    /// Codes that an answer may have.
    private var wanted: [RadioCode] {
        switch self {
        case .ok: [.ok]
        case .codes(let codes): codes
        case .handshake: [.selfInfo]
        case .contact: [.contact]
        case .channel: [.channelInfo]
        case .statistics: [.statistics]
        case .exportedContact: [.exportedContact]
        case .selfTelemetry: []
        }
    }

    private func accepts(_ frame: RadioFrame) -> Bool {
        switch (self, frame) {
        case (.ok, .ok(let reply)): return reply.value == nil
        case (.codes(let codes), .ok(let reply)): return codes.contains(.ok) && reply.value == nil
        case (.codes(let codes), _): return frame.code.map(codes.contains) ?? false
        case (.handshake, .selfInfo): return true
        case (.contact(let key), .contact(let reply)): return reply.contact.key == key
        case (.channel(let index), .channelInfo(let reply)): return reply.index == index
        case (.statistics(let kind), .statistics(let reply)): return reply.kind == kind
        case (.exportedContact(let key), .exportedContact(let reply)):
            guard let key, !key.isEmpty else { return true }
            return reply.packet.indices.contains { reply.packet[$0...].starts(with: key) }
        case (.selfTelemetry(let prefix), .telemetryResponse(let push)): return push.nodePrefix == prefix
        default: return false
        }
    }
}
