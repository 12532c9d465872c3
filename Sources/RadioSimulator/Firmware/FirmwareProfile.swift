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
    /// Frames the release never writes.
    public var missingFrames: [UInt8]
    /// Length of LOGIN_SUCCESS: 8, with server time and permissions 13, with the server's level 14.
    public var loginFrame: Int
    /// A full offline queue gives up its oldest channel message; before 1.9.0 the new message was lost.
    public var evictsChannelMessages: Bool
    public var quirks: Quirks

    public init(
        name: String, protocolCode: UInt8, version: String, buildDate: String, maximumFrame: Int = 176,
        duplicateRing: Int = 160, missingCommands: [UInt8] = [], missingFrames: [UInt8] = [], loginFrame: Int = 14,
        evictsChannelMessages: Bool = true, quirks: Quirks = Quirks()
    ) {
        self.name = name
        self.protocolCode = protocolCode
        self.version = version
        self.buildDate = buildDate
        self.maximumFrame = maximumFrame
        self.duplicateRing = duplicateRing
        self.missingCommands = missingCommands
        self.missingFrames = missingFrames
        self.loginFrame = loginFrame
        self.evictsChannelMessages = evictsChannelMessages
        self.quirks = quirks
    }

    /// Every profile by the name a world file uses, newest first.
    public static let catalogue: [FirmwareProfile] = [
        .v1171, .ideal, .v1160, .v1150, .v1140, .v1120, .v1110, .v190, .v130,
    ]

    public static func named(_ name: String) -> FirmwareProfile? { catalogue.first { $0.name == name } }
}
