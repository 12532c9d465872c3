internal import RigBase

/// Decides when a lost link is tried again (client-stack §8.3).
///
/// The first attempt follows the loss at once; waits of 0.5, 1, 2, 4, 4 … s lie between the attempts, and no attempt begins
/// once 30 s have passed. A later loss begins anew, however soon it comes.
struct ReconnectMachine: Sendable {
    enum Effect: Sendable, Hashable {
        /// Counts from 1.
        case attempt(Int)
        case pause(until: SimInstant)
        case giveUp
    }

    private enum State: Sendable {
        case idle
        case attempting(Int, began: SimInstant)
        case pausing(Int, began: SimInstant, until: SimInstant)
    }

    static let window: Duration = .seconds(30)
    private var state = State.idle

    var isRunning: Bool {
        if case .idle = state { false } else { true }
    }

    var nextDeadline: SimInstant? {
        if case .pausing(_, _, let until) = state { until } else { nil }
    }

    /// The link was lost; while a loop runs a further loss changes nothing.
    mutating func onLost(now: SimInstant) -> [Effect] {
        guard case .idle = state else { return [] }
        state = .attempting(1, began: now)
        return [.attempt(1)]
    }

    mutating func onFailure(now: SimInstant) -> [Effect] {
        guard case .attempting(let attempt, let began) = state else { return [] }
        let until = now.advanced(by: Self.pause(after: attempt))
        state = .pausing(attempt, began: began, until: until)
        return [.pause(until: until)]
    }

    /// A wait is over; harmless when it is early.
    mutating func onDeadline(now: SimInstant) -> [Effect] {
        guard case .pausing(let attempt, let began, let until) = state, now >= until else { return [] }
        guard began.duration(to: now) < Self.window else {
            state = .idle
            return [.giveUp]
        }
        state = .attempting(attempt + 1, began: began)
        return [.attempt(attempt + 1)]
    }

    mutating func onSuccess() { state = .idle }

    /// The user wants no link any more.
    mutating func onStopped() { state = .idle }

    /// 0.5 s × 2ⁿ⁻¹, at most 4 s.
    private static func pause(after attempt: Int) -> Duration { .milliseconds(500 << min(attempt - 1, 3)) }
}
