extension FirmwareProfile {
    /// Release 1.14.0, protocol version 10: path hash sizes; no channel data, no default scope (companion-protocol §10).
    /// How that release times and routes packets is not modelled apart from 1.17.1.
    public static let v1140 = FirmwareProfile(
        name: "1.14.0", protocolCode: 10, version: "v1.14.0", buildDate: "simulated", maximumFrame: 172,
        missingCommands: [62, 63, 64, 65])
}
