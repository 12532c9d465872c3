internal import RigBase

/// Why bytes with a known code are not the frame the code stands for.
public enum FrameDefect: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    /// Fewer bytes than the frame's fixed part; both numbers count the code byte.
    case tooShort(needed: Int, got: Int)
    /// A length between two forms of the frame that no release sends.
    case oddLength(Int)
    /// A contact or route with the hash-size code 3.
    case reservedPathEncoding(UInt8)
    /// A path that is longer than what is left of the frame.
    case truncatedPath
    /// A signed text without its author's key prefix.
    case missingAuthor
    /// A sub-type the frame does not have.
    case unknownKind(UInt8)
    /// A fixed word (`reboot`, `reset`) that is not there.
    case wrongWord

    public var description: String {
        switch self {
        case .empty: "empty frame"
        case .tooShort(let needed, let got): "\(got) bytes, at least \(needed) wanted"
        case .oddLength(let length): "\(length) bytes fit no form of the frame"
        case .reservedPathEncoding(let byte): "reserved path encoding 0x" + Hex.encode([byte])
        case .truncatedPath: "path is cut off"
        case .missingAuthor: "signed text without author"
        case .unknownKind(let kind): "unknown kind \(kind)"
        case .wrongWord: "the fixed word is missing"
        }
    }
}

/// Reads the body of one frame; its errors count offsets from the code byte.
public struct FrameReader: Sendable {
    private var reader: ByteReader

    /// `frame` begins with the code byte, which is skipped.
    public init(_ frame: [UInt8]) { reader = ByteReader(frame, at: 1) }

    public var remaining: Int { reader.remaining }
    public var isAtEnd: Bool { reader.isAtEnd }
    /// Length of the whole frame, code byte included.
    public var frameLength: Int { reader.bytes.count }

    /// Refuses a frame shorter than `length` bytes, code byte included.
    public func require(frameLength length: Int) throws(FrameDefect) {
        guard frameLength >= length else { throw .tooShort(needed: length, got: frameLength) }
    }

    public mutating func u8() throws(FrameDefect) -> UInt8 { try take(1)[0] }
    public mutating func i8() throws(FrameDefect) -> Int8 { Int8(bitPattern: try u8()) }
    public mutating func u16() throws(FrameDefect) -> UInt16 { UInt16(try little(2)) }
    public mutating func i16() throws(FrameDefect) -> Int16 { Int16(bitPattern: try u16()) }
    public mutating func u32() throws(FrameDefect) -> UInt32 { UInt32(try little(4)) }
    public mutating func i32() throws(FrameDefect) -> Int32 { Int32(bitPattern: try u32()) }

    public mutating func take(_ count: Int) throws(FrameDefect) -> [UInt8] {
        guard let bytes = try? reader.take(count) else {
            throw .tooShort(needed: reader.offset + count, got: frameLength)
        }
        return bytes
    }

    public mutating func key() throws(FrameDefect) -> [UInt8] { try take(CompanionLimits.publicKeySize) }
    public mutating func keyPrefix() throws(FrameDefect) -> [UInt8] { try take(CompanionLimits.keyPrefixSize) }

    /// A text field of fixed size, which ends at its first NUL.
    public mutating func nameField(_ size: Int) throws(FrameDefect) -> WireText { .untilNUL(try take(size)) }

    /// A 32-byte name field as radios send it: 31 bytes at most, the last one is always NUL.
    mutating func radioName() throws(FrameDefect) -> WireText {
        .untilNUL(try take(CompanionLimits.maxNameSize + 1).dropLast())
    }

    public mutating func skip(_ count: Int) throws(FrameDefect) { _ = try take(count) }

    /// Everything that is left, possibly nothing.
    public mutating func rest() -> [UInt8] { reader.rest() }

    private mutating func little(_ count: Int) throws(FrameDefect) -> UInt64 {
        var value: UInt64 = 0
        for (index, byte) in try take(count).enumerated() { value |= UInt64(byte) << (8 * UInt64(index)) }
        return value
    }
}
