extension FirmwareProfile {
    /// Release 1.16.0, the first with protocol version 13: requests to non-contacts, raw packets, frames of 176 bytes (companion-protocol §10).
    /// How that release times and routes packets is not modelled apart from 1.17.1.
    public static let v1160 = FirmwareProfile(
        name: "1.16.0", protocolCode: 13, version: "v1.16.0", buildDate: "simulated", maximumFrame: 176,
        missingCommands: [])
}
