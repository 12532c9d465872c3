internal import MeshProtocol

/// A companion's settings as they are stored (companion-protocol §6.9, §6.14), with the number types of the firmware:
/// what is stored in single precision reads back as it does there (§7.2, §7.3, §3.20).
struct Preferences {
    /// At most 31 bytes.
    var name: [UInt8]
    /// Whether settings read back as they were given, instead of through the firmware's fractions.
    var isExact = false
    private var exact = ExactSettings()
    private var latitude: Double = 0
    private var longitude: Double = 0
    private var frequency: Float
    private var bandwidth: Float
    var spreadingFactor: UInt8
    var codingRate: UInt8
    var transmitPower: Int8
    private(set) var receiveDelayBase: Float = 0
    private(set) var airtimeFactor: Float = 1
    var manualAddContacts: UInt8 = 0
    /// Base | location << 2 | environment << 4.
    var telemetryModes: UInt8 = 0
    var advertLocationPolicy: UInt8 = 0
    var multiAcks: UInt8 = 0
    var pathHashMode: UInt8 = 0
    var pin: UInt32 = 0
    var autoAddMask: UInt8 = 0
    var autoAddMaxHops: UInt8 = 0
    var clientRepeat = false
    /// The 31-byte name field as stored, with what earlier names left behind the NUL.
    var scopeNameField = [UInt8](repeating: 0, count: 31)
    /// 16 bytes; all zero for none.
    var scopeKey = [UInt8](repeating: 0, count: 16)
    var gpsEnabled = false
    var gpsInterval: UInt32 = 0

    init(name: [UInt8], radio: RadioParameters, transmitPower: Int8) {
        self.name = name
        self.transmitPower = transmitPower
        spreadingFactor = radio.spreadingFactor
        codingRate = radio.codingRate
        frequency = Self.thousandth(radio.frequencyKHz)
        bandwidth = Self.thousandth(radio.bandwidthHz)
        exact.frequencyKHz = radio.frequencyKHz
        exact.bandwidthHz = radio.bandwidthHz
    }

    private static func thousandth(_ value: UInt32) -> Float { Float(Double(Float(value)) / 1000) }

    private static func thousands(_ value: Float) -> UInt32 {
        let product = value * 1000
        return product >= 0 && product < 4_294_967_296 ? UInt32(product) : 0
    }

    mutating func setRadio(_ radio: RadioParameters) {
        exact.frequencyKHz = radio.frequencyKHz
        exact.bandwidthHz = radio.bandwidthHz
        frequency = Self.thousandth(radio.frequencyKHz)
        bandwidth = Self.thousandth(radio.bandwidthHz)
        spreadingFactor = radio.spreadingFactor
        codingRate = radio.codingRate
    }

    var frequencyKHz: UInt32 { isExact ? exact.frequencyKHz : Self.thousands(frequency) }
    var bandwidthHz: UInt32 { isExact ? exact.bandwidthHz : Self.thousands(bandwidth) }

    /// What the radio is set to.
    var radio: RadioParameters {
        RadioParameters(
            frequencyKHz: frequencyKHz, bandwidthHz: max(1, bandwidthHz), spreadingFactor: spreadingFactor,
            codingRate: codingRate)
    }

    /// Microdegrees, through the firmware's degrees and back.
    var position: Position {
        get {
            isExact
                ? exact.position
                : Position(latitude: Int32(latitude * 1_000_000), longitude: Int32(longitude * 1_000_000))
        }
        set {
            exact.position = newValue
            latitude = Double(newValue.latitude) / 1_000_000
            longitude = Double(newValue.longitude) / 1_000_000
        }
    }

    /// Degrees in single precision, as telemetry takes them.
    var degrees: (latitude: Float, longitude: Float) { (Float(latitude), Float(longitude)) }

    /// Thousandths, in and out through single precision.
    var receiveDelayMilli: UInt32 {
        get { isExact ? exact.receiveDelayMilli : Self.thousands(receiveDelayBase) }
        set {
            receiveDelayBase = Float(newValue) / 1000
            exact.receiveDelayMilli = newValue
        }
    }

    var airtimeFactorMilli: UInt32 {
        get { isExact ? exact.airtimeFactorMilli : Self.thousands(airtimeFactor) }
        set {
            airtimeFactor = Float(newValue) / 1000
            exact.airtimeFactorMilli = newValue
        }
    }

    /// What loading at boot does to values out of range, and to what stood behind the scope name's NUL: settings are
    /// stored as text.
    mutating func clampLoaded() {
        bandwidth = min(max(bandwidth, 7.8), 500)
        exact.receiveDelayMilli = min(exact.receiveDelayMilli, 20_000)
        exact.airtimeFactorMilli = min(exact.airtimeFactorMilli, 9_000)
        exact.bandwidthHz = max(exact.bandwidthHz, 7_800)
        let name = scopeNameField.prefix { $0 != 0 }
        scopeNameField = name + [UInt8](repeating: 0, count: scopeNameField.count - name.count)
        receiveDelayBase = min(max(receiveDelayBase, 0), 20)
        airtimeFactor = min(max(airtimeFactor, 0), 9)
    }

    /// The default flood scope, if any.
    var scope: RegionKey? { scopeKey.allSatisfy { $0 == 0 } ? nil : RegionKey(scopeKey) }
}

/// Settings as they were given.
private struct ExactSettings {
    var frequencyKHz: UInt32 = 0
    var bandwidthHz: UInt32 = 0
    var position = Position(latitude: 0, longitude: 0)
    var receiveDelayMilli: UInt32 = 0
    var airtimeFactorMilli: UInt32 = 1_000
}
