/// Names an exchange between its beginning and its end; given by whoever drives the machine, never reused.
public struct ExchangeID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (left: ExchangeID, right: ExchangeID) -> Bool { left.number < right.number }
    public var description: String { "exchange \(number)" }
}

/// A command and what counts as its answer.
public enum Exchange: Sendable, Hashable {
    /// One frame out, one frame in.
    case single(frame: [UInt8], ReplyMatcher, timeout: Duration)
    /// A contact listing: START, CONTACT…, END.
    case contacts(frame: [UInt8], ContactLimits)
    /// Several channel slots, asked for without waiting for each reply.
    case channels(indices: [UInt8], ChannelLimits)
    /// A request to another node: SENT, then the node's answer as a push, asked for again and again.
    case request(frame: [UInt8], NodeAnswer, RequestLimits)
    /// A frame that is never answered; it needs no slot.
    case unanswered(frame: [UInt8])

    /// Limits of a contact listing.
    public struct ContactLimits: Sendable, Hashable {
        /// Longest time without a frame of the listing.
        public var idle: Duration
        public var hard: Duration
        public init(idle: Duration = .seconds(15), hard: Duration = .seconds(180)) {
            self.idle = idle
            self.hard = hard
        }
    }

    /// Limits of pipelined channel reads.
    public struct ChannelLimits: Sendable, Hashable {
        /// Requests that may be unanswered at a time.
        public var window: Int
        /// Longest time without a new reply.
        public var idle: Duration
        public var hard: Duration
        /// How long the slot is kept for stragglers once everything is there.
        public var tail: Duration
        public init(
            window: Int = 8, idle: Duration = .milliseconds(1_500), hard: Duration = .seconds(30),
            tail: Duration = .milliseconds(50)
        ) {
            self.window = window
            self.idle = idle
            self.hard = hard
            self.tail = tail
        }
    }

    /// Limits of a request to another node.
    public struct RequestLimits: Sendable, Hashable {
        public var total: Duration
        /// Shortest time between two sends of the frame; nil sends it once.
        public var retransmitFloor: Duration?
        /// The radio's suggested timeout is multiplied by this.
        public var headroom: Int
        /// How long a reply that is still owed is waited for once the request is over.
        public var replyTimeout: Duration
        public init(
            total: Duration = .seconds(40), retransmitFloor: Duration? = .seconds(1), headroom: Int = 2,
            replyTimeout: Duration = .seconds(5)
        ) {
            self.total = total
            self.retransmitFloor = retransmitFloor
            self.headroom = headroom
            self.replyTimeout = replyTimeout
        }
    }

    /// Which push answers a request.
    public enum NodeAnswer: Sendable, Hashable {
        /// BINARY_RESPONSE with the tag of the newest SENT.
        case tagged
        /// STATUS_RESPONSE of this node, or a tagged binary response.
        case status(prefix: [UInt8])
        /// TELEMETRY_RESPONSE of this node, or a tagged binary response.
        case telemetry(prefix: [UInt8])
        /// PATH_DISCOVERY_RESPONSE of this node.
        case pathDiscovery(prefix: [UInt8])
        /// TRACE_DATA with this tag.
        case trace(tag: UInt32)
        /// LOGIN_SUCCESS of this node; LOGIN_FAIL of it ends the request too.
        case login(prefix: [UInt8])

        func accepts(_ frame: RadioFrame, newestTag: [UInt8]?) -> Bool {
            switch (self, frame) {
            case (.tagged, .binaryResponse(let push)), (.status, .binaryResponse(let push)),
                (.telemetry, .binaryResponse(let push)):
                return push.tag == newestTag
            case (.status(let prefix), .statusResponse(let push)): return push.serverPrefix == prefix
            case (.telemetry(let prefix), .telemetryResponse(let push)): return push.nodePrefix == prefix
            case (.pathDiscovery(let prefix), .pathDiscoveryResponse(let push)): return push.nodePrefix == prefix
            case (.trace(let tag), .traceData(let push)): return push.tag == tag
            case (.login(let prefix), .loginSucceeded(let push)): return push.serverPrefix == prefix
            case (.login(let prefix), .loginFailed(let push)): return push.serverPrefix == prefix
            default: return false
            }
        }
    }

    /// How an exchange ended.
    public enum Outcome: Sendable, Hashable {
        case reply(RadioFrame)
        /// A lookup found nothing.
        case absent
        case contacts([ContactRecord], lastModified: UInt32?)
        /// Both in the order of the indices.
        case channels(received: [ChannelInfoReply], missing: [UInt8])
        /// The frame was handed to the link and nothing more is expected.
        case written
        case failed(DeviceErrorCode)
        case malformed(FrameDefect)
        case timedOut
        case cancelled
        /// The link took the frame's bytes only in part, or not at all.
        case notWritten
        case linkLost
    }
}
