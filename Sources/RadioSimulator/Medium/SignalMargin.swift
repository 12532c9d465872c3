internal import RigBase

/// How many frames come through near the limit of what a spreading factor demodulates.
///
/// With the margin m in dB (SNR less the limit) the share received is 1 / (1 + exp(−2m)): one half at the limit, 12 % one
/// dB below it, 98 % two dB above. Beyond 4 dB it is nothing or all, and nothing is drawn.
enum SignalMargin {
    /// Beyond this many quarters of a decibel nothing is left to chance.
    private static let reach = 16

    /// Whether a frame with that margin, in quarters of a decibel, comes through.
    static func passes(_ margin: Int, _ random: inout Prng) -> Bool {
        if margin <= -reach { return false }
        if margin >= reach { return true }
        return random.next() >> 32 < share(margin)
    }

    /// The share received, of 2³².
    static func share(_ margin: Int) -> UInt64 {
        // exp(−2m) with m = margin / 4.
        let exponential = FixedPoint.exponential(minus: Int64(margin.magnitude), over: 2)
        let above = (FixedPoint.one + exponential).dividingFullWidth((high: 1, low: 0)).quotient
        return margin >= 0 ? above : FixedPoint.one - above
    }
}
