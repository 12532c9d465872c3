internal import ClientStore
internal import RigBase
internal import RunRecord

/// What the services need to know of a radio before the first sync.
struct RadioDescription: Sendable {
    var publicKey: [UInt8]
    var name: String
    var firmware: String
    var model: String
    var protocolVersion: UInt8
    var maxContacts: Int
    var maxChannels: Int
    /// 0 when the radio does not tell.
    var autoAdd: UInt8
}

/// The radio's SENT for a text.
struct SentReceipt: Sendable, Hashable {
    /// Confirmation code, read little-endian.
    var code: UInt32
    var suggestedMillis: UInt32
}

/// A confirmation as the radio told it.
struct Confirmation: Sendable, Hashable {
    var code: UInt32
    /// Nil when the radio gave none.
    var tripTimeMillis: UInt32?
}

/// One slot of the radio's channel table.
struct ChannelSlot: Sendable, Hashable {
    var index: UInt8
    var name: String
    var secret: Secret

    /// A name or a secret makes a channel.
    var isConfigured: Bool { !name.isEmpty || secret.reveal { $0.contains { $0 != 0 } } }
}

/// A text from the radio's queue.
struct ReceivedText: Sendable, Hashable {
    enum Source: Sendable, Hashable {
        /// First bytes of the sender's key.
        case direct([UInt8])
        case channel(UInt8)
    }

    var source: Source
    var textType: UInt8
    /// By the sender's clock.
    var timestamp: UInt32
    var text: String
    /// As encoded on the wire.
    var pathLength: UInt8
    var snrQuarterDB: Int8?
    /// The frame it came in.
    var cause: EventID?
}

/// What the radio's queue held.
enum QueueItem: Sendable, Hashable {
    case text(ReceivedText)
    /// Channel data, which is not shown.
    case datagram
    case none
}

/// A push about a contact.
enum ContactPush: Sendable, Hashable {
    case advert(key: [UInt8])
    case pathUpdated(key: [UInt8])
    /// A node that is no contact.
    case newAdvert(ContactFields)
    case deleted(key: [UInt8])
    case tableFull
}
