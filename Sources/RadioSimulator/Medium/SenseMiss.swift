public import RigBase

/// How often a node that listens before it talks overlooks a frame that it is receiving.
///
/// A frame with an SNR of `sure` and more is overlooked with the probability `share`; below that it rises in a straight
/// line, up to certainty at `deaf`. Reception and harm to others are as they were.
public struct SenseMiss: Sendable, Hashable {
    public var share: Ratio
    /// Quarters of a decibel; `sure` lies above `deaf`. With both the same the share is the same for all frames.
    public var sureQuarterDB: Int
    public var deafQuarterDB: Int

    public init(_ share: Ratio, sureQuarterDB: Int = -128, deafQuarterDB: Int = -128) {
        self.share = share
        self.sureQuarterDB = sureQuarterDB
        self.deafQuarterDB = deafQuarterDB
    }

    /// The probability for a frame of that SNR, of 2³².
    func probability(snrQuarterDB: Int) -> UInt64 {
        let base = min(FixedPoint.one, (UInt64(share.numerator) << 32) / UInt64(share.denominator))
        guard snrQuarterDB < sureQuarterDB, sureQuarterDB > deafQuarterDB else { return base }
        let below = UInt64(min(sureQuarterDB - snrQuarterDB, sureQuarterDB - deafQuarterDB))
        return base + (FixedPoint.one - base) * below / UInt64(sureQuarterDB - deafQuarterDB)
    }
}
