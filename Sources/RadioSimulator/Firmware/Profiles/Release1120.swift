extension FirmwareProfile {
    /// Release 1.12.0, protocol version 8: anonymous requests and auto-add settings; no client repeat, one-byte path hashes only (companion-protocol §10).
    /// How that release times and routes packets is not modelled apart from 1.17.1.
    public static let v1120 = FirmwareProfile(
        name: "1.12.0", protocolCode: 8, version: "v1.12.0", buildDate: "simulated", maximumFrame: 172,
        missingCommands: [60, 61, 62, 63, 64, 65])
}
