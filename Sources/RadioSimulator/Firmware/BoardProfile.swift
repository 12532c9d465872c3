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
    /// Microseconds a contact for which the loop stands still when contacts are saved.
    public var contactSaveMicros: Int
    /// How the board is connected to its host when nothing else is said; its queues belong to that interface.
    public var hostInterface: HostInterfaceKind
    /// Where the numbers come from.
    public var source: String

    public init(
        name: String, model: String, maximumContacts: Int = 350, maximumChannels: Int = 40, offlineQueue: Int = 256,
        packetPool: Int = 16, battery: UInt16 = 4100, storageTotal: UInt32 = 1024, transmitPower: Int8 = 22,
        maximumTransmitPower: Int8 = 22, allowsKeyExport: Bool = true, allowsKeyImport: Bool = true,
        temperatureTenths: Int16? = nil, supportsGPS: Bool = true, hasGPS: Bool = false,
        contactSaveMicros: Int = 0, hostInterface: HostInterfaceKind = .serial, source: String
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
        self.contactSaveMicros = contactSaveMicros
        self.hostInterface = hostInterface
        self.source = source
    }

    /// Most BLE and Wi-Fi builds: 350 contacts, 40 channels, 256 waiting messages.
    public static let standard = BoardProfile(
        name: "standard", model: "MeshRig Simulated", source: "companion-protocol §9")
    /// Most USB builds: only 16 waiting messages.
    public static let usb = BoardProfile(
        name: "usb", model: "MeshRig Simulated USB", offlineQueue: 16, source: "companion-protocol §9")
    /// RP2040 USB builds: 100 contacts, 8 channels, 16 waiting messages.
    public static let small = BoardProfile(
        name: "small", model: "MeshRig Simulated Small", maximumContacts: 100, maximumChannels: 8, offlineQueue: 16,
        source: "companion-protocol §9")
    /// The computer the firmware recordings were made on.
    public static let recorder = BoardProfile(
        name: "recorder", model: "Oracle Native", source: "README of the recordings, \"Board\"")

    /// An ESP32-S3 behind a USB-to-UART bridge, whose writes to flash hold the loop up.
    public static let heltecV3USB = BoardProfile(
        name: "heltec-v3-usb", model: "Heltec V3", offlineQueue: 16, storageTotal: 1_408, contactSaveMicros: 16_000,
        source: "companion-protocol §9 (USB 350/40/16), §1.2; stall: MeshCore issue 2397, 5.8 s for 350 contacts")
    /// An nRF52840 with a native USB port and a GPS.
    public static let t114USB = BoardProfile(
        name: "t114-usb", model: "Heltec T114", storageTotal: 128, hasGPS: true, contactSaveMicros: 2_000,
        source: "companion-protocol §9 (USB 350/40/256), §1.2; stall: assumed, small blocks of internal flash")
    /// An ESP32 on Bluetooth: queues of four, a notification each 60 ms.
    public static let esp32BLE = BoardProfile(
        name: "esp32-ble", model: "Heltec V3", storageTotal: 1_408, contactSaveMicros: 16_000,
        hostInterface: .bleESP32,
        source: "companion-protocol §9 (BLE 350/40/256), §1.5; stall: MeshCore issue 2397, 5.8 s for 350 contacts")
    /// An nRF52 on Bluetooth: queues of twelve, writes that may merge.
    public static let nrf52BLE = BoardProfile(
        name: "nrf52-ble", model: "RAK 4631", storageTotal: 128, contactSaveMicros: 2_000, hostInterface: .bleNRF52,
        source: "companion-protocol §9 (BLE 350/40/256), §1.5; stall: assumed, small blocks of internal flash")
    /// An ESP32 as a TCP server on Wi-Fi: one client, a queue of four.
    public static let esp32Wifi = BoardProfile(
        name: "esp32-wifi", model: "Heltec V3", storageTotal: 1_408, contactSaveMicros: 16_000, hostInterface: .wifi,
        source: "companion-protocol §9 (Wi-Fi 350/40/256), §1.3; stall: MeshCore issue 2397, 5.8 s for 350 contacts")

    /// Every board by the name a world file uses.
    public static let catalogue: [BoardProfile] = [
        .standard, .usb, .small, .recorder, .heltecV3USB, .t114USB, .esp32BLE, .nrf52BLE, .esp32Wifi,
    ]

    public static func named(_ name: String) -> BoardProfile? { catalogue.first { $0.name == name } }
}
