/// The plaintext of a PATH: the path a flood took, with an ACK or RESPONSE riding along (mesh-protocol §2.7.5).
public struct PathReturn: Hashable, Sendable {
    public var pathLength: PathLength
    /// First entry = first forwarder after the originator.
    public var path: [UInt8]
    /// Low nibble a payload type; 0xFF for none. Receivers ignore the high nibble.
    public var extraType: UInt8
    /// After opening with up to 15 zero bytes more than were sent.
    public var extra: [UInt8]

    /// With an ACK or RESPONSE payload as the extra part.
    public init(pathLength: PathLength, path: [UInt8], carrying type: PayloadType, _ extra: [UInt8]) {
        self.init(pathLength: pathLength, path: path, extraType: type.rawValue, extra: extra)
    }

    /// Without an extra part; the four random bytes keep the packet's hash unique.
    public init(pathLength: PathLength, path: [UInt8], random: [UInt8]) {
        precondition(random.count == 4, "four random bytes follow")
        self.init(pathLength: pathLength, path: path, extraType: 0xFF, extra: random)
    }

    private init(pathLength: PathLength, path: [UInt8], extraType: UInt8, extra: [UInt8]) {
        precondition(path.count == pathLength.byteCount, "the path does not have the length its length byte says")
        self.pathLength = pathLength
        self.path = path
        self.extraType = extraType
        self.extra = extra
    }

    /// Reads what was opened; nil when the path length is invalid or path and extra type do not fit.
    public init?(opened: [UInt8]) {
        guard let first = opened.first else { return nil }
        pathLength = PathLength(rawValue: first)
        let typeAt = 1 + pathLength.byteCount
        guard pathLength.isValid, opened.count > typeAt else { return nil }
        path = Array(opened[1..<typeAt])
        extraType = opened[typeAt]
        extra = Array(opened[(typeAt + 1)...])
    }

    /// What rides along; meaningless values occur when nothing does.
    public var payloadType: PayloadType { PayloadType(rawValue: extraType) }

    public var plaintext: [UInt8] { [pathLength.rawValue] + path + [extraType] + extra }

    /// Whether path and extra part fit one packet: their bytes plus 5 are at most 166.
    public var isSendable: Bool { path.count + extra.count + 5 <= 166 }
}
