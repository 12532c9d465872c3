/// Which set of counters GET_STATS reads.
public struct StatisticsKind: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let core = StatisticsKind(rawValue: 0)
    public static let radio = StatisticsKind(rawValue: 1)
    public static let packets = StatisticsKind(rawValue: 2)
}
