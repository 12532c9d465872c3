internal import RigBase

/// The plaintext of a GRP_TXT: timestamp(4), flags(1), "sender name: text" (mesh-protocol §2.7.9).
public struct GroupText: Hashable, Sendable {
    /// The most bytes of name, separator and text together.
    public static let maximumLine = 160

    public var timestamp: UInt32
    public var flags: UInt8
    /// Name, ": " and text in UTF-8; the name is whatever the sender wrote.
    public var line: [UInt8]

    /// Cuts the text, at a byte and not a character, so that the line fits.
    public init(timestamp: UInt32, senderName: [UInt8], text: [UInt8]) {
        self.timestamp = timestamp
        flags = 0
        line = Array((senderName + Array(": ".utf8) + text).prefix(Self.maximumLine))
    }

    /// Reads what a channel's key opened; nil for another text type or fewer than five bytes.
    public init?(opened: [UInt8]) {
        var reader = ByteReader(opened)
        guard let timestamp = try? reader.u32(), let flags = try? reader.u8(), flags >> 2 == 0 else { return nil }
        self.timestamp = timestamp
        self.flags = flags
        line = Array(reader.rest().prefix { $0 != 0 })
    }

    public var plaintext: [UInt8] {
        var writer = ByteWriter(reserving: 5 + line.count)
        writer.u32(timestamp)
        writer.u8(flags)
        writer.append(line)
        return writer.bytes
    }
}

/// The plaintext of a GRP_DATA: data type(2), length(1), data.
public struct GroupData: Hashable, Sendable {
    public static let maximumData = 165
    /// The data type for development; 0x0000 is refused by the send command.
    public static let developerType: UInt16 = 0xFFFF

    public var dataType: UInt16
    public var data: [UInt8]

    /// `data` has at most 165 bytes.
    public init(dataType: UInt16, data: [UInt8]) {
        precondition(data.count <= Self.maximumData, "group data has at most 165 bytes")
        self.dataType = dataType
        self.data = data
    }

    /// Reads what a channel's key opened; nil when the length exceeds what was opened.
    public init?(opened: [UInt8]) {
        var reader = ByteReader(opened)
        guard let dataType = try? reader.u16(), let length = try? reader.u8(),
            let data = try? reader.take(Int(length))
        else { return nil }
        self.dataType = dataType
        self.data = data
    }

    public var plaintext: [UInt8] {
        var writer = ByteWriter(reserving: 3 + data.count)
        writer.u16(dataType)
        writer.u8(UInt8(truncatingIfNeeded: data.count))
        writer.append(data)
        return writer.bytes
    }
}
