internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// The repeater firmware: passes packets on by its forwarding policy and announces itself (mesh-protocol §4.10, §4.11).
final class Repeater: NodeRole {
    unowned let node: Node
    let displayName: [UInt8]
    let position: Position
    var policy: ForwardingPolicy
    private let regions: [RegionKey]
    private let settings: NodeSettings
    /// Milliseconds after which the timed adverts go out; nil when off.
    private var localAdvertAfter: Int64?
    private var floodAdvertAfter: Int64?

    init(node: Node, spec: NodeSpec) {
        self.node = node
        displayName = Array((spec.displayName ?? spec.name).utf8)
        position = spec.position ?? Position(latitude: 0, longitude: 0)
        policy = spec.settings.forwarding
        regions = policy.regions.map { RegionKey(named: $0) }
        settings = spec.settings
    }

    var packetPool: Int { 32 }
    var multiAcks: UInt8 { settings.multiAcks ?? 0 }
    var pathHashMode: UInt8 { min(2, settings.pathHashMode ?? 0) }
    var floodDelayFactor: Float { Float(policy.floodFactorMilli) / 1000 }
    var directDelayFactor: Float { Float(policy.directFactorMilli) / 1000 }
    var receiveDelayBase: Float { Float(settings.rxDelayMilli ?? 0) / 1000 }
    var airtimeFactor: Float { Float(settings.airtimeFactorMilli ?? 1000) / 1000 }

    // MARK: Adverts

    func start() {
        let ready = node.firstPass - 1
        scheduleTimers(from: ready)
        guard policy.advertsOnBoot, let advert = makeAdvert(at: ready) else { return }
        node.sendZeroHop(advert, delay: ready + 16_000 - node.now)
    }

    private func scheduleTimers(from time: Int64) {
        scheduleLocalAdvert(from: time)
        floodAdvertAfter = policy.floodAdvertHours > 0 ? time + Int64(policy.floodAdvertHours) * 3_600_000 : nil
    }

    private func scheduleLocalAdvert(from time: Int64) {
        localAdvertAfter = policy.localAdvertMinutes > 0 ? time + Int64(policy.localAdvertMinutes) * 60_000 : nil
    }

    private func makeAdvert(at time: Int64) -> HeldPacket? {
        var writer = ByteWriter()
        let name = Companion.wholeCharacters(of: displayName, limit: 23)
        writer.u8(2 | 0x10 | (name.isEmpty ? 0 : 0x80))
        writer.i32(position.latitude)
        writer.i32(position.longitude)
        writer.append(name)
        return node.makeAdvert(appData: writer.bytes)
    }

    func pass() {
        if let time = floodAdvertAfter, node.now > time {
            if let advert = makeAdvert(at: node.now) { node.sendFlood(advert) }
            scheduleTimers(from: node.now)
        } else if let time = localAdvertAfter, node.now > time {
            if let advert = makeAdvert(at: node.now) { node.sendZeroHop(advert) }
            scheduleLocalAdvert(from: node.now)
        }
    }

    func nextDue() -> Int64 { [localAdvertAfter, floodAdvertAfter].compactMap { $0 }.min().map { $0 + 1 } ?? .max }

    /// An advert on request, as the console's `advert` commands send it.
    func advertise(flood: Bool, cause: EventID?) {
        node.now = max(node.now, node.world.millisecond)
        node.cause = cause
        defer { node.cause = nil }
        guard node.isOn, let advert = makeAdvert(at: node.now) else { return }
        if flood { node.sendFlood(advert, delay: 1_500) } else { node.sendZeroHop(advert, delay: 1_500) }
    }

    // MARK: Forwarding

    func allowsForwarding(of held: HeldPacket) -> Bool {
        guard policy.isEnabled else { return false }
        let packet = held.packet
        guard packet.route.isFlood else { return true }
        let hops = packet.pathLength.hopCount
        if hops >= policy.floodMax { return false }
        if packet.route == .flood, hops >= policy.unscopedMax { return false }
        if packet.type == .advert, hops >= policy.advertMax { return false }
        let isInRegion =
            packet.route == .flood ? policy.allowsUnscoped : regions.contains { $0.matches(packet) }
        return isInRegion && !isLoop(packet)
    }

    private func isLoop(_ packet: Packet) -> Bool {
        let size = packet.pathLength.hashSize
        guard let limit = policy.loopDetection.limit(entrySize: min(3, size)) else { return false }
        let mine = node.publicKey.prefix(size)
        let own = stride(from: 0, to: packet.path.count, by: size)
            .count { packet.path[$0...].starts(with: mine) }
        return own >= limit
    }

    // MARK: Packets for the repeater itself

    func rawReceived(_ reception: Reception) {}
    func peers(hash: UInt8) -> [Int] { [] }
    func secret(ofPeer peer: Int) -> SharedSecret { preconditionFailure("a repeater without clients has no peers") }
    func received(_ type: PayloadType, from peer: Int, plain: [UInt8], packet: inout HeldPacket) {}
    func receivedPath(_ path: ReturnedPath, from peer: Int, packet: inout HeldPacket) -> Bool { false }
    func receivedAnonymous(from key: PublicKey, plain: [UInt8], packet: HeldPacket) {
        node.ignore(packet, "login-not-accepted")
    }
    func receivedGroup(_ packet: HeldPacket) {}
    func received(_ advert: ReceivedAdvert, packet: HeldPacket) {}
    func receivedAck(_ ack: [UInt8], packet: HeldPacket) -> Bool { false }
    func receivedTrace(_ packet: HeldPacket) {}
    func receivedControl(_ packet: HeldPacket) {}
    func receivedRaw(_ packet: HeldPacket) {}
    func stopping(orderly: Bool) {}
}
