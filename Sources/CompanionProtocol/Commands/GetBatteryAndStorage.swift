/// Asks for battery voltage and storage (§3.25).
public struct GetBatteryAndStorageCommand: BareCommand {
    public static let code = CommandCode.getBatteryAndStorage
    public static let rules = CommandRules(since: 1, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [.batteryAndStorage]
    public init() {}
}
