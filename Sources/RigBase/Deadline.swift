/// A limit that is made once and handed down, so that nested waits share it instead of counting again.
public struct Deadline: Sendable, Hashable, Comparable {
    /// The first instant at which the limit has passed.
    public var instant: SimInstant

    public init(at instant: SimInstant) { self.instant = instant }
    public init(_ limit: Duration, after now: SimInstant) { self.instant = now.advanced(by: limit) }

    /// A limit that never passes.
    public static let never = Deadline(at: .distantFuture)

    /// Time left at `now`, never negative.
    public func remaining(at now: SimInstant) -> Duration { max(.zero, now.duration(to: instant)) }
    public func hasPassed(at now: SimInstant) -> Bool { now >= instant }
    public static func < (left: Deadline, right: Deadline) -> Bool { left.instant < right.instant }
}
