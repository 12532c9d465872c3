/// Every command there is, in the order of the codes.
public enum CommandCatalog {
    public static let all: [any CompanionCommand.Type] = [
        AppStartCommand.self, SendTextCommand.self, SendChannelTextCommand.self, GetContactsCommand.self,
        GetDeviceTimeCommand.self, SetDeviceTimeCommand.self, SendSelfAdvertCommand.self, SetAdvertNameCommand.self,
        AddUpdateContactCommand.self, SyncNextMessageCommand.self, SetRadioParametersCommand.self,
        SetTransmitPowerCommand.self, ResetPathCommand.self, SetAdvertPositionCommand.self, RemoveContactCommand.self,
        ShareContactCommand.self, ExportContactCommand.self, ImportContactCommand.self, RebootCommand.self,
        GetBatteryAndStorageCommand.self, SetTuningCommand.self, DeviceQueryCommand.self, ExportPrivateKeyCommand.self,
        ImportPrivateKeyCommand.self, SendRawDataCommand.self, SendLoginCommand.self, SendStatusRequestCommand.self,
        HasConnectionCommand.self, LogoutCommand.self, GetContactByKeyCommand.self, GetChannelCommand.self,
        SetChannelCommand.self, SignStartCommand.self, SignDataCommand.self, SignFinishCommand.self,
        SendTracePathCommand.self, SetDevicePinCommand.self, SetOtherParametersCommand.self,
        SendTelemetryRequestCommand.self, GetCustomVariablesCommand.self, SetCustomVariableCommand.self,
        GetAdvertPathCommand.self, GetTuningCommand.self, SendBinaryRequestCommand.self, FactoryResetCommand.self,
        SendPathDiscoveryCommand.self, SetFloodScopeCommand.self, SendControlDataCommand.self,
        GetStatisticsCommand.self, SendAnonymousRequestCommand.self, SetAutoAddCommand.self, GetAutoAddCommand.self,
        GetRepeatFrequenciesCommand.self, SetPathHashModeCommand.self, SendChannelDataCommand.self,
        SetDefaultFloodScopeCommand.self, GetDefaultFloodScopeCommand.self, SendRawPacketCommand.self,
    ]

    private static let byCode: [UInt8: any CompanionCommand.Type] = {
        var table: [UInt8: any CompanionCommand.Type] = [:]
        for type in all { table[type.code.rawValue] = type }
        return table
    }()

    /// The command with that code, if there is one.
    public static func command(_ code: CommandCode) -> (any CompanionCommand.Type)? { byCode[code.rawValue] }
}
