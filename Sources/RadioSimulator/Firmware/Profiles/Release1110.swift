extension FirmwareProfile {
    /// Release 1.11.0, protocol version 8 without anonymous requests and auto-add settings (companion-protocol §10).
    /// How that release times and routes packets is not modelled apart from 1.17.1.
    public static let v1110 = FirmwareProfile(
        name: "1.11.0", protocolCode: 8, version: "v1.11.0", buildDate: "simulated", maximumFrame: 172,
        duplicateRing: 128, missingCommands: [57, 58, 59, 60, 61, 62, 63, 64, 65], missingFrames: [0x8F, 0x90])
}
