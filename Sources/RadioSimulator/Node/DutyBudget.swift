/// The airtime a node may still use: a bucket that refills with time (mesh-protocol §4.4). Milliseconds throughout.
struct DutyBudget {
    private(set) var budget: Int64
    private var last: Int64
    /// Airtime factor f; the duty is 1 / (1 + f).
    var factor: Float
    /// First millisecond after which a transmission may begin.
    private(set) var nextStart: Int64
    /// Up to which millisecond the waiting of a due packet has been accounted for.
    private var polled: Int64

    init(bootedAt boot: Int64, factor: Float) {
        budget = 1_800_000
        last = boot
        nextStart = boot
        polled = boot
        self.factor = factor
    }

    private var duty: Float { 1 / (1 + factor) }

    private mutating func refresh(at now: Int64) {
        let refill = Int64(Float(now - last) * duty)
        guard refill > 0 else { return }
        budget = min(budget + refill, Int64(Float(3_600_000) * duty))
        last = now
    }

    /// Whether a transmission may begin at `now`. `dueSince` is the millisecond since which a packet has been waiting:
    /// the firmware refills the bucket in every pass while one waits, and each time loses the fraction.
    mutating func allowsStart(at now: Int64, half: Int64, dueSince: Int64) -> Bool {
        var time = max(polled + 1, dueSince)
        while time < now {
            refresh(at: time)
            if budget < half {
                wait(for: half, at: time)
                time += 1
            } else {
                time = max(time + 1, nextRefill(after: time))
            }
        }
        polled = max(polled, now)
        refresh(at: now)
        guard budget >= half else {
            wait(for: half, at: now)
            return false
        }
        return now > nextStart
    }

    private mutating func wait(for half: Int64, at now: Int64) {
        nextStart = now + Int64(Float(half - budget) / duty)
    }

    /// The next millisecond at which a refresh adds something.
    private func nextRefill(after time: Int64) -> Int64 {
        guard duty > 0 else { return .max }
        var step = max(1, Int64(1 / duty))
        while Int64(Float(step) * duty) < 1 { step += 1 }
        return max(time + 1, last + step)
    }

    /// After a transmission of `duration` has ended.
    mutating func finished(duration: Int64, at now: Int64) {
        refresh(at: now)
        budget = max(0, budget - duration)
        nextStart = budget < 100 ? now + Int64(Float(100 - budget) / duty) : now
        polled = now
    }

    mutating func backOff(until time: Int64) { nextStart = time }
}
