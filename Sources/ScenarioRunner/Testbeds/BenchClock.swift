internal import Glibc
internal import RigBase

/// The machine's clocks, which only a bench may read.
enum BenchClock {
    static var unixSeconds: UInt32 { UInt32(clamping: time(nil)) }

    static func instant(since start: ContinuousClock.Instant) -> SimInstant {
        SimInstant(nanoseconds: start.duration(to: .now).wholeNanoseconds)
    }
}
