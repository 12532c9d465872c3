/// Powers of single-precision numbers that come out alike on every machine, without a mathematical library.
enum SinglePrecision {
    private static let ln2 = 0.693_147_180_559_945_309_417

    /// `base` to the power of `exponent` for a positive base, correct to the last place but for rare ties: the work is
    /// done in double precision and rounded once.
    static func power(_ base: Float, _ exponent: Float) -> Float {
        precondition(base > 0 && base.isFinite && exponent.isFinite, "a power of a positive number")
        return Float(exponential(Double(exponent) * logarithm(Double(base))))
    }

    /// `(power − 1) × factor` in double precision, cut off to a whole number; at most 10⁹.
    static func excess(of power: Float, times factor: Int) -> Int {
        Int(min((Double(power) - 1) * Double(factor), 1e9))
    }

    /// ln(x) = e·ln 2 + 2·artanh((m − 1) / (m + 1)) with x = m·2^e and m within a factor √2 of 1.
    static func logarithm(_ value: Double) -> Double {
        var mantissa = value.significand
        var exponent = Double(value.exponent)
        if mantissa > 1.414_213_562_373_095_1 {
            mantissa /= 2
            exponent += 1
        }
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var (term, sum) = (ratio, 0.0)
        for divisor in stride(from: 1.0, through: 25, by: 2) {
            sum += term / divisor
            term *= square
        }
        return exponent * ln2 + 2 * sum
    }

    /// e^x as 2^k · e^r with |r| ≤ ln 2 / 2; overflows to infinity and underflows to zero.
    static func exponential(_ value: Double) -> Double {
        guard value.magnitude < 700 else { return value < 0 ? 0 : .infinity }
        let scale = (value / ln2).rounded()
        let rest = value - scale * ln2
        var (term, sum) = (1.0, 1.0)
        for count in stride(from: 1.0, through: 17, by: 1) {
            term *= rest / count
            sum += term
        }
        return Double(sign: .plus, exponent: Int(scale), significand: sum)
    }
}
