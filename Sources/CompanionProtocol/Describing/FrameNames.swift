internal import RigBase

/// The symbolic names of frames in scenarios and reports: the constants of `CommandCode` and `RadioCode` in kebab case.
public enum FrameNames {
    /// Commands in the order of their codes.
    public static let commands: [(name: String, code: CommandCode)] = [
        ("app-start", .appStart),
        ("send-text", .sendText),
        ("send-channel-text", .sendChannelText),
        ("get-contacts", .getContacts),
        ("get-device-time", .getDeviceTime),
        ("set-device-time", .setDeviceTime),
        ("send-self-advert", .sendSelfAdvert),
        ("set-advert-name", .setAdvertName),
        ("add-update-contact", .addUpdateContact),
        ("sync-next-message", .syncNextMessage),
        ("set-radio-parameters", .setRadioParameters),
        ("set-transmit-power", .setTransmitPower),
        ("reset-path", .resetPath),
        ("set-advert-position", .setAdvertPosition),
        ("remove-contact", .removeContact),
        ("share-contact", .shareContact),
        ("export-contact", .exportContact),
        ("import-contact", .importContact),
        ("reboot", .reboot),
        ("get-battery-and-storage", .getBatteryAndStorage),
        ("set-tuning", .setTuning),
        ("device-query", .deviceQuery),
        ("export-private-key", .exportPrivateKey),
        ("import-private-key", .importPrivateKey),
        ("send-raw-data", .sendRawData),
        ("send-login", .sendLogin),
        ("send-status-request", .sendStatusRequest),
        ("has-connection", .hasConnection),
        ("logout", .logout),
        ("get-contact-by-key", .getContactByKey),
        ("get-channel", .getChannel),
        ("set-channel", .setChannel),
        ("sign-start", .signStart),
        ("sign-data", .signData),
        ("sign-finish", .signFinish),
        ("send-trace-path", .sendTracePath),
        ("set-device-pin", .setDevicePin),
        ("set-other-parameters", .setOtherParameters),
        ("send-telemetry-request", .sendTelemetryRequest),
        ("get-custom-variables", .getCustomVariables),
        ("set-custom-variable", .setCustomVariable),
        ("get-advert-path", .getAdvertPath),
        ("get-tuning", .getTuning),
        ("send-binary-request", .sendBinaryRequest),
        ("factory-reset", .factoryReset),
        ("send-path-discovery", .sendPathDiscovery),
        ("set-flood-scope", .setFloodScope),
        ("send-control-data", .sendControlData),
        ("get-statistics", .getStatistics),
        ("send-anonymous-request", .sendAnonymousRequest),
        ("set-auto-add", .setAutoAdd),
        ("get-auto-add", .getAutoAdd),
        ("get-repeat-frequencies", .getRepeatFrequencies),
        ("set-path-hash-mode", .setPathHashMode),
        ("send-channel-data", .sendChannelData),
        ("set-default-flood-scope", .setDefaultFloodScope),
        ("get-default-flood-scope", .getDefaultFloodScope),
        ("send-raw-packet", .sendRawPacket),
    ]

    /// Replies and pushes in the order of their codes.
    public static let radioFrames: [(name: String, code: RadioCode)] = [
        ("ok", .ok),
        ("error", .error),
        ("contacts-start", .contactsStart),
        ("contact", .contact),
        ("contacts-end", .contactsEnd),
        ("self-info", .selfInfo),
        ("sent", .sent),
        ("direct-message", .directMessage),
        ("channel-message", .channelMessage),
        ("device-time", .deviceTime),
        ("no-more-messages", .noMoreMessages),
        ("exported-contact", .exportedContact),
        ("battery-and-storage", .batteryAndStorage),
        ("device-info", .deviceInfo),
        ("private-key", .privateKey),
        ("disabled", .disabled),
        ("direct-message-v3", .directMessageV3),
        ("channel-message-v3", .channelMessageV3),
        ("channel-info", .channelInfo),
        ("sign-started", .signStarted),
        ("signature", .signature),
        ("custom-variables", .customVariables),
        ("advert-path", .advertPath),
        ("tuning", .tuning),
        ("statistics", .statistics),
        ("auto-add", .autoAdd),
        ("repeat-frequencies", .repeatFrequencies),
        ("channel-data", .channelData),
        ("default-flood-scope", .defaultFloodScope),
        ("advert", .advert),
        ("path-updated", .pathUpdated),
        ("send-confirmed", .sendConfirmed),
        ("message-waiting", .messageWaiting),
        ("raw-data", .rawData),
        ("login-succeeded", .loginSucceeded),
        ("login-failed", .loginFailed),
        ("status-response", .statusResponse),
        ("received-packet-log", .receivedPacketLog),
        ("trace-data", .traceData),
        ("new-advert", .newAdvert),
        ("telemetry-response", .telemetryResponse),
        ("binary-response", .binaryResponse),
        ("path-discovery-response", .pathDiscoveryResponse),
        ("control-data", .controlData),
        ("contact-deleted", .contactDeleted),
        ("contacts-full", .contactsFull),
    ]

    /// The command's name, or its number in hex (`0x2f`) when it has none.
    public static func name(of code: CommandCode) -> String {
        commands.first { $0.code == code }?.name ?? hexName(code.rawValue)
    }

    /// The reply's or push's name, or its number in hex when it has none.
    public static func name(of code: RadioCode) -> String {
        radioFrames.first { $0.code == code }?.name ?? hexName(code.rawValue)
    }

    /// The name of a frame's first byte, `empty` for a frame without one.
    public static func name(of frame: [UInt8], _ direction: LinkDirection) -> String {
        guard let first = frame.first else { return "empty" }
        switch direction {
        case .toRadio: return name(of: CommandCode(rawValue: first))
        case .fromRadio: return name(of: RadioCode(rawValue: first))
        }
    }

    /// The command of that name; a number in hex is taken as well.
    public static func command(named name: String) -> CommandCode? {
        commands.first { $0.name == name }?.code ?? hexCode(name).map(CommandCode.init(rawValue:))
    }

    /// The reply or push of that name; a number in hex is taken as well.
    public static func radioFrame(named name: String) -> RadioCode? {
        radioFrames.first { $0.name == name }?.code ?? hexCode(name).map(RadioCode.init(rawValue:))
    }

    private static func hexName(_ value: UInt8) -> String { "0x" + Hex.encode([value]) }

    private static func hexCode(_ name: String) -> UInt8? {
        guard name.hasPrefix("0x"), let bytes = Hex.decode(name.dropFirst(2)), bytes.count == 1 else { return nil }
        return bytes[0]
    }
}
