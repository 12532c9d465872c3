internal import CompanionProtocol

/// One command of the companion protocol.
///
/// `run` reads the persistent command buffer and answers itself; false means that length or sub-type do not fit, which
/// the firmware answers like an unknown command.
struct CommandHandler: Sendable {
    let code: CommandCode
    let run: @Sendable (Companion) -> Bool

    init(_ code: CommandCode, _ run: @escaping @Sendable (Companion) -> Bool) {
        self.code = code
        self.run = run
    }
}

/// Every command the firmware knows, one file each.
enum HandlerCatalogue {
    static let all: [CommandHandler] = [
        .appStart, .sendText, .sendChannelText, .getContacts, .getDeviceTime, .setDeviceTime, .sendSelfAdvert,
        .setAdvertName, .addUpdateContact, .syncNextMessage, .setRadioParameters, .setTransmitPower, .resetPath,
        .setAdvertPosition, .removeContact, .shareContact, .exportContact, .importContact, .reboot,
        .getBatteryAndStorage, .setTuning, .deviceQuery, .exportPrivateKey, .importPrivateKey, .sendRawData,
        .sendLogin, .sendStatusRequest, .hasConnection, .logout, .getContactByKey, .getChannel, .setChannel,
        .signStart, .signData, .signFinish, .sendTracePath, .setDevicePin, .setOtherParameters,
        .sendTelemetryRequest, .getCustomVariables, .setCustomVariable, .getAdvertPath, .getTuning,
        .sendBinaryRequest, .factoryReset, .sendPathDiscovery, .setFloodScope, .sendControlData, .getStatistics,
        .sendAnonymousRequest, .setAutoAdd, .getAutoAdd, .getRepeatFrequencies, .setPathHashMode, .sendChannelData,
        .setDefaultFloodScope, .getDefaultFloodScope, .sendRawPacket,
    ]

    private static let byCode: [CommandHandler?] = {
        var table = [CommandHandler?](repeating: nil, count: 256)
        for handler in all { table[Int(handler.code.rawValue)] = handler }
        return table
    }()

    static func handler(for code: UInt8) -> CommandHandler? { byCode[Int(code)] }
}
