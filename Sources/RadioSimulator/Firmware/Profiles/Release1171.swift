extension FirmwareProfile {
    /// Release 1.17.1, the one the recordings were made with.
    public static let v1171 = FirmwareProfile(
        name: "1.17.1", protocolCode: 13, version: "v1.17.1", buildDate: "14 Aug 2026")
}
