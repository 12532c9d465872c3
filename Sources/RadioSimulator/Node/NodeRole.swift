internal import MeshProtocol
internal import RunRecord

/// A frame as the radio hands it to the firmware.
struct Reception {
    let transmission: Transmission
    let snrQuarterDB: Int8
    let rssi: Int8
    /// The journal's `packet-received`.
    let event: EventID

    var bytes: [UInt8] { transmission.bytes }
    var lineage: UInt64 { transmission.lineage }
}

/// What a firmware program adds to the mesh layer every node has. The mesh layer calls it; it calls the node back.
protocol NodeRole: AnyObject {
    /// Packet buffers the program has.
    var packetPool: Int { get }
    var multiAcks: UInt8 { get }
    /// Entry size − 1 of the floods this node originates.
    var pathHashMode: UInt8 { get }
    var floodDelayFactor: Float { get }
    var directDelayFactor: Float { get }
    var receiveDelayBase: Float { get }
    var airtimeFactor: Float { get }

    /// Set-up, once after each boot.
    func start()
    /// What the program does in a pass before the mesh layer: reading its console.
    func beforeMesh()
    /// The program's own part of a loop pass, after the mesh layer's.
    func pass()
    /// First millisecond in which `pass` has something to do; not after the current one when it has now.
    func nextDue() -> Int64

    /// Every received frame, before anything else happens with it.
    func rawReceived(_ reception: Reception)
    /// Whether passing on packets of others is part of the program's business just now.
    var isForwarder: Bool { get }
    /// Whether the 64th entry of a path empties it, as in the firmware (mesh-protocol §4.6).
    var overflowsFullPaths: Bool { get }
    /// Whether an acknowledgement for this node that is also to be passed on leaves as junk (mesh-protocol §8.6).
    var sendsJunkAcks: Bool { get }
    /// Floods wait a whole number of delay units, 0 to 5, instead of any time up to five units.
    var delaysInSteps: Bool { get }
    func allowsForwarding(of held: HeldPacket) -> Bool
    /// Why a flood is not passed on, nil when it is.
    func refusal(of held: HeldPacket) -> String?
    /// Peers whose key begins with this byte, at most eight, in the order in which they are tried.
    func peers(hash: UInt8) -> [Int]
    func secret(ofPeer peer: Int) -> SharedSecret
    /// A request, response or text from a peer.
    func received(_ type: PayloadType, from peer: Int, plain: [UInt8], packet: inout HeldPacket)
    /// A returned path from a peer; true asks the mesh layer to return one as well if it came by flood.
    func receivedPath(_ path: ReturnedPath, from peer: Int, packet: inout HeldPacket) -> Bool
    func receivedAnonymous(from key: PublicKey, plain: [UInt8], packet: HeldPacket)
    func receivedGroup(_ packet: HeldPacket)
    /// An advert with a good signature.
    func received(_ advert: ReceivedAdvert, packet: HeldPacket)
    /// Four bytes of an acknowledgement; true when it was for this node, which ends the packet's journey.
    func receivedAck(_ ack: [UInt8], packet: HeldPacket) -> Bool
    func receivedTrace(_ packet: HeldPacket)
    func receivedControl(_ packet: HeldPacket)
    func receivedRaw(_ packet: HeldPacket)
    /// The node is about to lose its power or to restart in an orderly way.
    func stopping(orderly: Bool)
}

extension NodeRole {
    var isForwarder: Bool { true }
    var overflowsFullPaths: Bool { true }
    var sendsJunkAcks: Bool { true }
    var delaysInSteps: Bool { false }
    func refusal(of held: HeldPacket) -> String? { allowsForwarding(of: held) ? nil : "forwarding-refused" }
    func beforeMesh() {}
}

/// Plaintext of a PATH packet (mesh-protocol §2.7.5).
struct ReturnedPath {
    var length: PathLength
    var path: [UInt8]
    /// Low nibble of the extra type.
    var extraType: UInt8
    /// Extra bytes with their zero padding.
    var extra: [UInt8]

    /// Nil for a path length that is not valid or asks for more than there is.
    init?(plain: [UInt8]) {
        guard let first = plain.first else { return nil }
        length = PathLength(rawValue: first)
        let end = 1 + length.byteCount
        guard length.isValid, plain.count >= end else { return nil }
        path = Array(plain[1..<end])
        extraType = plain.count > end ? plain[end] & 0x0F : 0x0F
        extra = Array(plain.dropFirst(end + 1))
    }
}

/// An advert packet's content before its application data is looked at (mesh-protocol §2.7.10).
struct ReceivedAdvert {
    var key: PublicKey
    var timestamp: UInt32
    /// At most 32 bytes.
    var appData: [UInt8]
}
