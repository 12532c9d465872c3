/// A probability or share as a ratio of whole numbers, so that no floating point enters the event loop.
public struct Ratio: Sendable, Hashable, CustomStringConvertible {
    public var numerator: UInt32
    /// Never zero.
    public var denominator: UInt32

    public init(_ numerator: UInt32, in denominator: UInt32) {
        precondition(denominator > 0, "a ratio needs a denominator above zero")
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Parts per million, cut at 100 %.
    public init(partsPerMillion: UInt32) { self.init(min(partsPerMillion, 1_000_000), in: 1_000_000) }

    public static let never = Ratio(0, in: 1)
    public static let always = Ratio(1, in: 1)

    public var description: String { "\(numerator)/\(denominator)" }
}
