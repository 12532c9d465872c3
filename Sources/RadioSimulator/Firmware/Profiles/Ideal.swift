extension FirmwareProfile {
    /// Release 1.17.1 without its weaknesses: what a client may hope for, not what it will meet.
    public static let ideal = FirmwareProfile(
        name: "ideal", protocolCode: 13, version: "v1.17.1", buildDate: "14 Aug 2026", quirks: .ideal)
}
