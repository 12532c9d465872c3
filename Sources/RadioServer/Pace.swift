internal import RigBase

/// Ties the world's time to the real clock: so much of the one for so much of the other.
struct Pace {
    /// Further behind than this, the world goes on from where it is instead of catching up.
    static let gap = Duration.seconds(5)

    private let world: Int64
    private let real: Int64
    private var origin = SimInstant.zero
    private var start = ContinuousClock.now

    init(world: Int64, real: Int64) {
        self.world = world
        self.real = real
    }

    mutating func restart(at instant: SimInstant) {
        origin = instant
        start = .now
    }

    /// Where the world should be at this moment, in whole milliseconds.
    func target(at now: ContinuousClock.Instant = .now) -> SimInstant {
        let elapsed = start.duration(to: now).wholeNanoseconds
        return SimInstant(
            milliseconds: origin.advanced(by: .nanoseconds(Self.scale(elapsed, world, real))).milliseconds)
    }

    /// When the real clock will be at that instant of the world; nil for never.
    func instant(of due: SimInstant) -> ContinuousClock.Instant? {
        guard due < .distantFuture else { return nil }
        return start.advanced(by: .nanoseconds(Self.scale(origin.duration(to: due).wholeNanoseconds, real, world)))
    }

    /// Starts over when the process did not run for so long that catching up makes no sense (a suspended machine).
    ///
    /// A world stands still between its events, so late is only what is due and has not been done.
    mutating func skipGap(
        from now: SimInstant, nextDue: SimInstant, at present: ContinuousClock.Instant = .now
    ) -> Bool {
        let behind = max(now, nextDue).duration(to: target(at: present)).wholeNanoseconds
        guard Self.scale(behind, real, world) > Self.gap.wholeNanoseconds else { return false }
        restart(at: now)
        return true
    }

    /// `value * by / per`, clamped to what 64 bits hold: the fastest pace passes the end of time within seconds.
    private static func scale(_ value: Int64, _ by: Int64, _ per: Int64) -> Int64 {
        Int64(clamping: Int128(value) * Int128(by) / Int128(per))
    }
}
