extension FirmwareProfile {
    /// Release 1.9.0, protocol version 7: no scopes, no control data, no statistics (companion-protocol §10).
    /// How that release times and routes packets is not modelled apart from 1.17.1.
    public static let v190 = FirmwareProfile(
        name: "1.9.0", protocolCode: 7, version: "v1.9.0", buildDate: "simulated", maximumFrame: 172,
        duplicateRing: 128, missingCommands: [54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65],
        missingFrames: [0x8E, 0x8F, 0x90])
}
