internal import MeshProtocol

/// What takes long to work out about a payload, worked out once for all nodes that meet it.
///
/// A flood is hashed and its signature checked once however many nodes repeat and receive it, and a channel's text is
/// opened once for each secret. Nothing here depends on who asks.
final class PayloadFacts {
    let type: PayloadType
    let payload: [UInt8]
    private unowned let work: WorkCounter
    private var hash: PacketHash?
    private var authenticity: Bool?
    private var openings: [(secret: ChannelSecret, plain: [UInt8]?)] = []

    init(_ packet: Packet, work: WorkCounter) {
        type = packet.type
        payload = packet.payload
        self.work = work
    }

    func describe(_ packet: Packet) -> Bool { type == packet.type && payload == packet.payload }

    /// The hash of a packet with this payload. That of a TRACE also counts its hops and is worked out each time.
    func hash(of packet: Packet) -> PacketHash {
        if let hash { return hash }
        work.counts.hashes += 1
        let made = packet.hash
        if type != .trace { hash = made }
        return made
    }

    /// Whether an advert's signature is its key's; at least 100 bytes of payload.
    func isAuthentic(_ key: PublicKey, appData: [UInt8]) -> Bool {
        if let authenticity { return authenticity }
        work.counts.signatureChecks += 1
        let good = key.verify(Array(payload[36..<100]), of: Array(payload[..<36]) + appData)
        authenticity = good
        return good
    }

    /// The text of a channel packet under `secret`; nil when its code does not fit.
    func open(_ secret: ChannelSecret) -> [UInt8]? {
        if let known = openings.first(where: { $0.secret == secret }) { return known.plain }
        work.counts.channelOpenings += 1
        let plain = secret.open(Array(payload[1...]))
        openings.append((secret, plain))
        return plain
    }
}

/// How much a world has done so far, in counts that are the same on every machine.
public struct WorkCounts: Sendable, Hashable {
    /// Milliseconds of single nodes that were gone through.
    public var wakes = 0
    public var transmissions = 0
    /// Frames that reached the end at a linked receiver, received or not.
    public var receptions = 0
    public var hashes = 0
    public var signatureChecks = 0
    public var channelOpenings = 0
    /// Payloads for one node that were decrypted. Who is not meant finds that out by the code before the cipher text.
    public var sealedOpenings = 0
}

/// The counts, where everything in a world can get at them.
final class WorkCounter {
    var counts = WorkCounts()
}
