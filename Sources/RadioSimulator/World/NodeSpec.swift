public import MeshProtocol

/// One node of a world at the first millisecond.
public struct NodeSpec: Sendable {
    public enum Role: String, Sendable, Hashable, CaseIterable { case companion, repeater, room, sensor }

    /// Where a node's random bytes come from.
    public enum RandomSource: Sendable, Hashable {
        /// A stream of the world's seed, named after the node.
        case stream
        /// The generators of the firmware recordings, started from a header's `seed`.
        case recorder(seed: UInt32)
    }

    /// Name within the world; also what the identity is derived from when none is given.
    public var name: String
    public var role: Role
    public var identity: Identity?
    public var profile: FirmwareProfile
    public var board: BoardProfile
    /// Name the node advertises; a companion's default is `name`, and empty means the firmware's own choice.
    public var displayName: String?
    public var contacts: [ContactSpec]
    public var channels: [ChannelSpec]
    /// Messages that wait for the app from the start, oldest first.
    public var queuedMessages: [QueuedMessageSpec]
    /// What a companion does by itself.
    public var behaviours: [BehaviourSpec] = []
    /// Microdegrees north and east.
    public var position: Position?
    /// Seconds by which the node's clock is ahead of the world's epoch.
    public var clockOffset: Int32
    /// Parts per million by which the node's clock runs fast. Its timers keep the world's time.
    public var clockDrift: Int32 = 0
    /// Sensors: what it measures besides its battery, on telemetry channels from 2 on.
    public var readings: [SensorReading] = []
    /// Sensors: what its GPS tells; nil without one.
    public var fix: GPSFix?
    /// Battery in millivolts; nil takes the board's.
    public var battery: UInt16?
    /// The board's own unless another is given.
    public var hostInterface: HostInterfaceKind
    public var random: RandomSource
    /// Settings of its own instead of the world's.
    public var radio: RadioParameters?
    /// A companion without a client that fetches its own messages and reports them to the journal.
    public var isAutonomous: Bool
    /// False keeps the node switched off until `World.power` starts it.
    public var isPowered: Bool
    /// Its set-up (a second on servers) was over when the world began; a restart takes it all the same.
    public var isReady = false
    /// Its contacts were added just before the world began and are not in flash yet.
    public var contactsAreUnsaved = false
    public var settings: NodeSettings

    public init(
        name: String, role: Role = .companion, identity: Identity? = nil, profile: FirmwareProfile = .v1171,
        board: BoardProfile = .standard, displayName: String? = nil, contacts: [ContactSpec] = [],
        channels: [ChannelSpec] = [], queuedMessages: [QueuedMessageSpec] = [], position: Position? = nil,
        clockOffset: Int32 = 0, battery: UInt16? = nil, hostInterface: HostInterfaceKind? = nil,
        random: RandomSource = .stream, radio: RadioParameters? = nil, isAutonomous: Bool = false,
        isPowered: Bool = true, settings: NodeSettings = NodeSettings()
    ) {
        self.name = name
        self.role = role
        self.identity = identity
        self.profile = profile
        self.board = board
        self.displayName = displayName
        self.contacts = contacts
        self.channels = channels
        self.queuedMessages = queuedMessages
        self.position = position
        self.clockOffset = clockOffset
        self.battery = battery
        self.hostInterface = hostInterface ?? board.hostInterface
        self.random = random
        self.radio = radio
        self.isAutonomous = isAutonomous
        self.isPowered = isPowered
        self.settings = settings
    }
}

/// A place in microdegrees.
public struct Position: Sendable, Hashable {
    public var latitude: Int32
    public var longitude: Int32
    public init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// How a node is connected to its host.
public enum HostInterfaceKind: String, Sendable, Hashable, CaseIterable {
    /// USB or UART (companion-protocol §1.2).
    case serial
    /// TCP server of a Wi-Fi build (companion-protocol §1.3).
    case wifi
    /// Both under the interface manager (companion-protocol §1.6); a node's own kind only, never that of one write.
    case both
    /// TCP server of an Ethernet build (companion-protocol §1.4).
    case ethernet
    /// Bluetooth with the queues and the pace of an ESP32 (companion-protocol §1.5).
    case bleESP32 = "ble-esp32"
    /// Bluetooth with the queues and the merged writes of an nRF52.
    case bleNRF52 = "ble-nrf52"
}

/// Preferences a node starts with instead of the firmware's defaults; nil leaves the default.
public struct NodeSettings: Sendable, Hashable {
    public var multiAcks: UInt8?
    /// Path hash size − 1, 0...2.
    public var pathHashMode: UInt8?
    public var manualAddContacts: UInt8?
    public var autoAddMask: UInt8?
    public var autoAddMaxHops: UInt8?
    /// Base | location << 2 | environment << 4, each 0 deny, 1 by contact flags, 2 all.
    public var telemetryModes: UInt8?
    public var advertLocationPolicy: UInt8?
    /// Thousandths.
    public var rxDelayMilli: UInt32?
    /// Thousandths.
    public var airtimeFactorMilli: UInt32?
    /// Name and key of the default flood scope.
    public var floodScope: String?
    /// Repeaters and rooms: "password" when nil.
    public var adminPassword: String?
    /// Repeaters and rooms: empty on a repeater and "hello" in a room when nil.
    public var guestPassword: String?
    /// Rooms: whether a wrong password admits a guest who may only read.
    public var allowsReadOnly: Bool?
    public var ownerInfo: String?
    public var forwarding: ForwardingPolicy

    public init() { forwarding = ForwardingPolicy() }
}

/// When a repeater passes a packet on (mesh-protocol §4.10) and how it announces itself (§4.11).
public struct ForwardingPolicy: Sendable, Hashable {
    public enum LoopDetection: String, Sendable, Hashable, CaseIterable {
        case off, minimal, moderate, strict

        /// How many entries of its own make a packet a loop, by entry size 1...3; nil for no test.
        func limit(entrySize: Int) -> Int? {
            switch self {
            case .off: nil
            case .minimal: [4, 2, 1][entrySize - 1]
            case .moderate: [2, 1, 1][entrySize - 1]
            case .strict: 1
            }
        }
    }

    /// Nil: on in a repeater, off in a room.
    public var isEnabled: Bool?
    /// Hop limits for floods, for floods without a scope, and for adverts.
    public var floodMax: Int = 64
    public var unscopedMax: Int = 64
    public var advertMax: Int = 8
    public var loopDetection = LoopDetection.off
    /// Names of the regions whose floods are passed on, in table order.
    public var regions: [String] = []
    /// Whether floods without a scope are passed on.
    public var allowsUnscoped = true
    /// Delay factors in thousandths; the direct one is 300 in a repeater and 200 in a room when nil.
    public var floodFactorMilli: UInt32 = 500
    public var directFactorMilli: UInt32?
    /// Minutes between zero-hop adverts, 0 for none.
    public var localAdvertMinutes: Int = 2
    /// Hours between flooded adverts, 0 for none; 47 when nil, but none from a sensor.
    public var floodAdvertHours: Int?
    /// Whether it advertises itself 16 s after it has started.
    public var advertsOnBoot = true

    public init() {}
}
