/// A node's clock in whole seconds, counted from the millisecond it was last set (companion-protocol §15.2).
struct NodeClock {
    private var base: UInt32
    private var since: Int64
    /// Parts per million by which it runs fast.
    private(set) var drift: Int32
    /// The last value handed out as unique, 0 after boot.
    private var lastUnique: UInt32 = 0

    init(_ seconds: UInt32, at millisecond: Int64, drift: Int32 = 0) {
        base = seconds
        since = millisecond
        self.drift = drift
    }

    func seconds(at now: Int64) -> UInt32 {
        let elapsed = max(0, now - since)
        return base &+ UInt32(truncatingIfNeeded: (elapsed + elapsed * Int64(drift) / 1_000_000) / 1_000)
    }

    /// Milliseconds from `now` after which the clock shows `seconds` more at the earliest; at least one.
    func wait(seconds: UInt32, at now: Int64) -> Int64 {
        let elapsed = max(0, now - since)
        let shown = elapsed + elapsed * Int64(drift) / 1_000_000
        let wait = Int64(seconds) * 1_000 - shown % 1_000
        return max(1, wait - wait * Int64(drift.magnitude) / 1_000_000 - (drift == 0 ? 0 : 1))
    }

    /// Lets it run at another pace from now on; the second that is running goes on.
    mutating func setDrift(_ drift: Int32, at now: Int64) {
        guard drift != self.drift else { return }
        let elapsed = max(0, now - since)
        let shown = elapsed + elapsed * Int64(self.drift) / 1_000_000
        base = base &+ UInt32(truncatingIfNeeded: shown / 1_000)
        since = now - shown % 1_000
        self.drift = drift
    }

    /// Sets the clock; the running second starts anew.
    mutating func set(_ seconds: UInt32, at now: Int64) {
        base = seconds
        since = now
    }

    /// The time, made strictly increasing (companion-protocol §7.9).
    mutating func unique(at now: Int64) -> UInt32 {
        let time = seconds(at: now)
        lastUnique = time > lastUnique ? time : lastUnique &+ 1
        return lastUnique
    }
}
