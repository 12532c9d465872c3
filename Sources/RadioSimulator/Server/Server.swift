internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// The firmware of repeaters, room servers and sensors: forwarding, adverts, members with their requests, and the console.
///
/// The programs share nearly everything; a room adds posts and a sensor alerts, and both forward by simpler rules
/// (remote-nodes).
final class Server: NodeRole {
    enum Kind { case repeater, room, sensor }

    unowned let node: Node
    let kind: Kind
    let profile: FirmwareProfile
    let board: BoardProfile
    var battery: UInt16
    let advertsOnBoot: Bool

    /// What a restart reads back.
    var flash: ServerFlash
    var preferences: ServerPreferences
    var table = ClientTable()
    var regions: RegionMap
    var neighbours = NeighbourTable()
    var posts = RoomPosts()
    /// What a sensor measures besides its battery, and what it remembers of it.
    var readings: [SensorReading]
    /// What a sensor's GPS tells; nil without one.
    var fix: GPSFix?
    var sensor = SensorState()

    /// Milliseconds after which the timed adverts go out; nil when off.
    var localAdvertAfter: Int64?
    var floodAdvertAfter: Int64?
    /// When changed members are written to flash.
    var clientsSaveAt: Int64?
    /// Millisecond after which a room looks at its next member.
    var nextPush: Int64 = 0
    var nextClient = 0
    var anonymousLimit = RateLimiter(maximum: 4, window: 180)
    var discoverLimit = RateLimiter(maximum: 4, window: 120)
    /// The clock at the last `region save`.
    var regionsModified: UInt32 = 0
    /// Tag of an own discover request and the millisecond until which answers count.
    var discovery: (tag: UInt32, until: Int64)?
    var loading: RegionLoading?
    /// Settings that replace the radio's for a while: applied after the first time, given up after the second.
    var temporaryRadio: (radio: RadioParameters, from: Int64, until: Int64)?
    var console = ConsoleLine()

    init(node: Node, spec: NodeSpec, radio: RadioParameters) {
        self.node = node
        kind =
            switch spec.role {
            case .room: .room
            case .sensor: .sensor
            case .repeater, .companion: .repeater
            }
        readings = spec.readings
        fix = spec.fix
        profile = spec.profile
        board = spec.board
        battery = spec.battery ?? spec.board.battery
        advertsOnBoot = spec.settings.forwarding.advertsOnBoot
        var map = RegionMap()
        for name in spec.settings.forwarding.regions { map.put(Server.string(Array(name.utf8)), parent: 0) }
        map.allowsUnscoped = spec.settings.forwarding.allowsUnscoped
        if let scope = spec.settings.floodScope { _ = map.setDefault(Server.string(Array(scope.utf8))) }
        regions = map
        preferences = ServerPreferences(spec, radio: radio)
        flash = ServerFlash(preferences: preferences, regions: map)
    }

    // MARK: Settings the mesh layer asks for

    var packetPool: Int { 32 }
    var multiAcks: UInt8 { preferences.multiAcks }
    var pathHashMode: UInt8 { preferences.pathHashMode }
    var floodDelayFactor: Float { preferences.floodDelayFactor }
    var directDelayFactor: Float { preferences.directDelayFactor }
    var receiveDelayBase: Float { preferences.receiveDelayBase }
    var airtimeFactor: Float { preferences.airtimeFactor }
    var delaysInSteps: Bool { kind == .sensor }

    // MARK: Boot and loop

    func start() {
        preferences = flash.preferences
        regions = flash.regions
        if let identity = flash.identity { node.identity = identity }
        table.clients = flash.clients.map { client in
            var client = client
            client.secret = node.identity.sharedSecret(with: client.key)
            return client
        }
        neighbours = NeighbourTable()
        posts = RoomPosts()
        sensor = SensorState()
        clientsSaveAt = nil
        nextPush = 0
        nextClient = 0
        anonymousLimit = RateLimiter(maximum: 4, window: 180)
        discoverLimit = RateLimiter(maximum: 4, window: 120)
        regionsModified = 0
        discovery = nil
        loading = nil
        temporaryRadio = nil
        console.restart()
        node.radio = preferences.radio
        node.budget.factor = preferences.airtimeFactor
        let ready = node.firstPass - 1
        scheduleAdverts(from: ready)
        let label =
            switch kind {
            case .repeater: "Repeater"
            case .room: "Room"
            case .sensor: "Sensor"
            }
        console.write("\(label) ID: \(Hex.encode(node.publicKey.bytes).uppercased())\r\n", at: node.bootedAt)
        guard advertsOnBoot, let advert = makeAdvert() else { return }
        node.sendZeroHop(advert, delay: ready + 16_000 - node.now)
    }

    func beforeMesh() {
        guard let line = console.take(at: node.now) else { return }
        run(consoleLine: line.text, cause: line.cause)
    }

    func pass() {
        if kind == .room { pushPosts() }
        if kind == .sensor { sense() }
        sendTimedAdverts()
        changeRadioForAWhile()
        if let time = clientsSaveAt, node.now > time { saveClients() }
    }

    func nextDue() -> Int64 {
        var due = console.nextDue
        func consider(_ time: Int64?) { if let time { due = min(due, time + 1) } }
        consider(localAdvertAfter)
        consider(floodAdvertAfter)
        consider(clientsSaveAt)
        consider(temporaryRadio?.from)
        consider(temporaryRadio?.until)
        if kind == .sensor { due = min(due, nextSensing) }
        if kind == .room, !table.clients.isEmpty { due = min(due, nextPush + 1) }
        return due
    }

    private func changeRadioForAWhile() {
        guard let change = temporaryRadio else { return }
        if node.now > change.until {
            node.radio = preferences.radio
            temporaryRadio = nil
        } else if node.now > change.from, node.radio != change.radio {
            node.radio = change.radio
        }
    }

    func stopping(orderly: Bool) {}

    // MARK: Storage

    func savePreferences() { flash.preferences = preferences }

    func clientsChanged() { clientsSaveAt = clientsSaveAt ?? node.now + 5_000 }

    /// A repeater keeps every member with permissions, a room only its admins.
    private func saveClients() {
        clientsSaveAt = nil
        flash.clients = table.clients.filter { kind == .room ? $0.isAdmin : $0.permissions != 0 }.map(\.stored)
    }

    // MARK: Packets for nobody here

    func rawReceived(_ reception: Reception) {}
    func receivedGroup(_ packet: HeldPacket) {}
    func receivedTrace(_ packet: HeldPacket) {}
    func receivedRaw(_ packet: HeldPacket) {}
}
