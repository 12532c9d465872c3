/// Reads little-endian values from bytes, one after the other, and never past the end.
public struct ByteReader: Sendable {
    /// Why a read failed: how many bytes were wanted at which offset, and how many there are.
    public struct Shortage: Error, Equatable, Sendable, CustomStringConvertible {
        public var offset: Int
        public var wanted: Int
        public var available: Int

        public init(offset: Int, wanted: Int, available: Int) {
            self.offset = offset
            self.wanted = wanted
            self.available = available
        }

        public var description: String {
            "\(wanted) byte\(wanted == 1 ? "" : "s") wanted at offset \(offset), \(available) there"
        }
    }

    public let bytes: [UInt8]
    /// Offset of the next byte.
    public private(set) var offset: Int

    public init(_ bytes: [UInt8], at offset: Int = 0) {
        self.bytes = bytes
        self.offset = min(max(0, offset), bytes.count)
    }

    public var remaining: Int { bytes.count - offset }
    public var isAtEnd: Bool { remaining == 0 }

    public mutating func u8() throws(Shortage) -> UInt8 {
        try need(1)
        defer { offset += 1 }
        return bytes[offset]
    }

    public mutating func i8() throws(Shortage) -> Int8 { Int8(bitPattern: try u8()) }
    public mutating func u16() throws(Shortage) -> UInt16 { UInt16(truncatingIfNeeded: try little(2)) }
    public mutating func i16() throws(Shortage) -> Int16 { Int16(bitPattern: try u16()) }
    public mutating func u32() throws(Shortage) -> UInt32 { UInt32(truncatingIfNeeded: try little(4)) }
    public mutating func i32() throws(Shortage) -> Int32 { Int32(bitPattern: try u32()) }

    /// The next `count` bytes.
    public mutating func take(_ count: Int) throws(Shortage) -> [UInt8] {
        try need(count)
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// All bytes that are left, possibly none.
    public mutating func rest() -> [UInt8] {
        defer { offset = bytes.count }
        return Array(bytes[offset...])
    }

    public mutating func skip(_ count: Int) throws(Shortage) {
        try need(count)
        offset += count
    }

    private func need(_ count: Int) throws(Shortage) {
        guard count >= 0, remaining >= count else {
            throw Shortage(offset: offset, wanted: count, available: remaining)
        }
    }

    private mutating func little(_ count: Int) throws(Shortage) -> UInt64 {
        try need(count)
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
        offset += count
        return value
    }
}
