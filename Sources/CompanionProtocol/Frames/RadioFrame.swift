/// A frame from radio to client: replies below 0x80, pushes from there on.
public enum RadioFrame: Sendable, Hashable {
    case ok(OkReply)
    case error(ErrorReply)
    case contactsStart(ContactsStartReply)
    case contact(ContactReply)
    case contactsEnd(ContactsEndReply)
    case selfInfo(SelfInfoReply)
    case sent(SentReply)
    case directMessage(DirectMessageReply)
    case channelMessage(ChannelMessageReply)
    case deviceTime(DeviceTimeReply)
    case noMoreMessages(NoMoreMessagesReply)
    case exportedContact(ExportedContactReply)
    case battery(BatteryReply)
    case deviceInfo(DeviceInfoReply)
    case privateKey(PrivateKeyReply)
    case disabled(DisabledReply)
    case channelInfo(ChannelInfoReply)
    case signStarted(SignStartedReply)
    case signature(SignatureReply)
    case customVariables(CustomVariablesReply)
    case advertPath(AdvertPathReply)
    case tuning(TuningReply)
    case statistics(StatisticsReply)
    case autoAdd(AutoAddReply)
    case repeatFrequencies(RepeatFrequenciesReply)
    case channelData(ChannelDataReply)
    case defaultFloodScope(DefaultFloodScopeReply)

    case advert(AdvertPush)
    case pathUpdated(PathUpdatedPush)
    case sendConfirmed(SendConfirmedPush)
    case messageWaiting(MessageWaitingPush)
    case rawData(RawDataPush)
    case loginSucceeded(LoginSucceededPush)
    case loginFailed(LoginFailedPush)
    case statusResponse(StatusResponsePush)
    case receivedPacketLog(ReceivedPacketLogPush)
    case traceData(TraceDataPush)
    case newAdvert(NewAdvertPush)
    case telemetryResponse(TelemetryResponsePush)
    case binaryResponse(BinaryResponsePush)
    case pathDiscoveryResponse(PathDiscoveryResponsePush)
    case controlData(ControlDataPush)
    case contactDeleted(ContactDeletedPush)
    case contactsFull(ContactsFullPush)

    /// A known code with a body it cannot have.
    case malformed(RadioCode, [UInt8], FrameDefect)
    /// A code that is not known, or no byte at all.
    case unknown([UInt8])

    /// Reads a frame without its envelope. Never traps: what cannot be read is `malformed` or `unknown`.
    public static func decode(_ bytes: [UInt8]) -> RadioFrame {
        guard let first = bytes.first else { return .unknown(bytes) }
        let code = RadioCode(rawValue: first)
        guard let type = RadioCatalog.payload(code) else { return .unknown(bytes) }
        var reader = FrameReader(bytes)
        do throws(FrameDefect) {
            return try type.init(decoding: &reader, code: code).frame
        } catch {
            return .malformed(code, bytes, error)
        }
    }

    /// What the frame carries; nil when it could not be read.
    public var payload: (any RadioPayload)? {
        switch self {
        case .ok(let payload): payload
        case .error(let payload): payload
        case .contactsStart(let payload): payload
        case .contact(let payload): payload
        case .contactsEnd(let payload): payload
        case .selfInfo(let payload): payload
        case .sent(let payload): payload
        case .directMessage(let payload): payload
        case .channelMessage(let payload): payload
        case .deviceTime(let payload): payload
        case .noMoreMessages(let payload): payload
        case .exportedContact(let payload): payload
        case .battery(let payload): payload
        case .deviceInfo(let payload): payload
        case .privateKey(let payload): payload
        case .disabled(let payload): payload
        case .channelInfo(let payload): payload
        case .signStarted(let payload): payload
        case .signature(let payload): payload
        case .customVariables(let payload): payload
        case .advertPath(let payload): payload
        case .tuning(let payload): payload
        case .statistics(let payload): payload
        case .autoAdd(let payload): payload
        case .repeatFrequencies(let payload): payload
        case .channelData(let payload): payload
        case .defaultFloodScope(let payload): payload
        case .advert(let payload): payload
        case .pathUpdated(let payload): payload
        case .sendConfirmed(let payload): payload
        case .messageWaiting(let payload): payload
        case .rawData(let payload): payload
        case .loginSucceeded(let payload): payload
        case .loginFailed(let payload): payload
        case .statusResponse(let payload): payload
        case .receivedPacketLog(let payload): payload
        case .traceData(let payload): payload
        case .newAdvert(let payload): payload
        case .telemetryResponse(let payload): payload
        case .binaryResponse(let payload): payload
        case .pathDiscoveryResponse(let payload): payload
        case .controlData(let payload): payload
        case .contactDeleted(let payload): payload
        case .contactsFull(let payload): payload
        case .malformed, .unknown: nil
        }
    }

    /// The first byte; nil for a frame without any.
    public var code: RadioCode? {
        switch self {
        case .malformed(let code, _, _): code
        case .unknown(let bytes): bytes.first.map(RadioCode.init(rawValue:))
        default: payload?.code
        }
    }

    public var encoded: [UInt8] {
        switch self {
        case .malformed(_, let bytes, _), .unknown(let bytes): bytes
        default: payload?.encoded ?? []
        }
    }

    /// A push may come at any time and answers no command.
    public var isPush: Bool { code?.isPush ?? false }
}

extension RadioFrame: CustomStringConvertible {
    public var description: String { FrameDescription.line(encoded, .fromRadio) }
}

/// Every frame a radio sends, in the order of the codes.
public enum RadioCatalog {
    public static let all: [any RadioPayload.Type] = [
        OkReply.self, ErrorReply.self, ContactsStartReply.self, ContactReply.self, ContactsEndReply.self,
        SelfInfoReply.self, SentReply.self, DirectMessageReply.self, ChannelMessageReply.self, DeviceTimeReply.self,
        NoMoreMessagesReply.self, ExportedContactReply.self, BatteryReply.self, DeviceInfoReply.self,
        PrivateKeyReply.self, DisabledReply.self, ChannelInfoReply.self, SignStartedReply.self, SignatureReply.self,
        CustomVariablesReply.self, AdvertPathReply.self, TuningReply.self, StatisticsReply.self, AutoAddReply.self,
        RepeatFrequenciesReply.self, ChannelDataReply.self, DefaultFloodScopeReply.self,
        AdvertPush.self, PathUpdatedPush.self, SendConfirmedPush.self, MessageWaitingPush.self, RawDataPush.self,
        LoginSucceededPush.self, LoginFailedPush.self, StatusResponsePush.self, ReceivedPacketLogPush.self,
        TraceDataPush.self, NewAdvertPush.self, TelemetryResponsePush.self, BinaryResponsePush.self,
        PathDiscoveryResponsePush.self, ControlDataPush.self, ContactDeletedPush.self, ContactsFullPush.self,
    ]

    private static let byCode: [UInt8: any RadioPayload.Type] = {
        var table: [UInt8: any RadioPayload.Type] = [:]
        for type in all {
            for code in type.codes { table[code.rawValue] = type }
        }
        return table
    }()

    /// What frames with that code carry, if the code is known.
    public static func payload(_ code: RadioCode) -> (any RadioPayload.Type)? { byCode[code.rawValue] }
}
