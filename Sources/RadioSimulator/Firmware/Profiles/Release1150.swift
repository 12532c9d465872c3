extension FirmwareProfile {
    /// Release 1.15.0, protocol version 11: channel data and default flood scope; no unscoped flag, no raw packets (companion-protocol §10).
    /// How that release times and routes packets is not modelled apart from 1.17.1.
    public static let v1150 = FirmwareProfile(
        name: "1.15.0", protocolCode: 11, version: "v1.15.0", buildDate: "simulated", maximumFrame: 172,
        missingCommands: [65])
}
