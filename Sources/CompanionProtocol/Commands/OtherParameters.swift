/// The parameters of SET_OTHER_PARAMS as SELF_INFO reports them.
public struct OtherParameters: Sendable, Hashable {
    /// Bit 0 set: contacts are added by hand only.
    public var manualAddContacts: UInt8
    public var telemetryModes: TelemetryModes
    /// 0 keeps the position out of adverts.
    public var advertLocationPolicy: UInt8
    public var multiAcks: UInt8

    public init(
        manualAddContacts: UInt8 = 0, telemetryModes: TelemetryModes = 0, advertLocationPolicy: UInt8 = 0,
        multiAcks: UInt8 = 0
    ) {
        self.manualAddContacts = manualAddContacts
        self.telemetryModes = telemetryModes
        self.advertLocationPolicy = advertLocationPolicy
        self.multiAcks = multiAcks
    }
}
