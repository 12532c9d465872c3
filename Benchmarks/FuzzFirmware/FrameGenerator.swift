internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase

/// What a host, a noisy line or the air might hand to a companion: from pure noise to almost right.
struct FrameGenerator {
    /// One thing given to the node.
    enum Input {
        /// A frame, to be put into an envelope.
        case command([UInt8])
        /// Bytes on the serial line as they are.
        case bytes([UInt8])
        case packet([UInt8])
    }

    private var random: Prng
    private let node: Identity
    private let peers: [Identity]
    private let samples: [[UInt8]]

    init(random: Prng, node: Identity, peers: [Identity]) {
        self.random = random
        self.node = node
        self.peers = peers
        samples = CommandCatalog.all.flatMap { Self.frames(of: $0) }
    }

    private static func frames(of command: any CompanionCommand.Type) -> [[UInt8]] {
        func encoded<C: CompanionCommand>(_ type: C.Type) -> [[UInt8]] { type.samples.map(\.encoded) }
        return encoded(command)
    }

    mutating func next() -> Input {
        switch below(10) {
        case 0...5: .command(command())
        case 6 where below(4) == 0: .bytes(line())
        default: .packet(packet())
        }
    }

    /// Milliseconds until the next input: mostly none, sometimes long enough for every timer.
    mutating func pause() -> Int64 {
        switch below(100) {
        case 0: Int64(below(60_000))
        case 1...5: Int64(below(2_000))
        case 6...60: Int64(below(3))
        default: 0
        }
    }

    // MARK: Commands

    private mutating func command() -> [UInt8] {
        switch below(6) {
        case 0: return [UInt8(below(256))] + noise(below(180))
        case 1: return [UInt8(below(66))] + fill(below(180))
        case 2: return addressed()
        case 3: return mutated(samples[below(samples.count)])
        case 4: return samples[below(samples.count)]
        default: return Array(mutated(addressed()).prefix(below(180)))
        }
    }

    /// A command with the key of a peer, of the node itself or of nobody where a key may stand.
    private mutating func addressed() -> [UInt8] {
        var frame = [UInt8(below(66))] + fill(34 + below(140))
        let key = key()
        let place = [1, 2, 4, 7][below(4)]
        frame.replaceSubrange(place..<min(place + 32, frame.count), with: key.prefix(frame.count - place))
        return frame
    }

    private mutating func key() -> [UInt8] {
        switch below(8) {
        case 0: [UInt8](repeating: 0, count: 32)
        case 1: node.publicKey.bytes
        case 2: noise(32)
        default: peers[below(peers.count)].publicKey.bytes
        }
    }

    /// The serial line: whole frames cut and joined, lengths that promise too much, noise with start bytes.
    private mutating func line() -> [UInt8] {
        let frame = command()
        switch below(5) {
        case 0: return noise(below(40))
        case 1: return [0x3C, random.byte(), UInt8(below(32) / 31)] + frame
        case 2: return Array(envelope(frame).prefix(below(frame.count + 3)))
        case 3: return envelope(noise(170 + below(200)))
        default: return envelope(frame) + envelope(command()) + [0x3C]
        }
    }

    func envelope(_ frame: [UInt8]) -> [UInt8] {
        [0x3C, UInt8(truncatingIfNeeded: frame.count), UInt8(truncatingIfNeeded: frame.count >> 8)] + frame
    }

    // MARK: Packets

    private mutating func packet() -> [UInt8] {
        switch below(6) {
        case 0: return noise(1 + below(254))
        case 1: return mutated(built())
        default: return built()
        }
    }

    private mutating func built() -> [UInt8] {
        let route = RouteType(rawValue: UInt8(below(4))) ?? .flood
        let (type, payload) = payload()
        var length = PathLength(rawValue: [0, 0, 0x40, 0x80, UInt8(below(192))][below(5)])
        if !length.isValid { length = .empty }
        var path = noise(length.byteCount)
        if below(2) == 0 {
            path.replaceSubrange(0..<min(1, path.count), with: node.publicKey.prefix(min(1, path.count)))
        }
        let codes = TransportCodes(a: UInt16(below(65_536)), b: UInt16(below(2)))
        return Packet(
            route: route, type: type, transportCodes: codes, pathLength: length, path: path,
            payload: Array(payload.prefix(Packet.maximumPayload))
        ).encoded
    }

    private mutating func payload() -> (PayloadType, [UInt8]) {
        let peer = peers[below(peers.count)]
        switch below(8) {
        case 0:
            let type = PayloadType(rawValue: UInt8(below(16)))
            return (type, noise(below(185)))
        case 1:
            let envelope = ChannelEnvelope(fill(1 + below(160)), channel: .publicChannel)
            return (below(2) == 0 ? .groupText : .groupData, envelope.encoded)
        case 2 where below(8) == 0:
            let content = [[0x81, 0x91, 0x80, UInt8(below(256))][below(4)]] + noise(below(31))
            let advert = Advert(identity: peer, timestamp: UInt32(below(1 << 30)) * 4, appData: content)
            return (.advert, advert.encoded)
        case 3: return (.trace, noise(8) + [UInt8(below(4))] + fill(below(170)))
        case 4: return (.control, [UInt8(0x80 | below(128))] + noise(below(180)))
        case 5: return (below(2) == 0 ? .ack : .multipart, [UInt8(below(256))] + fill(below(8)))
        default:
            let type: PayloadType = [.request, .response, .textMessage, .path][below(4)]
            let plain = fill(1 + below(160))
            let envelope = PeerEnvelope(
                plain, from: peer.publicKey, to: node.publicKey, secret: peer.sharedSecret(with: node.publicKey))
            return (type, envelope.encoded)
        }
    }

    // MARK: Bytes

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }

    private mutating func noise(_ count: Int) -> [UInt8] { (0..<max(0, count)).map { _ in random.byte() } }

    /// Bytes that are more often alike than noise is.
    private mutating func fill(_ count: Int) -> [UInt8] {
        switch below(5) {
        case 0: [UInt8](repeating: 0, count: count)
        case 1: [UInt8](repeating: 0xFF, count: count)
        case 2: (0..<max(0, count)).map { _ in UInt8(below(4)) }
        default: noise(count)
        }
    }

    /// A few bytes changed, dropped, doubled or put in.
    private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        for _ in 0...below(4) where !changed.isEmpty {
            let place = below(changed.count)
            switch below(5) {
            case 0: changed[place] = random.byte()
            case 1: changed[place] ^= 1 << UInt8(below(8))
            case 2: changed.remove(at: place)
            case 3: changed.insert(random.byte(), at: place)
            default: changed = Array(changed[..<place])
            }
        }
        return changed
    }
}
