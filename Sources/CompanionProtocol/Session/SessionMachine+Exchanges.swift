internal import RigBase

/// One frame out, one frame in.
struct SingleExchange: Sendable {
    let matcher: ReplyMatcher
    let timeout: Duration
    let deadline: SimInstant

    func outcome(of frame: RadioFrame) -> Exchange.Outcome? {
        switch matcher.judge(frame) {
        case .answer: .reply(frame)
        case .failure(let code): .failed(code)
        case .absence: .absent
        case .malformed(let defect): .malformed(defect)
        case .unrelated: nil
        }
    }
}

/// A contact listing: each of its frames is progress and moves the idle limit.
struct ContactListing: Sendable {
    private enum Phase: Sendable {
        /// START has not come; CONTACT and END are left over from an earlier listing and do not count.
        case awaitingStart
        /// START has come.
        case listing
    }

    let limits: Exchange.ContactLimits
    private let end: SimInstant
    private var idleEnd: SimInstant
    private var phase = Phase.awaitingStart
    private var contacts: [ContactRecord] = []

    init(_ limits: Exchange.ContactLimits, _ now: SimInstant) {
        self.limits = limits
        end = now.advanced(by: limits.hard)
        idleEnd = now.advanced(by: limits.idle)
    }

    var deadline: SimInstant { min(idleEnd, end) }

    mutating func take(_ frame: RadioFrame, _ now: SimInstant) -> Exchange.Outcome? {
        switch (frame, phase) {
        case (.error(let reply), _): return .failed(reply.errorCode)
        case (.contactsStart, _):
            phase = .listing
            contacts = []
        case (.contact(let reply), .listing): contacts.append(reply.contact)
        // One contact that cannot be read is reported, and the listing goes on.
        case (.malformed(.contact, _, _), .listing): break
        case (.contactsEnd(let reply), .listing): return .contacts(contacts, lastModified: reply.lastModified)
        default: return nil
        }
        idleEnd = now.advanced(by: limits.idle)
        return nil
    }
}

/// Channel reads with several requests out at once; replies are told apart by their slot number.
struct ChannelPipeline: Sendable {
    private let limits: Exchange.ChannelLimits
    private let indices: [UInt8]
    private let end: SimInstant
    private var idleEnd: SimInstant
    /// Position in `indices` of the next request.
    private var next = 0
    /// Slots asked for and not answered, oldest first.
    private var open: [UInt8] = []
    private var received: [ChannelInfoReply] = []

    init(_ indices: [UInt8], _ limits: Exchange.ChannelLimits, _ now: SimInstant) {
        var unique: [UInt8] = []
        for index in indices where !unique.contains(index) { unique.append(index) }
        self.indices = unique
        self.limits = limits
        end = now.advanced(by: limits.hard)
        idleEnd = now.advanced(by: limits.idle)
    }

    var deadline: SimInstant { min(idleEnd, end) }
    var idle: Duration { limits.idle }
    var outstanding: Int { open.count }
    var hasReplies: Bool { !received.isEmpty }

    var outcome: Exchange.Outcome {
        let found = indices.compactMap { index in received.first { $0.index == index } }
        return .channels(received: found, missing: indices.filter { index in !found.contains { $0.index == index } })
    }

    /// The requests the window has room for.
    mutating func refill() -> [[UInt8]] {
        var frames: [[UInt8]] = []
        while open.count < limits.window, next < indices.count {
            open.append(indices[next])
            frames.append(GetChannelCommand(index: indices[next]).encoded)
            next += 1
        }
        return frames
    }

    mutating func stopAsking() { next = indices.count }

    /// Takes a reply and gives the requests it makes room for.
    ///
    /// An ERR names no slot; replies come in the order of the requests, so it answers the oldest one. Should that one be
    /// answered after all, the answer counts.
    mutating func take(_ frame: RadioFrame, _ now: SimInstant) -> [[UInt8]] {
        switch frame {
        case .channelInfo(let reply):
            guard indices.contains(reply.index), !received.contains(where: { $0.index == reply.index }) else {
                return []
            }
            received.append(reply)
            open.removeAll { $0 == reply.index }
        case .error, .malformed(.channelInfo, _, _):
            guard !open.isEmpty else { return [] }
            open.removeFirst()
        default: return []
        }
        let frames = refill()
        let isDone = open.isEmpty && next == indices.count
        idleEnd = now.advanced(by: isDone ? limits.tail : limits.idle)
        return frames
    }
}

/// A request to another node: each SENT brings a new tag, and only the newest counts.
struct NodeRequest: Sendable {
    let limits: Exchange.RequestLimits
    private let frame: [UInt8]
    private let answer: Exchange.NodeAnswer
    let deadline: SimInstant
    private var lastWrite: SimInstant
    private var tag: [UInt8]?
    private var interval: Duration?
    /// Frames written and not yet answered by SENT or ERR.
    private(set) var owedReplies = 1

    init(_ frame: [UInt8], _ answer: Exchange.NodeAnswer, _ limits: Exchange.RequestLimits, _ now: SimInstant) {
        self.frame = frame
        self.answer = answer
        self.limits = limits
        deadline = now.advanced(by: limits.total)
        lastWrite = now
    }

    /// Whether the radio has sent the request at least once.
    var wasAccepted: Bool { tag != nil }
    var nextRepetition: SimInstant? { interval.map { lastWrite.advanced(by: $0) } }

    mutating func take(_ frame: RadioFrame, _ now: SimInstant) -> Exchange.Outcome? {
        if answer.accepts(frame, newestTag: tag) { return .reply(frame) }
        switch frame {
        case .sent(let reply):
            owedReplies = max(0, owedReplies - 1)
            tag = reply.tag
            if let floor = limits.retransmitFloor {
                interval = max(floor, .milliseconds(Int64(reply.suggestedTimeoutMillis)) * limits.headroom)
            }
        case .error(let reply):
            owedReplies = max(0, owedReplies - 1)
            // Once the request is on its way, a repetition that the radio refuses does not end it.
            if tag == nil { return .failed(reply.errorCode) }
        default: break
        }
        return nil
    }

    mutating func repeated(_ now: SimInstant) -> [UInt8] {
        lastWrite = now
        owedReplies += 1
        return frame
    }

    mutating func repetitionFailed() { owedReplies = max(0, owedReplies - 1) }
}

/// What a radio still owes after an exchange is over.
struct Drain: Sendable {
    private enum Owed: Sendable {
        case replies(ReplyMatcher, Int)
        /// A listing that goes on; each CONTACT moves the limit, up to `end`.
        case listing(idle: Duration, end: SimInstant)
    }

    private var owed: Owed
    private(set) var deadline: SimInstant

    /// Nil when nothing is owed.
    init?(_ matcher: ReplyMatcher, replies: Int, until deadline: SimInstant) {
        guard replies > 0 else { return nil }
        owed = .replies(matcher, replies)
        self.deadline = deadline
    }

    init(listing: ContactListing, _ now: SimInstant) {
        owed = .listing(idle: listing.limits.idle, end: now.advanced(by: listing.limits.hard))
        deadline = now.advanced(by: listing.limits.idle)
    }

    /// Takes a frame; true when nothing is owed any more.
    mutating func take(_ frame: RadioFrame, _ now: SimInstant) -> Bool {
        switch owed {
        case .replies(let matcher, let count):
            guard matcher.judge(frame) != .unrelated else { return false }
            owed = .replies(matcher, count - 1)
            return count == 1
        case .listing(let idle, let end):
            switch frame {
            case .contactsEnd, .error: return true
            case .contactsStart, .contact:
                deadline = min(now.advanced(by: idle), end)
                return false
            default: return false
            }
        }
    }
}
