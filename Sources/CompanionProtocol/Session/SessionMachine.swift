public import RigBase

/// Decides what one companion link does next: requests, frames and time in, effects out.
///
/// One exchange at a time, first come, first served. A frame from the radio carries no request id, so a reply belongs to
/// the exchange that is open. An exchange that ends without its reply (timed out, cancelled) leaves the slot *draining*:
/// the next frame is written only when the late reply has come or a second limit, equal to the first, has passed.
///
/// While draining no other command is on its way, so every reply that comes can only be the late one: ERR always ends the
/// draining, OK does when an OK was awaited, another reply when it is the awaited one. What comes after the second limit
/// cannot be told apart any more and goes to whoever waits then; that is the price of a link that is never blocked for
/// ever.
public struct SessionMachine: Sendable {
    /// What to do, in the given order.
    public enum Effect: Sendable, Hashable {
        case transmit([UInt8], ExchangeID)
        case resolve(ExchangeID, Exchange.Outcome)
        /// Tell everybody about a frame; comes before the `resolve` it leads to.
        case publish(RadioFrame)
    }

    /// The rules that can be switched off to show what they are for.
    public struct Options: Sendable, Hashable {
        /// Late replies are waited for.
        public var drains: Bool
        /// Exchanges end when their time is over.
        public var timesOut: Bool
        public init(drains: Bool = true, timesOut: Bool = true) {
            self.drains = drains
            self.timesOut = timesOut
        }
    }

    private enum State: Sendable {
        /// Nothing is owed; the next request is written at once.
        case idle
        /// A frame is out and its exchange is open; ends in `idle`, or in `draining` when replies are still owed.
        case exchanging(ExchangeID, Running)
        /// The exchange is over but the radio still owes replies; ends in `idle`.
        case draining(Drain)
    }

    /// The four ways an exchange runs.
    private enum Running: Sendable {
        case single(SingleExchange)
        case contacts(ContactListing)
        case channels(ChannelPipeline)
        case request(NodeRequest)
    }

    private struct Waiting: Sendable {
        var id: ExchangeID
        var exchange: Exchange
    }

    private let options: Options
    private var state = State.idle
    private var queue: [Waiting] = []

    public init(options: Options = Options()) { self.options = options }

    /// True when nothing is out and nothing waits.
    public var isIdle: Bool {
        if case .idle = state { return queue.isEmpty }
        return false
    }

    /// True while a late reply is waited for.
    public var isDraining: Bool {
        if case .draining = state { return true }
        return false
    }

    /// When `onDeadline` wants to be called next; nil when time changes nothing.
    public var nextDeadline: SimInstant? {
        switch state {
        case .idle: nil
        case .exchanging(_, let running): options.timesOut ? deadline(of: running) : retransmission(of: running)
        case .draining(let drain): drain.deadline
        }
    }

    // MARK: Events

    /// A caller wants an exchange. Its frame is written now or when its turn comes.
    public mutating func onRequest(_ id: ExchangeID, _ exchange: Exchange, now: SimInstant) -> [Effect] {
        if case .unanswered(let frame) = exchange {
            return [.transmit(frame, id), .resolve(id, .written)]
        }
        queue.append(Waiting(id: id, exchange: exchange))
        return startNext(now)
    }

    /// A frame has arrived.
    public mutating func onFrame(_ frame: RadioFrame, now: SimInstant) -> [Effect] {
        var effects = [Effect.publish(frame)]
        switch state {
        case .idle: break
        case .exchanging(let id, var running):
            let step = Self.advance(&running, frame, id, now)
            effects += step.transmissions.map { .transmit($0, id) }
            if let outcome = step.outcome {
                effects += end(id, running, outcome, now)
            } else {
                state = .exchanging(id, running)
            }
        case .draining(var drain):
            if drain.take(frame, now) {
                state = .idle
                effects += startNext(now)
            } else {
                state = .draining(drain)
            }
        }
        return effects
    }

    /// A caller does not want its answer any more: told so at once, while the slot goes on waiting for the reply.
    public mutating func onCancel(_ id: ExchangeID, now: SimInstant) -> [Effect] {
        if let position = queue.firstIndex(where: { $0.id == id }) {
            queue.remove(at: position)
            return [.resolve(id, .cancelled)]
        }
        guard case .exchanging(id, let running) = state else { return [] }
        return end(id, running, .cancelled, now)
    }

    /// The frame of an exchange could not be written: no reply is owed.
    public mutating func onTransmitFailed(_ id: ExchangeID, now: SimInstant) -> [Effect] {
        guard case .exchanging(id, var running) = state else { return [] }
        if case .request(var request) = running, request.wasAccepted {
            // A repetition that did not get out; the request itself is still on its way.
            request.repetitionFailed()
            running = .request(request)
            state = .exchanging(id, running)
            return []
        }
        if case .channels(var pipeline) = running, pipeline.hasReplies {
            // What is out already may still be answered; only asking further makes no sense.
            pipeline.stopAsking()
            state = .exchanging(id, .channels(pipeline))
            return []
        }
        state = .idle
        return [.resolve(id, .notWritten)] + startNext(now)
    }

    /// The link is gone, and with it everything that was waited for.
    public mutating func onLinkDown() -> [Effect] {
        var effects: [Effect] = []
        if case .exchanging(let id, _) = state { effects.append(.resolve(id, .linkLost)) }
        effects += queue.map { .resolve($0.id, .linkLost) }
        state = .idle
        queue = []
        return effects
    }

    /// Time has passed; harmless when it is too early.
    public mutating func onDeadline(now: SimInstant) -> [Effect] {
        guard let due = nextDeadline, now >= due else { return [] }
        switch state {
        case .idle: return []
        case .draining:
            state = .idle
            return startNext(now)
        case .exchanging(let id, var running):
            if case .request(var request) = running, now < request.deadline || !options.timesOut {
                let frame = request.repeated(now)
                running = .request(request)
                state = .exchanging(id, running)
                return [.transmit(frame, id)]
            }
            return end(id, running, Self.expired(running), now)
        }
    }

    // MARK: Steps

    private struct Step {
        var transmissions: [[UInt8]] = []
        var outcome: Exchange.Outcome?
    }

    private static func advance(_ running: inout Running, _ frame: RadioFrame, _ id: ExchangeID, _ now: SimInstant)
        -> Step
    {
        switch running {
        case .single(let single): return Step(outcome: single.outcome(of: frame))
        case .contacts(var listing):
            let outcome = listing.take(frame, now)
            running = .contacts(listing)
            return Step(outcome: outcome)
        case .channels(var pipeline):
            let frames = pipeline.take(frame, now)
            running = .channels(pipeline)
            return Step(transmissions: frames)
        case .request(var request):
            let outcome = request.take(frame, now)
            running = .request(request)
            return Step(outcome: outcome)
        }
    }

    private static func expired(_ running: Running) -> Exchange.Outcome {
        if case .channels(let pipeline) = running { return pipeline.outcome }
        return .timedOut
    }

    private func deadline(of running: Running) -> SimInstant {
        switch running {
        case .single(let single): single.deadline
        case .contacts(let listing): listing.deadline
        case .channels(let pipeline): pipeline.deadline
        case .request(let request): min(request.deadline, request.nextRepetition ?? .distantFuture)
        }
    }

    private func retransmission(of running: Running) -> SimInstant? {
        guard case .request(let request) = running else { return nil }
        return request.nextRepetition
    }

    /// Ends the open exchange: its caller learns how, the slot drains what is owed or goes to the next.
    private mutating func end(
        _ id: ExchangeID, _ running: Running, _ outcome: Exchange.Outcome, _ now: SimInstant
    ) -> [Effect] {
        if options.drains, let drain = Self.drain(after: running, outcome, now) {
            state = .draining(drain)
            return [.resolve(id, outcome)]
        }
        state = .idle
        return [.resolve(id, outcome)] + startNext(now)
    }

    /// What the radio still owes when `running` ends with `outcome`.
    private static func drain(after running: Running, _ outcome: Exchange.Outcome, _ now: SimInstant) -> Drain? {
        switch (running, outcome) {
        case (.single(let single), .timedOut), (.single(let single), .cancelled):
            // From the end of the exchange's own time, so that a cancelled one holds the slot no longer than a late one.
            let from = outcome == .cancelled ? single.deadline : now
            return Drain(single.matcher, replies: 1, until: from.advanced(by: single.timeout))
        case (.contacts(let listing), .timedOut), (.contacts(let listing), .cancelled):
            return Drain(listing: listing, now)
        case (.channels(let pipeline), .cancelled):
            return Drain(.codes([.channelInfo]), replies: pipeline.outstanding, until: now.advanced(by: pipeline.idle))
        case (.request(let request), _):
            return Drain(
                .codes([.sent]), replies: request.owedReplies, until: now.advanced(by: request.limits.replyTimeout))
        default: return nil
        }
    }

    private mutating func startNext(_ now: SimInstant) -> [Effect] {
        guard case .idle = state, !queue.isEmpty else { return [] }
        let next = queue.removeFirst()
        let running: Running
        let frames: [[UInt8]]
        switch next.exchange {
        case .single(let frame, let matcher, let timeout):
            running = .single(
                SingleExchange(matcher: matcher, timeout: timeout, deadline: now.advanced(by: timeout)))
            frames = [frame]
        case .contacts(let frame, let limits):
            running = .contacts(ContactListing(limits, now))
            frames = [frame]
        case .channels(let indices, let limits):
            var pipeline = ChannelPipeline(indices, limits, now)
            frames = pipeline.refill()
            guard !frames.isEmpty else {
                return [.resolve(next.id, pipeline.outcome)] + startNext(now)
            }
            running = .channels(pipeline)
        case .request(let frame, let answer, let limits):
            running = .request(NodeRequest(frame, answer, limits, now))
            frames = [frame]
        case .unanswered: preconditionFailure("a frame without an answer does not wait")
        }
        state = .exchanging(next.id, running)
        return frames.map { .transmit($0, next.id) }
    }
}
