public import CompanionProtocol

/// Something a session tells its listeners.
public enum MeshEvent: Sendable, Hashable {
    /// A frame came, whether or not an operation waits for it.
    case frame(RadioFrame)
    /// Bytes came that are no known frame.
    case parseFailure(bytes: [UInt8], reason: String)
    case connectionChanged(SessionState)

    init(_ frame: RadioFrame) {
        switch frame {
        case .malformed(_, let bytes, let defect): self = .parseFailure(bytes: bytes, reason: defect.description)
        case .unknown(let bytes): self = .parseFailure(bytes: bytes, reason: "unknown code")
        default: self = .frame(frame)
        }
    }
}

/// Chooses events; applied before an event enters a listener's buffer.
public struct EventFilter: Sendable {
    private let matches: @Sendable (MeshEvent) -> Bool

    public init(_ matches: @escaping @Sendable (MeshEvent) -> Bool) { self.matches = matches }

    public func accepts(_ event: MeshEvent) -> Bool { matches(event) }

    public static let all = EventFilter { _ in true }
    public static let connection = EventFilter { if case .connectionChanged = $0 { true } else { false } }
    public static let parseFailures = EventFilter { if case .parseFailure = $0 { true } else { false } }

    /// Frames that `matches` takes.
    public static func frames(_ matches: @escaping @Sendable (RadioFrame) -> Bool) -> EventFilter {
        EventFilter { if case .frame(let frame) = $0 { matches(frame) } else { false } }
    }

    /// Frames with one of the codes.
    public static func codes(_ codes: RadioCode...) -> EventFilter {
        frames { frame in frame.code.map(codes.contains) ?? false }
    }

    /// Confirmations of sent texts, all or those with this code.
    public static func confirmation(tag: [UInt8]? = nil) -> EventFilter {
        frames { if case .sendConfirmed(let push) = $0 { tag == nil || push.tag == tag } else { false } }
    }

    /// Direct messages, all or those of this sender.
    public static func directMessage(from prefix: [UInt8]? = nil) -> EventFilter {
        frames {
            if case .directMessage(let reply) = $0 { prefix == nil || reply.senderPrefix == prefix } else { false }
        }
    }

    /// Channel messages, all or those of this channel.
    public static func channelMessage(index: UInt8? = nil) -> EventFilter {
        frames { if case .channelMessage(let reply) = $0 { index == nil || reply.channel == index } else { false } }
    }

    public static let messageWaiting = codes(.messageWaiting)
    public static let receivedPackets = codes(.receivedPacketLog)
    /// All that tells of a change of the radio's contacts.
    public static let contactChanges = codes(.advert, .pathUpdated, .newAdvert, .contactDeleted, .contactsFull)

    /// Adverts of a stored contact, all or of this one.
    public static func advert(key: [UInt8]? = nil) -> EventFilter {
        frames { if case .advert(let push) = $0 { key == nil || push.key == key } else { false } }
    }

    public static func pathUpdated(prefix: [UInt8]) -> EventFilter {
        frames { if case .pathUpdated(let push) = $0 { push.key.starts(with: prefix) } else { false } }
    }

    /// The outcome of a login at that node; a failure that names nobody counts for everybody.
    public static func login(prefix: [UInt8]) -> EventFilter {
        frames {
            switch $0 {
            case .loginSucceeded(let push): push.serverPrefix == prefix
            case .loginFailed(let push): push.serverPrefix == nil || push.serverPrefix == prefix
            default: false
            }
        }
    }

    public static func && (left: EventFilter, right: EventFilter) -> EventFilter {
        EventFilter { left.accepts($0) && right.accepts($0) }
    }
    public static func || (left: EventFilter, right: EventFilter) -> EventFilter {
        EventFilter { left.accepts($0) || right.accepts($0) }
    }
    public static prefix func ! (filter: EventFilter) -> EventFilter { EventFilter { !filter.accepts($0) } }
}
