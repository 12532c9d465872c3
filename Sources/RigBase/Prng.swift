/// The run's own random generator (xoshiro256**, seeded through SplitMix64), independent of the standard library.
///
/// Streams are forked by name, so a draw added to one purpose moves no draw of another.
public struct Prng: Sendable, Hashable {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64
    /// What this stream was forked from; forks depend on it and never on how much was drawn.
    private let root: UInt64

    public init(seed: UInt64) {
        root = seed
        var state = seed
        func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
        a = next()
        b = next()
        c = next()
        d = next()
    }

    /// An independent stream named by its purpose, for example `fork("link", "alice", "hill")`.
    ///
    /// The same names give the same stream whatever was drawn before. Names are separated, so
    /// `("ab", "c")` and `("a", "bc")` differ.
    public func fork(_ names: String...) -> Prng {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ root
        for name in names {
            for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        return Prng(seed: hash)
    }

    public mutating func next() -> UInt64 {
        let result = Self.rotate(b &* 5, 7) &* 9
        let shifted = b << 17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = Self.rotate(d, 45)
        return result
    }

    /// A uniform number in `0 ..< bound`, without modulo bias. `bound` must be above zero.
    public mutating func index(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "nothing to choose from")
        let threshold = (0 &- bound) % bound
        while true {
            let (high, low) = next().multipliedFullWidth(by: bound)
            if low >= threshold { return high }
        }
    }

    public mutating func index(below bound: Int) -> Int { Int(index(below: UInt64(bound))) }

    /// True with the given probability; draws once in every case.
    public mutating func chance(_ ratio: Ratio) -> Bool {
        index(below: UInt64(ratio.denominator)) < UInt64(ratio.numerator)
    }

    public mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 56) }

    public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    /// A uniform duration in `lower ... upper` (whole nanoseconds).
    public mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        let span = (range.upperBound - range.lowerBound).wholeNanoseconds
        return range.lowerBound + .nanoseconds(Int64(index(below: UInt64(span) + 1)))
    }

    public mutating func shuffle<Element>(_ elements: inout [Element]) {
        guard elements.count > 1 else { return }
        for upper in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(upper, index(below: upper + 1))
        }
    }

    private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
        (value << count) | (value >> (64 - count))
    }
}
