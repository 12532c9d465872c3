/// The receive buffer of the firmware: never cleared, so that a short command sees the bytes of earlier, longer ones
/// (companion-protocol §2.2, §15.5).
struct CommandBuffer {
    static let size = 177

    private(set) var bytes = [UInt8](repeating: 0, count: size)
    /// Length of the command being handled.
    private(set) var length = 0

    /// Puts a command at the start; with `clearing` nothing of earlier ones is left behind it.
    mutating func load(_ frame: [UInt8], clearing: Bool) {
        length = min(frame.count, Self.size - 1)
        if clearing { bytes = [UInt8](repeating: 0, count: Self.size) }
        bytes.replaceSubrange(0..<length, with: frame[..<length])
    }

    /// A byte of the buffer, also behind the command; 0 behind the buffer.
    subscript(offset: Int) -> UInt8 {
        get { bytes.indices.contains(offset) ? bytes[offset] : 0 }
        set { if bytes.indices.contains(offset) { bytes[offset] = newValue } }
    }

    func u16(_ offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

    func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }

    func i32(_ offset: Int) -> Int32 { Int32(bitPattern: u32(offset)) }

    func slice(_ offset: Int, _ count: Int) -> [UInt8] { (0..<max(0, count)).map { self[offset + $0] } }

    /// From `offset` to the end of the command.
    func rest(_ offset: Int) -> [UInt8] { slice(offset, length - offset) }

    /// From `offset` to the first NUL, at most `limit` bytes.
    func text(_ offset: Int, limit: Int) -> [UInt8] { Array(slice(offset, limit).prefix { $0 != 0 }) }

    func hasText(_ text: StaticString, at offset: Int) -> Bool {
        text.withUTF8Buffer { expected in
            for (index, byte) in expected.enumerated() where self[offset + index] != byte { return false }
            return true
        }
    }
}

/// The buffer in which the firmware builds most of its frames; what a frame does not write shows bytes of earlier
/// frames (companion-protocol §15.6).
struct OutputBuffer {
    private var bytes = [UInt8](repeating: 0, count: CommandBuffer.size)
    private(set) var count = 0

    mutating func begin(_ code: UInt8) {
        count = 0
        u8(code)
    }

    mutating func u8(_ value: UInt8) {
        if count < bytes.count { bytes[count] = value }
        count += 1
    }

    mutating func i8(_ value: Int8) { u8(UInt8(bitPattern: value)) }

    mutating func u16(_ value: UInt16) {
        u8(UInt8(truncatingIfNeeded: value))
        u8(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func u32(_ value: UInt32) {
        u16(UInt16(truncatingIfNeeded: value))
        u16(UInt16(truncatingIfNeeded: value >> 16))
    }

    mutating func i32(_ value: Int32) { u32(UInt32(bitPattern: value)) }

    mutating func append(_ more: some Sequence<UInt8>) { for byte in more { u8(byte) } }

    /// A field of fixed size, zero-padded.
    mutating func field(_ value: some Collection<UInt8>, size: Int) {
        append(value.prefix(size))
        for _ in 0..<max(0, size - value.count) { u8(0) }
    }

    /// A text with its NUL in a field of fixed size whose other bytes stay as they are.
    mutating func textField(_ value: some Collection<UInt8>, size: Int) {
        let end = count + size
        append(value.prefix(size - 1))
        u8(0)
        count = end
    }

    /// Four bytes that earlier frames have left.
    func leftover(_ offset: Int) -> Int32 {
        Int32(truncatingIfNeeded: (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) })
    }

    /// The frame as far as it has been built; one that ran over the buffer keeps its length.
    var frame: [UInt8] {
        count <= bytes.count ? Array(bytes[..<count]) : bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }
}
