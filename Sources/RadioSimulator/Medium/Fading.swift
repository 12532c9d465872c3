internal import RigBase

/// A link whose strength wanders about its mean (the process of Ornstein and Uhlenbeck), in decibels.
public struct FadingSpec: Sendable, Hashable {
    /// Standard deviation in quarters of a decibel.
    public var sigmaQuarterDB: Int
    /// Milliseconds after which the likeness to an earlier value has sunk to 1/e.
    public var correlationMillis: Int64

    public init(sigmaQuarterDB: Int, correlationMillis: Int64) {
        self.sigmaQuarterDB = sigmaQuarterDB
        self.correlationMillis = max(1, correlationMillis)
    }
}

/// Where the strength of one link stands, moved on only when a frame asks.
///
/// After Δ milliseconds x' = x·a + σ·√(1−a²)·N with a = exp(−Δ/τ) and N normal, which is exact for any Δ. Everything is
/// whole numbers, so that it comes out alike on every machine.
struct FadingState {
    /// In 1/65,536 of a quarter decibel.
    private var value = 0
    private var at: Int64?

    /// Quarters of a decibel above or below the mean at that millisecond.
    mutating func offset(at now: Int64, _ spec: FadingSpec, _ random: inout Prng) -> Int {
        if at != now {
            let kept = at.map { FixedPoint.exponential(minus: now - $0, over: spec.correlationMillis) } ?? 0
            let fresh = FixedPoint.squareRoot(FixedPoint.one - FixedPoint.product(kept, kept))
            let normal = Self.normal(&random) * spec.sigmaQuarterDB
            value = Self.scaled(value, kept) + Self.scaled(normal, fresh)
            at = now
        }
        return (value + (value < 0 ? -32_768 : 32_768)) / 65_536
    }

    /// Sum of twelve even draws less their mean: variance 1, at most 6 off, in 1/65,536.
    private static func normal(_ random: inout Prng) -> Int {
        var sum = 0
        for _ in 0..<3 {
            let draw = random.next()
            for shift in stride(from: UInt64(0), through: 48, by: 16) { sum += Int(draw >> shift & 0xFFFF) }
        }
        return sum - 6 * 65_535
    }

    private static func scaled(_ value: Int, _ factor: UInt64) -> Int {
        let size = Int((UInt64(value.magnitude) * factor) >> 32)
        return value < 0 ? -size : size
    }
}

/// Numbers from 0 to 1 as 32 bits after the point, and the functions a link model needs of them.
enum FixedPoint {
    static let one: UInt64 = 1 << 32

    static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let full = left.multipliedFullWidth(by: right)
        return full.high << 32 | full.low >> 32
    }

    /// √value, rounded down.
    static func squareRoot(_ value: UInt64) -> UInt64 {
        // One is the only value whose shifted form needs a 65th bit.
        guard value < one else { return one }
        var root: UInt64 = 0
        var bit = one >> 1
        while bit > 0 {
            let tried = root | bit
            if tried * tried <= value << 32 { root = tried }
            bit >>= 1
        }
        return root
    }

    /// exp(−time/constant), both in milliseconds.
    static func exponential(minus time: Int64, over constant: Int64) -> UInt64 {
        guard time > 0 else { return one }
        // Beyond 24 time constants it is below what 32 bits show.
        guard time / constant < 24 else { return 0 }
        let scaled = UInt64(time).multipliedFullWidth(by: one)
        let ratio = UInt64(constant).dividingFullWidth((scaled.high, scaled.low)).quotient
        // To base 2: log2(e) is 1 + 0.4426950408889634.
        let exponent = ratio + product(ratio, 1_901_360_722)
        var result = one >> (exponent >> 32)
        var bit = one >> 1
        var factor = squareRoot(one / 2)
        while bit > 0, result > 0 {
            if exponent & bit != 0 { result = product(result, factor) }
            bit >>= 1
            factor = squareRoot(factor)
        }
        return result
    }
}
