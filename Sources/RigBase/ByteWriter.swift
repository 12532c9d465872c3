/// Builds bytes from little-endian values, one after the other.
public struct ByteWriter: Sendable {
    public private(set) var bytes: [UInt8]

    public init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    public var count: Int { bytes.count }

    public mutating func u8(_ value: UInt8) { bytes.append(value) }
    public mutating func i8(_ value: Int8) { bytes.append(UInt8(bitPattern: value)) }
    public mutating func u16(_ value: UInt16) { little(UInt64(value), 2) }
    public mutating func i16(_ value: Int16) { u16(UInt16(bitPattern: value)) }
    public mutating func u32(_ value: UInt32) { little(UInt64(value), 4) }
    public mutating func i32(_ value: Int32) { u32(UInt32(bitPattern: value)) }
    public mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
    public mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: max(0, count))) }

    /// A field of fixed size: cut at `size` bytes, padded with zeros.
    public mutating func field(_ value: some Collection<UInt8>, size: Int) {
        append(value.prefix(size))
        zeros(size - value.count)
    }

    private mutating func little(_ value: UInt64, _ count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
    }
}
