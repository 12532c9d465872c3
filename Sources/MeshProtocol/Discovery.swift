internal import RigBase

/// A CONTROL payload that asks nodes in range to report (mesh-protocol §2.7.12).
public struct DiscoverRequest: Hashable, Sendable {
    /// Asks for 8-byte key prefixes instead of whole keys.
    public var prefixOnly: Bool
    /// Bit n = node type n is wanted.
    public var filter: UInt8
    public var tag: UInt32
    /// Left out by some senders.
    public var since: UInt32?

    public init(prefixOnly: Bool, filter: UInt8, tag: UInt32, since: UInt32? = nil) {
        self.prefixOnly = prefixOnly
        self.filter = filter
        self.tag = tag
        self.since = since
    }

    /// Nil for another sub-type or below six bytes.
    public init?(parsing payload: [UInt8]) {
        var reader = ByteReader(payload)
        guard let first = try? reader.u8(), first & 0xF0 == 0x80, let filter = try? reader.u8(),
            let tag = try? reader.u32()
        else { return nil }
        self.init(prefixOnly: first & 1 != 0, filter: filter, tag: tag, since: try? reader.u32())
    }

    public func wants(_ type: NodeType) -> Bool { type.rawValue < 8 && filter >> type.rawValue & 1 != 0 }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 10)
        writer.u8(prefixOnly ? 0x81 : 0x80)
        writer.u8(filter)
        writer.u32(tag)
        if let since { writer.u32(since) }
        return writer.bytes
    }
}

/// The answer to a `DiscoverRequest`.
public struct DiscoverResponse: Hashable, Sendable {
    public var nodeType: NodeType
    /// At which the request was heard.
    public var snrQuarterDB: Int8
    public var tag: UInt32
    /// 8 or 32 bytes.
    public var key: [UInt8]

    public init(nodeType: NodeType, snrQuarterDB: Int8, tag: UInt32, key: [UInt8]) {
        self.nodeType = nodeType
        self.snrQuarterDB = snrQuarterDB
        self.tag = tag
        self.key = key
    }

    /// Nil for another sub-type or below 14 bytes.
    public init?(parsing payload: [UInt8]) {
        var reader = ByteReader(payload)
        guard let first = try? reader.u8(), first & 0xF0 == 0x90, let snr = try? reader.i8(),
            let tag = try? reader.u32(), reader.remaining >= 8
        else { return nil }
        self.init(nodeType: NodeType(rawValue: first), snrQuarterDB: snr, tag: tag, key: reader.rest())
    }

    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 6 + key.count)
        writer.u8(0x90 | nodeType.rawValue)
        writer.i8(snrQuarterDB)
        writer.u32(tag)
        writer.append(key)
        return writer.bytes
    }
}
