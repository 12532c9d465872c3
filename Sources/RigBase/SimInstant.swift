/// A point on a run's own time line: nanoseconds since the run began, the same type in simulated and real time.
public struct SimInstant: Sendable, Hashable, Comparable, InstantProtocol, CustomStringConvertible {
    /// Nanoseconds since the run began; never negative in a run.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    public init(microseconds: Int64) { self.nanoseconds = microseconds * 1_000 }
    public init(milliseconds: Int64) { self.nanoseconds = milliseconds * 1_000_000 }

    /// The instant at which a run begins.
    public static let zero = SimInstant(nanoseconds: 0)
    /// An instant no run reaches (about 292 years).
    public static let distantFuture = SimInstant(nanoseconds: .max)

    /// Whole milliseconds, rounded down: the unit a node's clock moves in.
    public var milliseconds: Int64 { nanoseconds / 1_000_000 }
    /// Whole microseconds, rounded down: the unit of airtime.
    public var microseconds: Int64 { nanoseconds / 1_000 }

    public func advanced(by duration: Duration) -> SimInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return overflow ? .distantFuture : SimInstant(nanoseconds: sum)
    }

    public func duration(to other: SimInstant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    public static func < (left: SimInstant, right: SimInstant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Seconds with three decimals, rounded down, for example `12.345s`.
    public var description: String {
        let total = milliseconds
        let fraction = String(total % 1_000)
        return "\(total / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + "s"
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded toward zero and clamped to what 64 bits hold.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? .max : sum
    }

    /// The duration in milliseconds, rounded toward zero.
    public var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }
}
