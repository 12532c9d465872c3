/// Frequency and LoRa modulation of a node, with the times that follow from them (mesh-protocol §5).
///
/// All times are integers computed as the driver of SX126x chips computes them.
public struct RadioParameters: Hashable, Sendable {
    public var frequencyKHz: UInt32
    public var bandwidthHz: UInt32
    /// 5 … 12.
    public var spreadingFactor: UInt8
    /// 5 … 8, for 4/5 … 4/8.
    public var codingRate: UInt8

    public init(frequencyKHz: UInt32, bandwidthHz: UInt32, spreadingFactor: UInt8, codingRate: UInt8) {
        precondition(
            bandwidthHz > 0 && (5...12).contains(spreadingFactor) && (5...8).contains(codingRate),
            "no such LoRa modulation")
        self.frequencyKHz = frequencyKHz
        self.bandwidthHz = bandwidthHz
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
    }

    /// Nil outside what a node accepts: 150–2500 MHz, 7–500 kHz, SF 5–12, CR 5–8.
    public init?(checkingKHz frequency: UInt32, bandwidthHz: UInt32, spreadingFactor: UInt8, codingRate: UInt8) {
        guard (150_000...2_500_000).contains(frequency), (7_000...500_000).contains(bandwidthHz),
            (5...12).contains(spreadingFactor), (5...8).contains(codingRate)
        else { return nil }
        self.init(
            frequencyKHz: frequency, bandwidthHz: bandwidthHz, spreadingFactor: spreadingFactor,
            codingRate: codingRate)
    }

    /// Length of one symbol, rounded down.
    public var symbolMicros: Int { Int((UInt64(1_000_000) << UInt64(spreadingFactor)) / UInt64(bandwidthHz)) }

    public var preambleSymbols: Int { spreadingFactor <= 8 ? 32 : 16 }

    /// Whether a symbol lasts 16 ms or more, which turns low data rate optimisation on.
    public var isLowDataRate: Bool { (UInt64(1_000) << UInt64(spreadingFactor)) >= 16 * UInt64(bandwidthHz) }

    /// Time on air of a frame of `length` bytes.
    public func airtimeMicros(length: Int) -> Int {
        let factor = Int(spreadingFactor)
        let bits = max(0, 8 * length + 16 - 4 * factor + headerBits + 20)
        let perGroup = 4 * (factor - (isLowDataRate ? 2 : 0))
        let groups = (bits + perGroup - 1) / perGroup
        return symbolMicros * (preambleQuarters + groups * Int(codingRate) * 4) / 4
    }

    /// `airtimeMicros` cut to whole milliseconds, the form every formula of the firmware uses.
    public func airtimeMillis(length: Int) -> Int { airtimeMicros(length: length) / 1_000 }

    /// How long a detected preamble counts as a busy channel when no header follows.
    public var preambleWindowMillis: Int { (symbolMicros * preambleQuarters / 4 + 999) / 1_000 }

    /// How long a valid header counts as a busy channel when no end follows.
    public var payloadWindowMillis: Int {
        let payload = airtimeMicros(length: 255) - symbolMicros * preambleQuarters / 4
        return (payload * 8 + 1_000 * Int(codingRate) - 1) / (1_000 * Int(codingRate))
    }

    /// Weakest SNR × 4 that this spreading factor demodulates; nil below SF 7, for which the firmware has no figure.
    public var thresholdQuarterDB: Int? { spreadingFactor < 7 ? nil : -30 - 10 * (Int(spreadingFactor) - 7) }

    /// How well a frame was heard, 0 … 1; weights the receive delay of floods (mesh-protocol §5.5).
    ///
    /// LR1110 and LR2021 boards compute it as if the spreading factor were 10.
    public func packetScore(snrQuarterDB: Int, length: Int) -> Float {
        guard let threshold = thresholdQuarterDB, snrQuarterDB >= threshold else { return 0 }
        let margin = (Float(snrQuarterDB) / 4 - Float(threshold) / 4) / 10
        return max(0, min(1, margin * (1 - Float(length) / 256)))
    }

    /// Quarter symbols of preamble, sync word and the header's fixed part.
    private var preambleQuarters: Int { (preambleSymbols + 8) * 4 + (spreadingFactor >= 7 ? 17 : 25) }
    private var headerBits: Int { spreadingFactor >= 7 ? 8 : 0 }
}
