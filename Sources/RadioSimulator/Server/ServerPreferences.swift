internal import MeshProtocol
internal import RigBase

/// Settings of a repeater, room or sensor that a restart keeps (remote-nodes §4.4).
struct ServerPreferences {
    var name: [UInt8]
    /// Degrees, as they were typed.
    var latitude: Double = 0
    var longitude: Double = 0
    var radio: RadioParameters
    var transmitPower: Int
    var adminPassword: [UInt8]
    var guestPassword: [UInt8]
    var allowsReadOnly = false
    var ownerInfo: [UInt8] = []
    var airtimeFactor: Float = 1
    var receiveDelayBase: Float = 0
    var floodDelayFactor: Float
    var directDelayFactor: Float
    var multiAcks: UInt8 = 0
    var pathHashMode: UInt8 = 0
    var isForwarding: Bool
    var floodMax: Int
    var unscopedMax: Int
    var advertMax: Int
    var loopDetection: ForwardingPolicy.LoopDetection
    /// Minutes between zero-hop adverts, 0 for none.
    var localAdvertMinutes: Int
    /// Hours between flooded adverts, 0 for none.
    var floodAdvertHours: Int
    /// Kept and shown; the simulated radio has no use for them.
    var interferenceThreshold = 0
    var usesActivityDetection = false
    var gainResetSeconds = 0
    var receiveGainBoost = true

    init(_ spec: NodeSpec, radio: RadioParameters) {
        let policy = spec.settings.forwarding
        let (isRoom, isRepeater) = (spec.role == .room, spec.role == .repeater)
        name = Array((spec.displayName ?? spec.name).utf8.prefix(31))
        if let position = spec.position {
            latitude = Double(position.latitude) / 1e6
            longitude = Double(position.longitude) / 1e6
        }
        self.radio = radio
        transmitPower = Int(spec.board.transmitPower)
        adminPassword = Array((spec.settings.adminPassword ?? "password").utf8.prefix(15))
        guestPassword = Array((spec.settings.guestPassword ?? (isRoom ? "hello" : "")).utf8.prefix(15))
        allowsReadOnly = spec.settings.allowsReadOnly ?? false
        ownerInfo = Array((spec.settings.ownerInfo ?? "").utf8.prefix(119))
        airtimeFactor = Float(spec.settings.airtimeFactorMilli ?? 1_000) / 1_000
        receiveDelayBase = Float(spec.settings.rxDelayMilli ?? 0) / 1_000
        floodDelayFactor = Float(policy.floodFactorMilli) / 1_000
        directDelayFactor = Float(policy.directFactorMilli ?? (isRepeater ? 300 : 200)) / 1_000
        multiAcks = spec.settings.multiAcks ?? 0
        pathHashMode = min(2, spec.settings.pathHashMode ?? 0)
        isForwarding = policy.isEnabled ?? isRepeater
        floodMax = policy.floodMax
        // A sensor shows these two and does not use them.
        unscopedMax = spec.role == .sensor ? 0 : policy.unscopedMax
        advertMax = spec.role == .sensor ? 0 : policy.advertMax
        loopDetection = policy.loopDetection
        localAdvertMinutes = policy.localAdvertMinutes
        floodAdvertHours = policy.floodAdvertHours ?? (spec.role == .sensor ? 0 : 47)
    }

    /// Sets where the server says that it is.
    mutating func place(at position: Position) {
        latitude = Double(position.latitude) / 1e6
        longitude = Double(position.longitude) / 1e6
    }

    /// Millionths of a degree, cut toward zero.
    var position: AdvertPosition {
        func cut(_ degrees: Double) -> Int32 { Int32(clamping: Int64(max(-1e9, min(1e9, degrees * 1e6)))) }
        return AdvertPosition(latitudeE6: cut(latitude), longitudeE6: cut(longitude))
    }
}

/// What a server keeps over a restart.
struct ServerFlash {
    var preferences: ServerPreferences
    var clients: [ServerClient] = []
    var regions: RegionMap
    /// Set when the console has changed the key; takes effect with the next start.
    var identity: Identity?
}
