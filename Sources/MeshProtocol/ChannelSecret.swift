internal import RigBase
internal import RigCrypto

/// The key of a group channel with the hash that names it on the air (mesh-protocol §2.5).
public struct ChannelSecret: Hashable, Sendable {
    private let secret: SharedSecret
    /// One byte, from the key over its real length.
    public let hash: UInt8

    /// A 16-byte key, the only kind the companion's commands take.
    public init(key16: [UInt8]) {
        precondition(key16.count == 16, "a short channel key has 16 bytes")
        self.init(secret32: key16 + [UInt8](repeating: 0, count: 16))
    }

    /// The 32 bytes a node holds. It counts as a 16-byte key when the second half is zero.
    public init(secret32: [UInt8]) {
        secret = SharedSecret(secret32)
        let isShort = secret32[16...].allSatisfy { $0 == 0 }
        hash = Digest.sha256(isShort ? Array(secret32[..<16]) : secret32)[0]
    }

    /// A slot that was never written: zero key, but hash 0x00 instead of the key's own.
    public static let unwrittenSlot = ChannelSecret(secret: SharedSecret([UInt8](repeating: 0, count: 32)), hash: 0)

    /// The channel every companion has in slot 0 when it is new, named "Public".
    public static let publicChannel = ChannelSecret(
        key16: Hex.decode("8b3387e9c5cdea6ac9e5edbaa115cd72") ?? [])

    /// The apps' convention for a name with its leading `#`: the key is the start of the name's SHA-256.
    public static func hashtag(_ name: String) -> ChannelSecret {
        ChannelSecret(key16: Array(Digest.sha256(Array(name.utf8))[..<16]))
    }

    private init(secret: SharedSecret, hash: UInt8) {
        self.secret = secret
        self.hash = hash
    }

    /// All 32 bytes.
    public var secret32: [UInt8] { secret.bytes }
    /// The first 16 bytes, which commands carry.
    public var key16: [UInt8] { Array(secret.bytes[..<16]) }

    public func seal(_ plain: [UInt8]) -> [UInt8] { secret.seal(plain) }
    public func open(_ blob: [UInt8]) -> [UInt8]? { secret.open(blob) }
}
