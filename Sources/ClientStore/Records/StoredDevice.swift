public import RigBase

/// One radio as it was when it was last connected; the root of the partition of everything it owns.
public struct StoredDevice: Sendable, Hashable {
    /// Names the partition; minted once for a public key.
    public var radioID: UUID128
    /// The connection's own name for the radio; may change while `radioID` stays.
    public var handle: [UInt8]
    public var publicKey: [UInt8]
    public var name: String
    public var firmware: String
    public var model: String
    /// Version byte of DEVICE_INFO.
    public var protocolVersion: UInt8
    public var maxContacts: Int
    public var maxChannels: Int
    /// Auto-add flags; 0 when the radio does not tell.
    public var autoAdd: UInt8
    public var lastConnected: UInt32
    /// Highest last-modified the radio listed so far; 0 before the first contact sync.
    public var lastContactSync: UInt32

    public init(
        radioID: UUID128, handle: [UInt8], publicKey: [UInt8], name: String, firmware: String = "", model: String = "",
        protocolVersion: UInt8 = 0, maxContacts: Int = 0, maxChannels: Int = 0, autoAdd: UInt8 = 0,
        lastConnected: UInt32 = 0, lastContactSync: UInt32 = 0
    ) {
        self.radioID = radioID
        self.handle = handle
        self.publicKey = publicKey
        self.name = name
        self.firmware = firmware
        self.model = model
        self.protocolVersion = protocolVersion
        self.maxContacts = maxContacts
        self.maxChannels = maxChannels
        self.autoAdd = autoAdd
        self.lastConnected = lastConnected
        self.lastContactSync = lastContactSync
    }
}
