/// The path length byte: entries in bits 0–5, entry size minus one in bits 6–7 (mesh-protocol §1.4).
///
/// In a TRACE packet the same byte is a plain count of SNR bytes, which reads alike below 64.
public struct PathLength: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `hashSize` is 1 … 4 bytes an entry (4 is reserved), `hopCount` 0 … 63 entries.
    public init(hashSize: Int, hopCount: Int) {
        precondition((1...4).contains(hashSize) && (0...63).contains(hopCount), "no such path length")
        rawValue = UInt8(hashSize - 1) << 6 | UInt8(hopCount)
    }

    /// "No path known", outside packets.
    public static let none = PathLength(rawValue: 0xFF)
    /// An empty path of one-byte entries.
    public static let empty = PathLength(rawValue: 0)
    /// The most bytes a path takes.
    public static let maximumBytes = 64

    /// Bytes an entry: 1 … 3, or 4 for the reserved value.
    public var hashSize: Int { Int(rawValue >> 6) + 1 }
    public var hopCount: Int { Int(rawValue & 0x3F) }
    public var byteCount: Int { hashSize * hopCount }
    /// Whether the size is not reserved and the path fits 64 bytes.
    public var isValid: Bool { hashSize != 4 && byteCount <= Self.maximumBytes }

    public var description: String { self == .none ? "none" : "\(hopCount)×\(hashSize)" }
}
