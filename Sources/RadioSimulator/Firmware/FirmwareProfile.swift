/// A firmware release as far as a client can tell it from another.
public struct FirmwareProfile: Sendable, Hashable {
    public var name: String
    /// What DEVICE_INFO reports as protocol version (companion-protocol §10).
    public var protocolCode: UInt8
    /// At most 19 bytes.
    public var version: String
    /// At most 11 bytes.
    public var buildDate: String
    /// Longest frame the host link carries; 172 up to 1.15.0.
    public var maximumFrame: Int
    /// Entries of the duplicate ring.
    public var duplicateRing: Int
    /// Commands the release does not know: they answer ERR(1).
    public var missingCommands: [UInt8]
    public var quirks: Quirks

    public init(
        name: String, protocolCode: UInt8, version: String, buildDate: String, maximumFrame: Int = 176,
        duplicateRing: Int = 160, missingCommands: [UInt8] = [], quirks: Quirks = Quirks()
    ) {
        self.name = name
        self.protocolCode = protocolCode
        self.version = version
        self.buildDate = buildDate
        self.maximumFrame = maximumFrame
        self.duplicateRing = duplicateRing
        self.missingCommands = missingCommands
        self.quirks = quirks
    }

    /// Release 1.17.1, the one the recordings were made with.
    public static let v1171 = FirmwareProfile(
        name: "1.17.1", protocolCode: 13, version: "v1.17.1", buildDate: "14 Aug 2026")

    /// Releases with protocol version 10 (1.14): no channel data, no default scope, no raw packets.
    public static let v1140 = FirmwareProfile(
        name: "1.14.0", protocolCode: 10, version: "v1.14.0", buildDate: "06 Mar 2026", maximumFrame: 172,
        missingCommands: [62, 63, 64, 65])

    /// Every profile by the name a world file uses.
    public static let catalogue: [FirmwareProfile] = [.v1171, .v1140]

    public static func named(_ name: String) -> FirmwareProfile? { catalogue.first { $0.name == name } }
}

/// Named switches of firmware behaviour. Those of the first group are true to the firmware and on; those of the
/// second are faults to test a client with, and off.
public struct Quirks: Sendable, Hashable {
    // What the real firmware does.
    /// Channel text commands shorter than their header crash the node (companion-protocol §3.4).
    public var shortChannelTextCrashes = true
    /// Removing a transient contact shifts the whole array (companion-protocol §11 no. 17).
    public var transientRemovalShiftsContacts = true
    /// Short commands read what the previous ones left in the receive buffer (companion-protocol §2.2).
    public var keepsCommandBytes = true

    // Faults.
    /// MSG_WAITING is never pushed.
    public var losesMessageWaiting = false
    /// SEND_CONFIRMED is never pushed.
    public var losesSendConfirmed = false
    /// Received texts are never acknowledged.
    public var neverAcknowledges = false
    /// A listing stops without END_OF_CONTACTS.
    public var losesContactsEnd = false
    /// A listing ignores its `since` filter.
    public var ignoresSince = false
    /// Every received text enters the offline queue twice.
    public var queuesTextsTwice = false
    /// SEND_CONFIRMED is pushed twice.
    public var confirmsTwice = false

    public init() {}
}
