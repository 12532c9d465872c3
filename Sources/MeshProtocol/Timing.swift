/// The time after which a companion tells its app to give up waiting (mesh-protocol §4.12). Milliseconds throughout.
///
/// `airtimeMillis` is that of payload + 6 bytes (`estimatedLength`), for a trace of payload + 2.
public enum SendTimeout {
    /// Bytes the estimate is made for; path bytes do not count.
    public static func estimatedLength(payload: Int) -> Int { payload + 6 }

    public static func flood(airtimeMillis: Int) -> Int { 500 + 16 * airtimeMillis }

    /// `hops` is the number of path entries, for a trace that of hop entries.
    public static func direct(airtimeMillis: Int, hops: Int) -> Int { 500 + (6 * airtimeMillis + 250) * (hops + 1) }
}

/// The random wait of a forwarder before it repeats a packet (mesh-protocol §4.14).
public enum RetransmitDelay {
    /// The unit t in milliseconds; the wait is uniform in 0 … 5t. The packet is as it will leave.
    public static func unit(for packet: Packet, radio: RadioParameters, factor: Float) -> Int {
        unit(airtimeMillis: radio.airtimeMillis(length: estimatedLength(packet)), factor: factor)
    }

    /// Single precision and cut, as the firmware computes it.
    public static func unit(airtimeMillis: Int, factor: Float) -> Int { Int(Float(airtimeMillis) * factor) }

    /// Bytes the estimate is made for: transport codes do not count.
    public static func estimatedLength(_ packet: Packet) -> Int { packet.path.count + packet.payload.count + 2 }

    /// Exclusive upper bound of the random number, 5t + 1.
    public static func bound(unit: Int) -> Int { 5 * unit + 1 }
}

/// How long a received flood waits before it is processed, so that better copies come first (mesh-protocol §4.3).
public enum ReceiveDelay {
    /// Below this a frame is processed at once.
    public static let immediateBelowMillis = 50
    /// Longer delays are cut to this.
    public static let capMillis = 32_000

    /// `(base^(0.85 − score) − 1) × airtime`, cut; negative for a very good frame, 0 for base 0. The power is taken in
    /// single precision, the rest in double.
    public static func millis(base: Float, score: Float, airtimeMillis: Int) -> Int {
        guard base > 0, base.isFinite else { return 0 }
        return SinglePrecision.excess(of: SinglePrecision.power(base, 0.85 - score), times: airtimeMillis)
    }

    /// The delay as applied: 0 below 50 ms, capped at 32 s.
    public static func applied(base: Float, score: Float, airtimeMillis: Int) -> Int {
        let delay = millis(base: base, score: score, airtimeMillis: airtimeMillis)
        return delay < immediateBelowMillis ? 0 : min(delay, capMillis)
    }
}
