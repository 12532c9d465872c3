internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// The companion firmware: contacts, channels, waiting messages and the command protocol, on top of the mesh layer.
final class Companion: NodeRole {
    unowned let node: Node
    var profile: FirmwareProfile
    let board: BoardProfile
    var host: any HostMachine
    var battery: UInt16

    /// What a restart reads back.
    var flash: CompanionFlash
    var preferences: Preferences
    /// Eight transient slots, then the contacts in the order in which they were added.
    var contacts: [Contact] = []
    var channels: [Channel]
    var offlineQueue: [QueuedMessage] = []
    var expectedAcks = ExpectedAcks()
    var advertPaths = AdvertPathCache()
    var listing: ContactListing?
    var pending = PendingRequests()
    /// Session settings of the flood scope (companion-protocol §3.42).
    var scopeOverride: RegionKey?
    var isUnscoped = false
    /// What the app said it understands; decides the form of waiting texts.
    var appVersion: UInt8 = 0
    var signing: [UInt8]?
    /// An imported advert that waits for the next pass.
    var imported: HeldPacket?
    /// When changed contacts are written to flash; nil when there is nothing to write.
    var contactsSaveAt: Int64?
    /// Whether the GPS runs, which is not always what the settings say (companion-protocol §3.39).
    var isGPSOn = false
    /// Servers that have announced a keep-alive with their login answer (companion-protocol §6.7).
    var connections = ServerConnections()
    /// Whether the host interfaces are shut down, as before a factory reset.
    var isMuted = false
    /// Whether a fault keeps everything from being saved.
    var isStorageFull = false
    /// How many messages a fault lets wait at most.
    var queueLimit: Int?
    /// Its own switches while a fault has put others over them.
    var ownQuirks: Quirks?

    var command = CommandBuffer()
    var out = OutputBuffer()
    /// Where payloads are opened; what a shorter one does not reach stays from earlier ones.
    var opened = [UInt8](repeating: 0, count: 192)
    /// Commands from inside the world, handled as if an app had sent them.
    var internalCommands: [InternalCommand] = []
    /// Set while such a command runs: its answers go to the journal.
    var internalAnswers: [[UInt8]]?
    let isAutonomous: Bool

    static let transientSlots = 8

    init(node: Node, spec: NodeSpec, flash: CompanionFlash) {
        self.node = node
        profile = spec.profile
        board = spec.board
        battery = spec.battery ?? spec.board.battery
        isAutonomous = spec.isAutonomous
        self.flash = flash
        preferences = flash.preferences
        isGPSOn = preferences.gpsEnabled
        channels = flash.channels
        host =
            switch spec.hostInterface {
            case .serial: SerialMachine(limit: spec.profile.maximumFrame)
            case .wifi: WifiMachine(limit: spec.profile.maximumFrame)
            case .both: InterfaceManager(limit: spec.profile.maximumFrame)
            case .ethernet: EthernetMachine(limit: spec.profile.maximumFrame)
            case .bleESP32: BLEMachine(.bleESP32, limit: spec.profile.maximumFrame)
            case .bleNRF52: BLEMachine(.bleNRF52, limit: spec.profile.maximumFrame)
            }
        loadContacts()
    }

    // MARK: Boot

    /// Puts everything back that does not survive a restart; the caller sets the clock.
    func resetMemory() {
        preferences = flash.preferences
        preferences.clampLoaded()
        isGPSOn = preferences.gpsEnabled
        channels = flash.channels
        if flash.hasChannels {
            for index in channels.indices {
                channels[index].secret = ChannelSecret(key16: channels[index].secret.key16)
            }
        }
        loadContacts()
        offlineQueue = []
        expectedAcks = ExpectedAcks()
        advertPaths = AdvertPathCache()
        listing = nil
        pending = PendingRequests()
        connections = ServerConnections()
        scopeOverride = nil
        isUnscoped = false
        appVersion = 0
        signing = nil
        imported = nil
        contactsSaveAt = nil
        isMuted = false
        command = CommandBuffer()
        out = OutputBuffer()
        opened = [UInt8](repeating: 0, count: 192)
        internalCommands = []
        host.reset()
        node.radio = preferences.radio
    }

    /// Reads the contacts back: what was not saved is gone, and shared secrets are worked out anew.
    func loadContacts() {
        contacts = Array(repeating: .zero, count: Self.transientSlots) + flash.contacts
        for index in contacts.indices { contacts[index].secret = nil }
    }

    func start() {}

    func stopping(orderly: Bool) {
        if orderly, contactsSaveAt != nil { saveContacts() }
    }

    var quirks: Quirks { profile.quirks }

    // MARK: Settings the mesh layer asks for

    var packetPool: Int { board.packetPool }
    var multiAcks: UInt8 { preferences.multiAcks }
    var pathHashMode: UInt8 { preferences.pathHashMode }
    var floodDelayFactor: Float { 0.5 }
    var directDelayFactor: Float { 0.2 }
    var receiveDelayBase: Float { preferences.receiveDelayBase }
    var airtimeFactor: Float { preferences.airtimeFactor }
    var isForwarder: Bool { preferences.clientRepeat }
    var overflowsFullPaths: Bool { quirks.overflowsFullPaths }
    var sendsJunkAcks: Bool { quirks.sendsJunkAcks }
    func allowsForwarding(of held: HeldPacket) -> Bool { preferences.clientRepeat }

    // MARK: Loop

    func pass() {
        if let card = imported {
            imported = nil
            node.process(card)
            node.releaseBuffer()
            node.cause = nil
        }
        if !isMuted { pollHost() }
        if let time = contactsSaveAt, node.now > time { saveContacts() }
    }

    func nextDue() -> Int64 {
        let now = node.now
        if imported != nil { return now }
        var due = isMuted ? .max : host.nextDue(at: now)
        if listing != nil { due = min(due, isMuted ? .max : host.freeFrom(now)) }
        if let next = internalCommands.first { due = min(due, next.from) }
        if let time = contactsSaveAt { due = min(due, time + 1) }
        return due
    }

    private func pollHost() {
        if let next = internalCommands.first, next.from <= node.now {
            internalCommands.removeFirst()
            run(next)
            return
        }
        let (sent, received) = host.poll(at: node.now)
        if let sent { node.world.deliver(sent, from: node) }
        if let received {
            node.cause = received.cause
            if !received.isCut || quirks.truncatesOversizeFrames { handle(received.bytes) }
        } else if listing != nil, host.freeFrom(node.now) <= node.now {
            continueListing()
        }
    }

    /// Runs one command through its handler.
    func handle(_ frame: [UInt8]) {
        command.load(frame, clearing: !quirks.keepsCommandBytes)
        preferences.isExact = !quirks.roundsSettings
        guard command.length > 0 else { return }
        let code = command[0]
        guard !profile.missingCommands.contains(code), let handler = HandlerCatalogue.handler(for: code),
            handler.run(self)
        else { return error(.unsupportedCommand) }
    }

    // MARK: Writing

    /// Hands a frame to the host link; one that is too long never appears.
    func write(_ frame: [UInt8]) {
        guard !isMuted, !frame.isEmpty, frame.count <= profile.maximumFrame, !profile.missingFrames.contains(frame[0])
        else { return }
        if internalAnswers != nil, frame[0] < 0x80 {
            internalAnswers?.append(frame)
            return
        }
        if let sent = host.write(HostFrame(bytes: frame, cause: node.cause)) { node.world.deliver(sent, from: node) }
    }

    /// Sends what has been built in the output buffer.
    func writeOut() { write(out.frame) }
}

/// The texts whose acknowledgement is awaited: a ring of eight (mesh-protocol §3.3).
struct ExpectedAcks {
    struct Entry {
        /// Four bytes; zero for a free entry, which four zero bytes match nevertheless.
        var ack: [UInt8] = [0, 0, 0, 0]
        var sentAt: Int64 = 0
        var contact: PublicKey?
    }

    private(set) var entries = Array(repeating: Entry(), count: 8)
    private var next = 0

    /// The texts by the order in which they were sent, the newest first.
    var newestFirst: [Entry] {
        (1...entries.count).map { entries[(next + entries.count - $0) % entries.count] }
    }

    mutating func add(_ ack: [UInt8], at now: Int64, contact: PublicKey) {
        entries[next] = Entry(ack: ack, sentAt: now, contact: contact)
        next = (next + 1) % entries.count
    }

    /// The first entry that matches, which is cleared.
    mutating func take(_ ack: [UInt8], evenZero: Bool) -> Entry? {
        guard evenZero || ack != [0, 0, 0, 0] else { return nil }
        guard let place = entries.firstIndex(where: { $0.ack == ack }) else { return nil }
        let entry = entries[place]
        entries[place].ack = [0, 0, 0, 0]
        return entry
    }
}

/// Where recently heard adverts came from (companion-protocol §6.8).
struct AdvertPathCache {
    struct Entry {
        var key: [UInt8] = Array(repeating: 0, count: 7)
        var time: UInt32 = 0
        var length = PathLength.empty
        var path: [UInt8] = []
    }

    private var entries = Array(repeating: Entry(), count: 16)

    func entry(for key: [UInt8]) -> Entry? { entries.first { $0.key == key } }

    mutating func store(_ key: [UInt8], time: UInt32, length: PathLength, path: [UInt8]) {
        var place = entries.firstIndex { $0.key == key }
        if place == nil {
            var oldest = 0
            for (index, entry) in entries.enumerated() where entry.time < entries[oldest].time { oldest = index }
            place = oldest
        }
        entries[place ?? 0] = Entry(key: key, time: time, length: length, path: path)
    }
}

/// The one outstanding request, by kind; a new one forgets the others (companion-protocol §6.6).
struct PendingRequests {
    private static let none: [UInt8] = [0, 0, 0, 0]

    /// First four bytes of the server's key; four zero bytes wait for nobody.
    var login = none
    var status = none
    /// Tags. Here nothing pending is the tag zero, which an answer with that tag matches.
    var telemetry = none
    var request = none
    var discovery = none

    /// Whether an answer from this key ends what `awaited` waits for.
    static func awaits(_ awaited: [UInt8], _ key: PublicKey) -> Bool {
        awaited != none && awaited == key.prefix(4)
    }

    /// Whether an answer with this tag ends what `awaited` waits for.
    static func awaits(_ awaited: [UInt8], _ tag: [UInt8], evenZero: Bool) -> Bool {
        awaited == tag && (evenZero || tag != none)
    }

    static func clear(_ awaited: inout [UInt8]) { awaited = none }
}

/// Sixteen places for servers with a keep-alive; the last free one is taken (companion-protocol §6.7).
struct ServerConnections {
    private var places = [PublicKey?](repeating: nil, count: 16)

    func contains(_ key: PublicKey) -> Bool { places.contains(key) }

    mutating func add(_ key: PublicKey) {
        if places.contains(key) { return }
        if let free = places.lastIndex(of: nil) { places[free] = key }
    }

    mutating func remove(_ key: PublicKey) {
        if let place = places.firstIndex(of: key) { places[place] = nil }
    }
}

/// A contact listing that runs one entry a pass (companion-protocol §6.2).
struct ContactListing {
    var index: Int
    var since: UInt32
    var newest: UInt32 = 0
    var written = 0
}

/// A command that comes from inside the world.
struct InternalCommand {
    var bytes: [UInt8]
    /// First millisecond in which it is handled.
    var from: Int64
    var cause: EventID?
}
