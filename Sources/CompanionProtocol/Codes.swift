/// First byte of a frame from client to radio (companion-protocol §3). An open set: unknown codes keep their value.
public struct CommandCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    private init(_ value: UInt8) { rawValue = value }

    public static let appStart = CommandCode(1)
    public static let sendText = CommandCode(2)
    public static let sendChannelText = CommandCode(3)
    public static let getContacts = CommandCode(4)
    public static let getDeviceTime = CommandCode(5)
    public static let setDeviceTime = CommandCode(6)
    public static let sendSelfAdvert = CommandCode(7)
    public static let setAdvertName = CommandCode(8)
    public static let addUpdateContact = CommandCode(9)
    public static let syncNextMessage = CommandCode(10)
    public static let setRadioParameters = CommandCode(11)
    public static let setTransmitPower = CommandCode(12)
    public static let resetPath = CommandCode(13)
    public static let setAdvertPosition = CommandCode(14)
    public static let removeContact = CommandCode(15)
    public static let shareContact = CommandCode(16)
    public static let exportContact = CommandCode(17)
    public static let importContact = CommandCode(18)
    public static let reboot = CommandCode(19)
    public static let getBatteryAndStorage = CommandCode(20)
    public static let setTuning = CommandCode(21)
    public static let deviceQuery = CommandCode(22)
    public static let exportPrivateKey = CommandCode(23)
    public static let importPrivateKey = CommandCode(24)
    public static let sendRawData = CommandCode(25)
    public static let sendLogin = CommandCode(26)
    public static let sendStatusRequest = CommandCode(27)
    public static let hasConnection = CommandCode(28)
    public static let logout = CommandCode(29)
    public static let getContactByKey = CommandCode(30)
    public static let getChannel = CommandCode(31)
    public static let setChannel = CommandCode(32)
    public static let signStart = CommandCode(33)
    public static let signData = CommandCode(34)
    public static let signFinish = CommandCode(35)
    public static let sendTracePath = CommandCode(36)
    public static let setDevicePin = CommandCode(37)
    public static let setOtherParameters = CommandCode(38)
    public static let sendTelemetryRequest = CommandCode(39)
    public static let getCustomVariables = CommandCode(40)
    public static let setCustomVariable = CommandCode(41)
    public static let getAdvertPath = CommandCode(42)
    public static let getTuning = CommandCode(43)
    public static let sendBinaryRequest = CommandCode(50)
    public static let factoryReset = CommandCode(51)
    public static let sendPathDiscovery = CommandCode(52)
    public static let setFloodScope = CommandCode(54)
    public static let sendControlData = CommandCode(55)
    public static let getStatistics = CommandCode(56)
    public static let sendAnonymousRequest = CommandCode(57)
    public static let setAutoAdd = CommandCode(58)
    public static let getAutoAdd = CommandCode(59)
    public static let getRepeatFrequencies = CommandCode(60)
    public static let setPathHashMode = CommandCode(61)
    public static let sendChannelData = CommandCode(62)
    public static let setDefaultFloodScope = CommandCode(63)
    public static let getDefaultFloodScope = CommandCode(64)
    public static let sendRawPacket = CommandCode(65)
}

/// First byte of a frame from radio to client: below 0x80 a reply, from 0x80 on a push (companion-protocol §4, §5).
public struct RadioCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    private init(_ value: UInt8) { rawValue = value }

    /// A push may come at any time and answers no command.
    public var isPush: Bool { rawValue >= 0x80 }

    public static let ok = RadioCode(0x00)
    public static let error = RadioCode(0x01)
    public static let contactsStart = RadioCode(0x02)
    public static let contact = RadioCode(0x03)
    public static let contactsEnd = RadioCode(0x04)
    public static let selfInfo = RadioCode(0x05)
    public static let sent = RadioCode(0x06)
    public static let directMessage = RadioCode(0x07)
    public static let channelMessage = RadioCode(0x08)
    public static let deviceTime = RadioCode(0x09)
    public static let noMoreMessages = RadioCode(0x0A)
    public static let exportedContact = RadioCode(0x0B)
    public static let batteryAndStorage = RadioCode(0x0C)
    public static let deviceInfo = RadioCode(0x0D)
    public static let privateKey = RadioCode(0x0E)
    public static let disabled = RadioCode(0x0F)
    public static let directMessageV3 = RadioCode(0x10)
    public static let channelMessageV3 = RadioCode(0x11)
    public static let channelInfo = RadioCode(0x12)
    public static let signStarted = RadioCode(0x13)
    public static let signature = RadioCode(0x14)
    public static let customVariables = RadioCode(0x15)
    public static let advertPath = RadioCode(0x16)
    public static let tuning = RadioCode(0x17)
    public static let statistics = RadioCode(0x18)
    public static let autoAdd = RadioCode(0x19)
    public static let repeatFrequencies = RadioCode(0x1A)
    public static let channelData = RadioCode(0x1B)
    public static let defaultFloodScope = RadioCode(0x1C)

    public static let advert = RadioCode(0x80)
    public static let pathUpdated = RadioCode(0x81)
    public static let sendConfirmed = RadioCode(0x82)
    public static let messageWaiting = RadioCode(0x83)
    public static let rawData = RadioCode(0x84)
    public static let loginSucceeded = RadioCode(0x85)
    public static let loginFailed = RadioCode(0x86)
    public static let statusResponse = RadioCode(0x87)
    public static let receivedPacketLog = RadioCode(0x88)
    public static let traceData = RadioCode(0x89)
    public static let newAdvert = RadioCode(0x8A)
    public static let telemetryResponse = RadioCode(0x8B)
    public static let binaryResponse = RadioCode(0x8C)
    public static let pathDiscoveryResponse = RadioCode(0x8D)
    public static let controlData = RadioCode(0x8E)
    public static let contactDeleted = RadioCode(0x8F)
    public static let contactsFull = RadioCode(0x90)
}

/// Second byte of an ERR reply (companion-protocol §2.4).
public struct DeviceErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    private init(_ value: UInt8) { rawValue = value }

    public static let unsupportedCommand = DeviceErrorCode(1)
    public static let notFound = DeviceErrorCode(2)
    public static let tableFull = DeviceErrorCode(3)
    public static let badState = DeviceErrorCode(4)
    public static let fileInputOutput = DeviceErrorCode(5)
    public static let illegalArgument = DeviceErrorCode(6)

    public var description: String { knownName ?? "error \(rawValue)" }

    /// Nil for a code that MeshCore does not have.
    var knownName: String? {
        switch self {
        case .unsupportedCommand: "unsupported command"
        case .notFound: "not found"
        case .tableFull: "table full"
        case .badState: "bad state"
        case .fileInputOutput: "file error"
        case .illegalArgument: "illegal argument"
        default: nil
        }
    }
}

/// Sizes both ends of the link agree on (companion-protocol §1.1, §9).
public enum CompanionLimits {
    /// Largest frame in bytes, code included, transport envelope not (since v1.16.0).
    public static let maxFrameSize = 176
    public static let publicKeySize = 32
    /// Bytes of a public key that name a contact in message frames.
    public static let keyPrefixSize = 6
    /// Usable bytes of a 32-byte name field.
    public static let maxNameSize = 31
    public static let channelSecretSize = 16
    public static let pathFieldSize = 64
}
