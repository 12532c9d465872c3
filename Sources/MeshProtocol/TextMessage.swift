internal import RigBase
internal import RigCrypto

/// How the body of a text is to be read: flag bits 2–7 (mesh-protocol §2.7.2). Unknown values survive.
public struct TextKind: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    /// Six bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x3F }

    public static let plain = TextKind(rawValue: 0)
    /// A command or its reply; never acknowledged by companions.
    public static let commandLine = TextKind(rawValue: 1)
    /// A room's post: the author's key prefix comes before the text.
    public static let signedPlain = TextKind(rawValue: 2)
}

/// The plaintext of a TXT_MSG: timestamp(4), flags(1), for `signedPlain` the author's prefix(4), text.
public struct TextMessage: Hashable, Sendable {
    /// The most text bytes; two fewer when `attempt` is above 3.
    public static let maximumText = 160

    /// Seconds, by the sender's clock or its app's.
    public var timestamp: UInt32
    /// Above 3 it also follows the text after a zero byte, in plain texts only.
    public var attempt: UInt8
    public var type: TextKind
    /// Four bytes in a `signedPlain`, else empty.
    public var authorPrefix: [UInt8]
    /// UTF-8 without a zero byte.
    public var text: [UInt8]

    public init(
        timestamp: UInt32, attempt: UInt8 = 0, type: TextKind = .plain, authorPrefix: [UInt8] = [], text: [UInt8]
    ) {
        precondition(authorPrefix.count == (type == .signedPlain ? 4 : 0), "only signed texts have an author prefix")
        self.timestamp = timestamp
        self.attempt = attempt
        self.type = type
        self.authorPrefix = authorPrefix
        self.text = text
    }

    /// Reads what a receiver opened, padding included; nil when there is no body byte.
    public init?(opened: [UInt8]) {
        var reader = ByteReader(opened)
        guard opened.count > 5, let timestamp = try? reader.u32(), let flags = try? reader.u8() else { return nil }
        self.timestamp = timestamp
        type = TextKind(rawValue: flags >> 2)
        authorPrefix = []
        if type == .signedPlain {
            guard let prefix = try? reader.take(4) else { return nil }
            authorPrefix = prefix
        }
        text = Array(reader.rest().prefix { $0 != 0 })
        attempt = flags & 3
        if type == .plain, let extra = Self.ackExtra(opened: opened), extra > 3, extra & 3 == attempt {
            attempt = extra
        }
    }

    /// Type and the low two bits of the attempt.
    public var flags: UInt8 { type.rawValue << 2 | attempt & 3 }

    /// What is sealed.
    public var plaintext: [UInt8] {
        var writer = ByteWriter(reserving: 11 + text.count)
        writer.u32(timestamp)
        writer.u8(flags)
        writer.append(authorPrefix)
        writer.append(text)
        if type == .plain, attempt > 3 {
            writer.u8(0)
            writer.u8(attempt)
        }
        return writer.bytes
    }

    /// Whether the text fits a packet.
    public var isSendable: Bool { text.count <= Self.maximumText - (attempt > 3 ? 2 : 0) }

    /// The acknowledgement this text asks for: `key` is the sender's for plain texts, the recipient's for signed ones.
    public func ackHash(key: PublicKey) -> AckHash {
        AckHash(over: TextMessage(self, attempt: attempt & 3).plaintext, key: key)
    }

    /// The fifth byte of a companion's six-byte ACK: what stands after the text's zero byte in the opened plaintext.
    /// Nil when the plaintext has no such byte; a node then sends whatever its memory holds (mesh-protocol §3.2).
    public static func ackExtra(opened: [UInt8]) -> UInt8? {
        guard opened.count > 5, let end = opened[5...].firstIndex(of: 0), end + 1 < opened.count else { return nil }
        return opened[end + 1]
    }

    private init(_ other: TextMessage, attempt: UInt8) {
        self = other
        self.attempt = attempt
    }
}

/// The four bytes that confirm a text or a keep-alive (mesh-protocol §3.1).
public struct AckHash: Hashable, Sendable, CustomStringConvertible {
    /// The bytes as a little-endian number.
    public let value: UInt32

    public init(value: UInt32) { self.value = value }

    /// The start of SHA-256 over `bytes` and the key.
    public init(over bytes: [UInt8], key: PublicKey) {
        let hash = Digest.sha256(bytes + key.bytes)
        value = UInt32(hash[0]) | UInt32(hash[1]) << 8 | UInt32(hash[2]) << 16 | UInt32(hash[3]) << 24
    }

    /// The first four bytes of an ACK payload; nil when there are fewer.
    public init?(parsing payload: some Collection<UInt8>) {
        guard payload.count >= 4 else { return nil }
        value = payload.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    public var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) } }
    public var description: String { Hex.encode(bytes) }
}
