internal import RigBase

/// A TRACE payload: tag(4), auth code(4), flags(1), hop entries in travel order (mesh-protocol §2.7.11).
public struct Trace: Hashable, Sendable {
    public var tag: UInt32
    public var authCode: UInt32
    /// Bits 0–1 = z: entries have 2^z bytes.
    public var flags: UInt8
    /// All entries, one after the other.
    public var hops: [UInt8]

    public init(tag: UInt32, authCode: UInt32, flags: UInt8, hops: [UInt8]) {
        self.tag = tag
        self.authCode = authCode
        self.flags = flags
        self.hops = hops
    }

    /// Nil below nine bytes.
    public init?(parsing payload: [UInt8]) {
        var reader = ByteReader(payload)
        guard let tag = try? reader.u32(), let authCode = try? reader.u32(), let flags = try? reader.u8() else {
            return nil
        }
        self.init(tag: tag, authCode: authCode, flags: flags, hops: reader.rest())
    }

    /// Bytes an entry: 1, 2, 4 or 8.
    public var entrySize: Int { 1 << Int(flags & 3) }

    /// Where a trace stands after a number of hops made.
    public enum Progress: Hashable, Sendable {
        /// The next forwarder's key begins with these bytes (fewer than `entrySize` at a ragged end).
        case next([UInt8])
        /// Whoever hears it delivers it.
        case ended
    }

    public func progress(afterHops count: Int) -> Progress {
        let offset = count * entrySize
        return offset >= hops.count ? .ended : .next(Array(hops[offset...].prefix(entrySize)))
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 9 + hops.count)
        writer.u32(tag)
        writer.u32(authCode)
        writer.u8(flags)
        writer.append(hops)
        return writer.bytes
    }
}
