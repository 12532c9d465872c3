/// What a board and its build options decide (companion-protocol §9).
public struct BoardProfile: Sendable, Hashable {
    public var name: String
    /// Reported in DEVICE_INFO, at most 39 bytes.
    public var model: String
    public var maximumContacts: Int
    public var maximumChannels: Int
    /// Entries of the offline queue.
    public var offlineQueue: Int
    /// Packet buffers shared by sending and receiving.
    public var packetPool: Int
    /// Battery in millivolts.
    public var battery: UInt16
    /// Storage in KiB.
    public var storageTotal: UInt32
    /// Power in dBm: the setting at first boot and the highest allowed.
    public var transmitPower: Int8
    public var maximumTransmitPower: Int8
    public var allowsKeyExport: Bool
    public var allowsKeyImport: Bool
    /// Processor temperature in tenths of a degree, for telemetry; nil without a sensor.
    public var temperatureTenths: Int16?
    /// The build supports a GPS (custom variables exist), and whether one was found.
    public var supportsGPS: Bool
    public var hasGPS: Bool

    public init(
        name: String, model: String, maximumContacts: Int = 350, maximumChannels: Int = 40, offlineQueue: Int = 256,
        packetPool: Int = 16, battery: UInt16 = 4100, storageTotal: UInt32 = 1024, transmitPower: Int8 = 22,
        maximumTransmitPower: Int8 = 22, allowsKeyExport: Bool = true, allowsKeyImport: Bool = true,
        temperatureTenths: Int16? = nil, supportsGPS: Bool = true, hasGPS: Bool = false
    ) {
        self.name = name
        self.model = model
        self.maximumContacts = maximumContacts
        self.maximumChannels = maximumChannels
        self.offlineQueue = offlineQueue
        self.packetPool = packetPool
        self.battery = battery
        self.storageTotal = storageTotal
        self.transmitPower = transmitPower
        self.maximumTransmitPower = maximumTransmitPower
        self.allowsKeyExport = allowsKeyExport
        self.allowsKeyImport = allowsKeyImport
        self.temperatureTenths = temperatureTenths
        self.supportsGPS = supportsGPS
        self.hasGPS = hasGPS
    }

    /// Most BLE and Wi-Fi builds: 350 contacts, 40 channels, 256 waiting messages.
    public static let standard = BoardProfile(name: "standard", model: "MeshRig Simulated")
    /// Most USB builds: only 16 waiting messages.
    public static let usb = BoardProfile(name: "usb", model: "MeshRig Simulated USB", offlineQueue: 16)
    /// RP2040 USB builds: 100 contacts, 8 channels, 16 waiting messages.
    public static let small = BoardProfile(
        name: "small", model: "MeshRig Simulated Small", maximumContacts: 100, maximumChannels: 8, offlineQueue: 16)
    /// The computer the firmware recordings were made on.
    public static let recorder = BoardProfile(name: "recorder", model: "Oracle Native")

    /// Every board by the name a world file uses.
    public static let catalogue: [BoardProfile] = [.standard, .usb, .small, .recorder]

    public static func named(_ name: String) -> BoardProfile? { catalogue.first { $0.name == name } }
}
