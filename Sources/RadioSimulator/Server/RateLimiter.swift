/// A fixed window of seconds in which so many events are let through (mesh-protocol §4.11).
struct RateLimiter {
    let maximum: Int
    let window: UInt32
    private var start: UInt32 = 0
    private var count = 0

    init(maximum: Int, window: UInt32) {
        self.maximum = maximum
        self.window = window
    }

    /// Counts an event at the clock's `seconds`; the first after a window has ended begins the next one.
    mutating func allows(at seconds: UInt32) -> Bool {
        if count > 0, seconds < start &+ window {
            count += 1
            return count <= maximum
        }
        start = seconds
        count = 1
        return true
    }
}
