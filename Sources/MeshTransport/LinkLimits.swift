/// How long the steps of a link may take.
public struct LinkLimits: Sendable, Hashable {
    public var connect: Duration
    public var write: Duration

    public init(connect: Duration, write: Duration) {
        self.connect = connect
        self.write = write
    }

    /// 10 s to connect, 5 s for a write to be taken (client-invariants 4, 7).
    public static let standard = LinkLimits(connect: .seconds(10), write: .seconds(5))
}
