/// A node's clock in whole seconds, counted from the millisecond it was last set (companion-protocol §15.2).
struct NodeClock {
    private var base: UInt32
    private var since: Int64
    /// Parts per million by which it runs fast.
    private let drift: Int32
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
