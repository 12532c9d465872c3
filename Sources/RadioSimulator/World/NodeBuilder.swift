internal import MeshProtocol
internal import RigBase
internal import RigCrypto
internal import RunRecord

/// Makes nodes from their specs.
struct NodeBuilder {
    let world: World
    private var spec: WorldSpec { world.spec }

    init(world: World) { self.world = world }

    func make(_ node: NodeSpec, index: Int) throws(WorldError) -> Node {
        let identity = Self.identity(of: node)
        let radio = node.radio ?? spec.radio
        let made = Node(
            index: index, name: node.name, world: world, identity: identity, role: NoRole(),
            random: Self.generator(of: node, world: world, boot: 0),
            clock: NodeClock(Self.startTime(of: node, spec), at: 0, drift: node.clockDrift), radio: radio,
            isExclusive: world.isExclusive,
            ringSize: node.profile.duplicateRing, at: 0)
        switch node.role {
        case .companion: made.role = try companion(node, made, identity, radio)
        case .repeater, .room, .sensor:
            if !node.contacts.isEmpty { throw .noContactTable(node.name) }
            made.role = Server(node: made, spec: node, radio: radio)
        }
        return made
    }

    static func startTime(of node: NodeSpec, _ spec: WorldSpec) -> UInt32 {
        UInt32(truncatingIfNeeded: Int64(spec.epoch) + Int64(node.clockOffset))
    }

    static func identity(of node: NodeSpec) -> Identity { node.identity ?? .named(node.name) }

    static func generator(of node: NodeSpec, world: World, boot: Int) -> NodeRandom {
        switch node.random {
        case .stream: .stream(world.random.fork("node", node.name, String(boot)))
        case .recorder(let seed): .recorder(seed: seed)
        }
    }

    // MARK: Companions

    /// Settings of a new companion: the firmware's defaults, less what the spec says.
    static func preferences(_ node: NodeSpec, identity: Identity, radio: RadioParameters) -> Preferences {
        let settings = node.settings
        var name = Array((node.displayName ?? node.name).utf8.prefix(31))
        if name.isEmpty { name = Array(Hex.encode(identity.publicKey.prefix(4)).uppercased().utf8) }
        var made = Preferences(name: name, radio: radio, transmitPower: node.board.transmitPower)
        if let position = node.position {
            made.position = position
            made.advertLocationPolicy = 1
        }
        made.multiAcks = settings.multiAcks ?? made.multiAcks
        made.pathHashMode = min(2, settings.pathHashMode ?? made.pathHashMode)
        made.manualAddContacts = settings.manualAddContacts ?? made.manualAddContacts
        made.autoAddMask = settings.autoAddMask ?? made.autoAddMask
        made.autoAddMaxHops = settings.autoAddMaxHops ?? made.autoAddMaxHops
        made.telemetryModes = settings.telemetryModes ?? made.telemetryModes
        made.advertLocationPolicy = settings.advertLocationPolicy ?? made.advertLocationPolicy
        if let milli = settings.rxDelayMilli { made.receiveDelayMilli = milli }
        if let milli = settings.airtimeFactorMilli { made.airtimeFactorMilli = milli }
        if let scope = settings.floodScope {
            let name = Array(scope.utf8.prefix(30))
            made.scopeNameField = name + [UInt8](repeating: 0, count: 31 - name.count)
            made.scopeKey = RegionKey(named: scope).bytes
        }
        return made
    }

    private func companion(
        _ node: NodeSpec, _ made: Node, _ identity: Identity, _ radio: RadioParameters
    ) throws(WorldError) -> Companion {
        var flash = CompanionFlash(
            identity: identity, preferences: Self.preferences(node, identity: identity, radio: radio),
            channels: Self.freshChannels(node.board))
        try addChannels(node, &flash)
        for contact in node.contacts { try add(contact, of: node, to: &flash) }
        guard flash.contacts.count <= node.board.maximumContacts else {
            throw .tooMany("contacts", limit: node.board.maximumContacts, node: node.name)
        }
        let companion = Companion(node: made, spec: node, flash: flash)
        if node.contactsAreUnsaved {
            companion.flash.contacts = []
            companion.contactsSaveAt = 5_000
        }
        for message in node.queuedMessages {
            companion.offlineQueue.append(QueuedMessage(frame: try frame(message, node, companion)))
        }
        return companion
    }

    /// Channel slots of a new node: Public in slot 0, the others never written.
    static func freshChannels(_ board: BoardProfile) -> [Channel] {
        var channels = Array(repeating: Channel(), count: board.maximumChannels)
        if !channels.isEmpty { channels[0] = Channel(name: Array("Public".utf8), secret: .publicChannel) }
        return channels
    }

    private func addChannels(_ node: NodeSpec, _ flash: inout CompanionFlash) throws(WorldError) {
        for channel in node.channels {
            guard let index = channel.index ?? flash.channels.firstIndex(where: { $0.name.isEmpty }),
                flash.channels.indices.contains(index)
            else { throw .tooMany("channels", limit: node.board.maximumChannels, node: node.name) }
            if let key = channel.key, key.count != 16 {
                throw .badValue("the key of channel '\(channel.name)' does not have 16 bytes", node: node.name)
            }
            let secret = channel.key.map { ChannelSecret(key16: $0) } ?? .hashtag(channel.name)
            flash.channels[index] = Channel(name: Array(channel.name.utf8.prefix(31)), secret: secret)
            flash.hasChannels = true
        }
    }

    private func add(_ contact: ContactSpec, of node: NodeSpec, to flash: inout CompanionFlash) throws(WorldError) {
        let base = spec.epoch &- 3_600
        var made: Contact
        switch contact.source {
        case .generated(let count, let prefix):
            for number in 1...max(1, count) where count > 0 {
                let digits = String(number)
                let name = prefix + " " + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
                var generated = Contact(key: Self.generatedKey(name))
                generated.setName(name.utf8)
                generated.lastModified = base &+ UInt32(truncatingIfNeeded: number)
                try fill(&generated, contact, of: node, type: 1)
                flash.contacts.append(generated)
            }
            return
        case .node(let name):
            guard let peer = spec.nodes.first(where: { $0.name == name }) else {
                throw .unknownNode(name, usedBy: "a contact of '\(node.name)'")
            }
            made = Contact(key: Self.identity(of: peer).publicKey)
            made.setName((peer.displayName ?? peer.name).utf8)
            made.lastModified = base
            try fill(&made, contact, of: node, type: Self.type(of: peer))
        case .key(let key, let name):
            made = Contact(key: key)
            made.setName(name.utf8)
            made.lastModified = base
            try fill(&made, contact, of: node, type: 1)
        }
        flash.contacts.append(made)
    }

    private static func type(of node: NodeSpec) -> UInt8 {
        switch node.role {
        case .companion: 1
        case .repeater: 2
        case .room: 3
        case .sensor: 4
        }
    }

    /// A key that looks like one and belongs to nobody; first byte neither 00 nor FF.
    static func generatedKey(_ name: String) -> PublicKey {
        var bytes = Digest.sha256(Array("generated contact/".utf8) + Array(name.utf8))
        if bytes[0] == 0x00 || bytes[0] == 0xFF { bytes[0] = 0x5A }
        return PublicKey(bytes)
    }

    private func fill(
        _ made: inout Contact, _ contact: ContactSpec, of node: NodeSpec, type: UInt8
    ) throws(WorldError) {
        made.type = contact.type ?? type
        made.flags = contact.flags
        made.lastModified = contact.lastModified ?? made.lastModified
        made.lastAdvert = contact.lastAdvert ?? made.lastModified
        made.latitude = contact.position?.latitude ?? 0
        made.longitude = contact.position?.longitude ?? 0
        switch contact.route {
        case .flood: break
        case .through(let names):
            let size = Int(min(2, node.settings.pathHashMode ?? 0)) + 1
            var path: [UInt8] = []
            for name in names {
                guard let hop = spec.nodes.first(where: { $0.name == name }) else {
                    throw .unknownNode(name, usedBy: "a path of '\(node.name)'")
                }
                path += Self.identity(of: hop).publicKey.prefix(size)
            }
            guard path.count <= PathLength.maximumBytes, names.count <= 63 else {
                throw .badValue("a path of \(names.count) hops is too long", node: node.name)
            }
            made.setPath(PathLength(hashSize: size, hopCount: names.count), path)
        case .bytes(let size, let path):
            guard (1...3).contains(size), path.count % size == 0, path.count <= 64, path.count / size <= 63 else {
                throw .badValue("no path of \(path.count) bytes in entries of \(size)", node: node.name)
            }
            made.setPath(PathLength(hashSize: size, hopCount: path.count / size), path)
        }
    }

    /// A waiting message as the queue holds it, in the form for apps of version 3 and later.
    private func frame(
        _ message: QueuedMessageSpec, _ node: NodeSpec, _ companion: Companion
    ) throws(WorldError) -> [UInt8] {
        var writer = ByteWriter()
        let limit = node.profile.maximumFrame
        switch message {
        case .direct(let sender, let text, let timestamp):
            let key = spec.nodes.first { $0.name == sender }.map { Self.identity(of: $0).publicKey }
            guard
                let contact = companion.contacts.first(where: {
                    $0.type != 0 && (key == nil ? $0.name == Array(sender.utf8) : $0.key == key)
                })
            else { throw .badValue("a waiting message is from '\(sender)', who is no contact", node: node.name) }
            writer.append([0x10, 48, 0, 0])
            writer.append(contact.key.prefix(6))
            writer.append([0, 0])
            writer.u32(timestamp)
            writer.append(text.utf8)
        case .channel(let index, let sender, let text, let timestamp):
            guard companion.channels.indices.contains(index) else {
                throw .tooMany("channels", limit: node.board.maximumChannels, node: node.name)
            }
            writer.append([0x11, 48, 0, 0, UInt8(index), 0, 0])
            writer.u32(timestamp)
            writer.append("\(sender): \(text)".utf8)
        }
        return Array(writer.bytes.prefix(limit))
    }
}

/// Stands in for a program while a node is being built; does nothing.
private final class NoRole: NodeRole {
    var packetPool: Int { 0 }
    var multiAcks: UInt8 { 0 }
    var pathHashMode: UInt8 { 0 }
    var floodDelayFactor: Float { 0 }
    var directDelayFactor: Float { 0 }
    var receiveDelayBase: Float { 0 }
    var airtimeFactor: Float { 1 }
    func start() {}
    func pass() {}
    func nextDue() -> Int64 { .max }
    func rawReceived(_ reception: Reception) {}
    func allowsForwarding(of held: HeldPacket) -> Bool { false }
    func peers(hash: UInt8) -> [Int] { [] }
    func secret(ofPeer peer: Int) -> SharedSecret { SharedSecret([UInt8](repeating: 0, count: 32)) }
    func received(_ type: PayloadType, from peer: Int, plain: [UInt8], packet: inout HeldPacket) {}
    func receivedPath(_ path: ReturnedPath, from peer: Int, packet: inout HeldPacket) -> Bool { false }
    func receivedAnonymous(from key: PublicKey, plain: [UInt8], packet: HeldPacket) {}
    func receivedGroup(_ packet: HeldPacket) {}
    func received(_ advert: ReceivedAdvert, packet: HeldPacket) {}
    func receivedAck(_ ack: [UInt8], packet: HeldPacket) -> Bool { false }
    func receivedTrace(_ packet: HeldPacket) {}
    func receivedControl(_ packet: HeldPacket) {}
    func receivedRaw(_ packet: HeldPacket) {}
    func stopping(orderly: Bool) {}
}
