extension FirmwareProfile {
    /// Release 1.3.0, protocol version 2: errors without a code, no signing, traces, telemetry or requests
    /// (companion-protocol §10).
    /// How that release times and routes packets is not modelled apart from 1.17.1.
    public static let v130 = FirmwareProfile(
        name: "1.3.0", protocolCode: 2, version: "v1.3.0", buildDate: "simulated", maximumFrame: 172,
        duplicateRing: 128,
        missingCommands: [33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 50, 51, 52]
            + [54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65],
        missingFrames: [0x89, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x90], loginFrame: 8, evictsChannelMessages: false)
}
