/// The byte that tells how long a path is: bits 7–6 hash size − 1, bits 5–0 number of hops (companion-protocol §7.4).
public struct PathLengthByte: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Hash size 1 to 3 bytes, at most 63 hops; other values are a caller's mistake.
    public init(hashSize: Int, hopCount: Int) {
        precondition((1...3).contains(hashSize) && (0...63).contains(hopCount), "no such path length")
        rawValue = UInt8(hashSize - 1) << 6 | UInt8(hopCount)
    }

    /// 0xFF: in a contact "no path known, flood"; in a received message "came by direct route".
    public static let none = PathLengthByte(rawValue: 0xFF)
    /// A path without hops, one-byte hashes.
    public static let zeroHops = PathLengthByte(rawValue: 0)

    public var isNone: Bool { rawValue == 0xFF }
    /// The hash-size code 3, which no release uses, other than in 0xFF.
    public var isReserved: Bool { rawValue >> 6 == 3 && !isNone }
    /// A path that fits its field: no reserved code, at most 64 bytes.
    public var isUsable: Bool { !isNone && !isReserved && byteCount <= CompanionLimits.pathFieldSize }
    /// Bytes of one hop's hash; 1 for `none`.
    public var hashSize: Int { isNone ? 1 : Int(rawValue >> 6) + 1 }
    /// 0 for `none`.
    public var hopCount: Int { isNone ? 0 : Int(rawValue & 63) }
    public var byteCount: Int { hopCount * hashSize }

    public var description: String {
        isNone ? "none" : "\(hopCount) hop\(hopCount == 1 ? "" : "s") of \(hashSize) byte\(hashSize == 1 ? "" : "s")"
    }
}
