internal import CompanionProtocol
internal import RigBase

/// Decides how one direct message is sent, repeated and given up (client-stack §3.2).
///
/// Five sends at most: attempts 0…3 over the stored path, then the path is reset once and attempt 4 goes as flood. A radio
/// whose packet pool is full is asked again for the same attempt. Exhaustion is no failure: the give-up clock of `AckTable`
/// goes on.
struct RetryMachine: Sendable {
    struct Policy: Sendable {
        var maxAttempts = 5
        /// The attempt from which on the path is given up.
        var floodAfter = 4
        var maxFloodAttempts = 1
        /// Fixed wait for a confirmation; nil: 1.2 × what the radio suggests.
        var limit: Duration?
        /// How often a full packet pool is waited for, first this long, then twice that.
        var poolRetries = 3
        var poolBackOff: Duration = .milliseconds(500)
        /// The code of an attempt is awaited before the attempt is written, not after its SENT was dealt with.
        var registersBeforeWrite = true
        /// The path is reset before the first attempt too.
        var resetsPathFirst = false
    }

    /// Why a send did not get its SENT.
    enum SendFailure: Sendable, Hashable {
        case device(DeviceErrorCode)
        /// The link went while the attempt was under way: it may have been sent.
        case link
        /// There was no link to write to.
        case notConnected
        /// Anything else, as text.
        case other(String)
    }

    enum Outcome: Sendable, Hashable {
        /// A confirmation for any attempt arrived; its listener has written the row.
        case confirmed
        /// All attempts were sent and the last wait is over.
        case exhausted
        /// The link went and an attempt may be on the air: its codes stay awaited. `wasSent`: a SENT was seen.
        case interrupted(wasSent: Bool)
        case failed(SendFailure)
    }

    enum Effect: Sendable, Hashable {
        case markRetrying(attempt: Int, of: Int)
        case resetPath
        /// Await the predicted code of this attempt, at least so long.
        case register(attempt: Int, floor: Duration)
        case transmit(attempt: Int)
        /// The radio took an attempt: await this code from now on, so long.
        case await(code: UInt32, timeout: Duration)
        /// The radio took the first attempt.
        case markSent(code: UInt32)
        case pause(until: SimInstant)
        case finish(Outcome)
    }

    private enum State: Sendable {
        /// Nothing happened; followed by resetting or transmitting.
        case idle
        /// RESET_PATH is under way; then the attempt is transmitted whatever the radio answered.
        case resetting(attempt: Int)
        /// SEND_TXT is under way; followed by waiting, backing off or done.
        case transmitting(attempt: Int, poolTries: Int)
        /// The radio had no room; then the same attempt again.
        case backingOff(attempt: Int, poolTries: Int, until: SimInstant)
        /// SENT came; followed by the next attempt or done.
        case waiting(attempt: Int, until: SimInstant)
        case done
    }

    private let policy: Policy
    private var state = State.idle
    private var floodAttempts = 0
    private var isFlooding = false
    private var wasSent = false
    private var isConfirmed = false
    /// The jitter of the back-off, ± 20 %.
    private var random: Prng

    init(policy: Policy, random: Prng) {
        self.policy = policy
        self.random = random
    }

    var nextDeadline: SimInstant? {
        switch state {
        case .backingOff(_, _, let until), .waiting(_, let until): until
        case .idle, .resetting, .transmitting, .done: nil
        }
    }

    mutating func start() -> [Effect] {
        guard case .idle = state else { preconditionFailure("a retry loop is started once") }
        if policy.resetsPathFirst {
            state = .resetting(attempt: 0)
            return [.resetPath]
        }
        return transmit(0, poolTries: 0)
    }

    /// The radio answered RESET_PATH, well or not.
    mutating func onPathReset() -> [Effect] {
        guard case .resetting(let attempt) = state else { preconditionFailure("no reset is under way") }
        if isConfirmed { return finish(.confirmed) }
        return transmit(attempt, poolTries: 0)
    }

    /// The radio took the attempt. Codes are read little-endian, `suggestedMillis` is the radio's own estimate.
    mutating func onSent(code: UInt32, suggestedMillis: UInt32, now: SimInstant) -> [Effect] {
        guard case .transmitting(let attempt, _) = state else { preconditionFailure("nothing is being transmitted") }
        if isConfirmed { return finish(.confirmed) }
        let timeout = policy.limit ?? .microseconds(Int64(suggestedMillis) * 1_200)
        let until = now.advanced(by: timeout)
        state = .waiting(attempt: attempt, until: until)
        defer { wasSent = true }
        let sent: [Effect] = wasSent ? [] : [.markSent(code: code)]
        let awaited = Effect.await(code: code, timeout: timeout)
        return (policy.registersBeforeWrite ? [awaited] + sent : sent + [awaited]) + [.pause(until: until)]
    }

    mutating func onSendFailed(_ failure: SendFailure, now: SimInstant) -> [Effect] {
        guard case .transmitting(let attempt, let tries) = state else {
            preconditionFailure("nothing is being transmitted")
        }
        if isConfirmed { return finish(.confirmed) }
        if failure == .device(.tableFull), tries < policy.poolRetries {
            let base = policy.poolBackOff * (1 << tries)
            let pause = random.duration(in: base * 8 / 10...base * 12 / 10)
            let until = now.advanced(by: pause)
            state = .backingOff(attempt: attempt, poolTries: tries + 1, until: until)
            return [.pause(until: until)]
        }
        let mayBeSent = failure == .link || (failure == .notConnected && wasSent)
        return finish(mayBeSent ? .interrupted(wasSent: wasSent) : .failed(failure))
    }

    /// The wait is over; harmless when it is early.
    mutating func onDeadline(now: SimInstant) -> [Effect] {
        switch state {
        case .backingOff(let attempt, let tries, let until):
            return now < until ? [.pause(until: until)] : transmit(attempt, poolTries: tries)
        case .waiting(let attempt, let until):
            return now < until ? [.pause(until: until)] : next(after: attempt)
        case .idle, .resetting, .transmitting, .done: return []
        }
    }

    /// A confirmation for any attempt arrived. What is under way is let end first.
    mutating func onConfirmed() -> [Effect] {
        switch state {
        case .backingOff, .waiting: return finish(.confirmed)
        case .idle, .resetting, .transmitting:
            isConfirmed = true
            return []
        case .done: return []
        }
    }

    /// The link was taken down while the loop waited.
    mutating func onLinkLost() -> [Effect] {
        switch state {
        case .backingOff, .waiting: return finish(wasSent ? .interrupted(wasSent: true) : .failed(.notConnected))
        case .idle, .resetting, .transmitting, .done: return []
        }
    }

    private mutating func next(after attempt: Int) -> [Effect] {
        if isFlooding { floodAttempts += 1 }
        let attempt = attempt + 1
        guard attempt < policy.maxAttempts, !isFlooding || floodAttempts < policy.maxFloodAttempts else {
            return finish(.exhausted)
        }
        let retrying = Effect.markRetrying(attempt: attempt - 1, of: policy.maxAttempts - 1)
        if attempt == policy.floodAfter, !isFlooding {
            isFlooding = true
            state = .resetting(attempt: attempt)
            return [retrying, .resetPath]
        }
        return [retrying] + transmit(attempt, poolTries: 0)
    }

    private mutating func transmit(_ attempt: Int, poolTries: Int) -> [Effect] {
        state = .transmitting(attempt: attempt, poolTries: poolTries)
        let floor = max(policy.limit ?? .zero, .seconds(5))
        let register: [Effect] = policy.registersBeforeWrite ? [.register(attempt: attempt, floor: floor)] : []
        return register + [.transmit(attempt: attempt)]
    }

    private mutating func finish(_ outcome: Outcome) -> [Effect] {
        state = .done
        return [.finish(outcome)]
    }
}
