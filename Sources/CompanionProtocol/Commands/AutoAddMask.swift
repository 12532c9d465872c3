/// Bits of the auto-add setting.
public struct AutoAddMask: OptionSet, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The contact changed longest ago makes room when the table is full.
    public static let overwriteOldest = AutoAddMask(rawValue: 0x01)
    public static let chat = AutoAddMask(rawValue: 0x02)
    public static let repeater = AutoAddMask(rawValue: 0x04)
    public static let room = AutoAddMask(rawValue: 0x08)
    public static let sensor = AutoAddMask(rawValue: 0x10)
}
