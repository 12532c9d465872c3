public import RigBase

/// How far a message got (client-stack §3.1); the raw value is what is stored.
public enum MessageStatus: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case pending = 0
    case sending = 1
    /// Handed to the radio; for a channel message the last word.
    case sent = 2
    /// Final: nothing lowers it.
    case delivered = 3
    case failed = 4
    case retrying = 5

    public var description: String {
        switch self {
        case .pending: "pending"
        case .sending: "sending"
        case .sent: "sent"
        case .delivered: "delivered"
        case .failed: "failed"
        case .retrying: "retrying"
        }
    }
}

/// Which way a message went; the raw value is what is stored.
public enum MessageDirection: Int, Sendable, Hashable {
    case incoming = 0
    case outgoing = 1
}

/// Where a message belongs.
public enum Conversation: Sendable, Hashable {
    /// By the contact's local id.
    case contact(UUID128)
    case channel(UInt8)
    /// A direct message whose sender is no contact.
    case unknownSender
}

/// A direct or channel message, sent or received.
public struct StoredMessage: Sendable, Hashable {
    public var id: UUID128
    public var radioID: UUID128
    public var conversation: Conversation
    public var direction: MessageDirection
    public var text: String
    /// Text type on the wire: 0 plain, 1 CLI, 2 signed.
    public var textType: UInt8
    /// The sender's time, or the receive time when the sender's was beyond belief.
    public var timestamp: UInt32
    /// The sender's time as received, when `timestamp` differs from it.
    public var originalTimestamp: UInt32?
    public var createdAt: UInt32
    /// Receive time; the same for all messages of one backlog.
    public var sortDate: UInt32
    public var status: MessageStatus
    public var senderName: String?
    public var senderPrefix: [UInt8]?
    /// The confirmation code of the attempt that counts, read little-endian.
    public var ackCode: UInt32?
    /// As told by the radio, in milliseconds; never made up.
    public var tripTimeMillis: UInt32?
    public var pathLength: UInt8?
    public var snrQuarterDB: Int8?
    public var isRead: Bool
    public var containsMention: Bool
    public var sendCount: Int
    public var retryAttempt: Int
    public var retryMax: Int
    /// Content key of an incoming message (client-stack §7.3), unique for a radio; nil is never a duplicate.
    public var dedupKey: String?
    /// Order of storing, given by the store.
    public internal(set) var sequence: Int64 = 0

    public init(
        id: UUID128, radioID: UUID128, conversation: Conversation, direction: MessageDirection, text: String,
        textType: UInt8 = 0, timestamp: UInt32, originalTimestamp: UInt32? = nil, createdAt: UInt32,
        sortDate: UInt32? = nil, status: MessageStatus, senderName: String? = nil, senderPrefix: [UInt8]? = nil,
        ackCode: UInt32? = nil, tripTimeMillis: UInt32? = nil, pathLength: UInt8? = nil, snrQuarterDB: Int8? = nil,
        isRead: Bool = false, containsMention: Bool = false, sendCount: Int = 1, retryAttempt: Int = 0,
        retryMax: Int = 0, dedupKey: String? = nil
    ) {
        self.id = id
        self.radioID = radioID
        self.conversation = conversation
        self.direction = direction
        self.text = text
        self.textType = textType
        self.timestamp = timestamp
        self.originalTimestamp = originalTimestamp
        self.createdAt = createdAt
        self.sortDate = sortDate ?? createdAt
        self.status = status
        self.senderName = senderName
        self.senderPrefix = senderPrefix
        self.ackCode = ackCode
        self.tripTimeMillis = tripTimeMillis
        self.pathLength = pathLength
        self.snrQuarterDB = snrQuarterDB
        self.isRead = isRead
        self.containsMention = containsMention
        self.sendCount = sendCount
        self.retryAttempt = retryAttempt
        self.retryMax = retryMax
        self.dedupKey = dedupKey
    }
}

/// The codes one sent direct message waits for, and since when.
public struct AwaitedConfirmation: Sendable, Hashable {
    public var message: UUID128
    public var contact: UUID128
    /// One for each attempt, oldest first, each once.
    public var codes: [UInt32]
    /// Unix time of the last attempt in milliseconds.
    public var sentAtMillis: Int64
    /// How long that attempt waits, in milliseconds.
    public var timeoutMillis: Int64

    public init(message: UUID128, contact: UUID128, codes: [UInt32], sentAtMillis: Int64, timeoutMillis: Int64) {
        self.message = message
        self.contact = contact
        self.codes = codes
        self.sentAtMillis = sentAtMillis
        self.timeoutMillis = timeoutMillis
    }
}

/// A message that waits for its turn to be sent.
public struct PendingSend: Sendable, Hashable {
    public var id: UUID128
    public var radioID: UUID128
    public var message: UUID128
    public var createdAt: UInt32
    /// How often it was taken from the head of the queue.
    public var drains: Int
    /// Order in the queue, given by the store.
    public internal(set) var sequence: Int64 = 0

    public init(id: UUID128, radioID: UUID128, message: UUID128, createdAt: UInt32, drains: Int = 0) {
        self.id = id
        self.radioID = radioID
        self.message = message
        self.createdAt = createdAt
        self.drains = drains
    }
}
