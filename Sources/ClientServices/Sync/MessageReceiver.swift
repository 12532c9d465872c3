internal import ClientStore
internal import MeshCoreClient
internal import RigBase
internal import RigRuntime
internal import RunRecord

/// Files received messages: once each, under their conversation, with the sender's time set right (client-stack §4.6).
actor MessageReceiver {
    let context: ServiceContext
    private let events: Broadcaster<DataEvent>
    private var blockedNames: Set<String> = []
    /// The conversation that is on the screen: its messages are not unread.
    private var openConversation: Conversation?
    private var unknownChannels: Set<UInt8> = []
    private var lastChannelWarning: SimInstant?

    init(context: ServiceContext, events: Broadcaster<DataEvent>) {
        self.context = context
        self.events = events
    }

    func setOpenConversation(_ conversation: Conversation?) { openConversation = conversation }

    /// Reads the names that are blocked; none when they cannot be read. What they wrote before is removed.
    func refreshBlockedNames() async {
        let names = (try? await context.store.blockedNames(radio: context.radioID)) ?? []
        blockedNames = Set(names)
        _ = try? await context.store.deleteChannelMessages(from: names, radio: context.radioID)
    }

    func receive(_ received: ReceivedText, _ reception: Reception) async {
        do {
            switch received.source {
            case .direct(let prefix): try await receiveDirect(received, from: prefix, reception)
            case .channel(let index): try await receiveChannel(received, index: index, reception)
            }
        } catch {
            context.warn("a received message could not be stored: \(error)")
        }
    }

    private func receiveDirect(
        _ received: ReceivedText, from prefix: [UInt8], _ reception: Reception
    ) async throws(StoreError) {
        let contact = try await context.store.contact(prefix: prefix, radio: context.radioID)
        if contact == nil, received.textType == 1 {
            return context.warn("a command reply from a node that is no contact was dropped")
        }
        var message = message(
            received, reception, in: contact.map { .contact($0.id) } ?? .unknownSender,
            key: IncomingText.directKey(contact: contact?.id, timestamp: received.timestamp, text: received.text))
        message.senderPrefix = prefix
        message.senderName = contact?.name
        message.containsMention = IncomingText.mentions(context.nodeName, in: message.text)
        message.isRead = openConversation == message.conversation
        guard try await store(message, received, ["contact": .text(contact?.name ?? Hex.encode(prefix))]) else {
            return
        }
        guard let contact else { return }
        try await context.store.touchContact(contact.id, lastMessage: message.timestamp)
        if !contact.isBlocked, !message.isRead {
            try await context.store.addUnread(contact: contact.id, mention: message.containsMention)
        }
        events.yield(.conversationsChanged)
        events.yield(.directMessageReceived(message.id))
    }

    private func receiveChannel(
        _ received: ReceivedText, index: UInt8, _ reception: Reception
    ) async throws(StoreError) {
        let (sender, text) = IncomingText.splitChannel(received.text)
        if let sender, blockedNames.contains(sender) { return }
        let channel = try await context.store.channel(index, radio: context.radioID)
        var message = message(
            received, reception, in: .channel(index),
            key: IncomingText.channelKey(index: index, timestamp: received.timestamp, sender: sender, text: text))
        message.text = text
        message.senderName = sender
        message.containsMention = sender != context.nodeName && IncomingText.mentions(context.nodeName, in: text)
        message.isRead = openConversation == message.conversation
        let fields: Fields = ["channel": .text(channel?.name ?? String(index)), "sender": .text(sender ?? "")]
        guard try await store(message, received, fields) else { return }
        if channel == nil { warnOfUnknownChannel(index) }
        try await context.store.touchChannel(index, radio: context.radioID, lastMessage: message.timestamp)
        if !message.isRead {
            try await context.store.addUnread(
                channel: index, radio: context.radioID, mention: message.containsMention)
        }
        events.yield(.conversationsChanged)
        events.yield(.channelMessageReceived(message.id))
    }

    private func message(
        _ received: ReceivedText, _ reception: Reception, in conversation: Conversation, key: String
    ) -> StoredMessage {
        let now = context.runtime.wallSeconds()
        let (timestamp, original) = IncomingText.correctedTimestamp(received.timestamp, received: now)
        let sortDate = if case .backlog(let anchor) = reception { anchor } else { now }
        let isDeduplicated = !context.runtime.defects.contains(.duplicatesStored)
        return StoredMessage(
            id: context.runtime.makeID("message"), radioID: context.radioID, conversation: conversation,
            direction: .incoming, text: received.text, textType: received.textType, timestamp: timestamp,
            originalTimestamp: original, createdAt: now, sortDate: sortDate, status: .delivered,
            pathLength: received.pathLength, snrQuarterDB: received.snrQuarterDB,
            dedupKey: isDeduplicated ? key : nil)
    }

    /// Stores a message and tells the journal; false for one that is there already.
    private func store(
        _ message: StoredMessage, _ received: ReceivedText, _ conversation: Fields
    ) async throws(StoreError) -> Bool {
        let isNew = try await context.store.insertMessage(message)
        let head: Fields = ["id": .text(message.id.description), "direction": "incoming"]
        let tail: Fields = ["text": .text(message.text), "timestamp": FieldValue(message.timestamp)]
        context.post(
            isNew ? .messageStored : .messageDuplicate, cause: received.cause, head.merging(conversation).merging(tail))
        return isNew
    }

    /// At once for an index that was not met before, else at most once a minute.
    private func warnOfUnknownChannel(_ index: UInt8) {
        let now = context.runtime.now()
        let isNew = unknownChannels.insert(index).inserted
        if !isNew, let last = lastChannelWarning, last.duration(to: now) < .seconds(60) { return }
        lastChannelWarning = now
        context.warn("a message came on channel \(index), which is not known")
    }
}
