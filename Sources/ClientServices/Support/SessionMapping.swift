internal import ClientStore
internal import CompanionProtocol
internal import MeshCoreClient
internal import MeshTransport
internal import RigBase
internal import RunRecord

/// What the services ask of a session, in their own words; the only file that reads and writes the session's types.
extension MeshCoreSession {
    /// Brings the link up and learns what the radio is. A radio that does not tell its auto-add setting has none.
    func open() async throws(RadioFailure) -> RadioDescription {
        try await asked { () throws(SessionError) in
            try await start()
            guard let me = selfInfo else { throw .malformedReply("no SELF_INFO") }
            let device = try await queryDevice()
            let autoAdd = await autoAddMask()
            return RadioDescription(
                publicKey: me.key, name: me.displayName, firmware: device.details?.version.validPrefix ?? "",
                model: device.details?.model.validPrefix ?? "", protocolVersion: device.protocolVersion,
                maxContacts: device.details?.maxContacts ?? 0, maxChannels: Int(device.details?.maxChannels ?? 0),
                autoAdd: autoAdd)
        }
    }

    private func autoAddMask() async -> UInt8 {
        do throws(SessionError) { return try await getAutoAdd().mask.rawValue } catch { return 0 }
    }

    /// Waits for the end of the link and says what it was; nil when the session was stopped before anybody listened.
    func waitForLoss() async -> String? {
        for await state in states() {
            switch state {
            case .connecting, .reconnecting, .connected: continue
            case .disconnected: return "link lost"
            case .failed(let error): return error.description
            }
        }
        return nil
    }

    // MARK: Messages

    func sendDirect(
        _ text: String, timestamp: UInt32, attempt: UInt8, to prefix: [UInt8]
    ) async throws(RadioFailure) -> SentReceipt {
        try await asked { () throws(SessionError) in
            let reply = try await sendText(text, to: prefix, timestamp: timestamp, attempt: attempt)
            return SentReceipt(code: Confirmation.number(reply.tag), suggestedMillis: reply.suggestedTimeoutMillis)
        }
    }

    func sendChannel(_ text: String, timestamp: UInt32, index: UInt8) async throws(RadioFailure) {
        try await asked { () throws(SessionError) in
            try await sendChannelText(text, channel: index, timestamp: timestamp)
        }
    }

    func nextMessage() async throws(RadioFailure) -> QueueItem {
        let fetched = try await asked { () throws(SessionError) in try await getRecordedMessage() }
        switch fetched.message {
        case .direct(let message): return .text(ReceivedText(message, record: fetched.record))
        case .channel(let message): return .text(ReceivedText(message, record: fetched.record))
        case .data: return .datagram
        case .none: return .none
        }
    }

    // MARK: Contacts

    func listContacts(since: UInt32?) async throws(RadioFailure) -> [ContactFields] {
        try await asked { () throws(SessionError) in
            try await getContacts(since: since).contacts.map(ContactFields.init)
        }
    }

    /// Nil when the radio has no contact with that key.
    func contact(key: [UInt8]) async throws(RadioFailure) -> ContactFields? {
        try await asked { () throws(SessionError) in try await getContact(key: key).map(ContactFields.init) }
    }

    func write(_ fields: ContactFields) async throws(RadioFailure) {
        try await asked { () throws(SessionError) in try await writeContact(AddUpdateContactCommand(fields.record)) }
    }

    func deleteContact(_ key: [UInt8]) async throws(RadioFailure) {
        try await asked { () throws(SessionError) in try await removeContact(key: key) }
    }

    func forgetPath(to key: [UInt8]) async throws(RadioFailure) {
        try await asked { () throws(SessionError) in try await resetPath(key: key) }
    }

    // MARK: Channels

    /// Several slots in one exchange; those without an answer are named.
    func readChannels(
        _ indices: [UInt8]
    ) async throws(RadioFailure) -> (received: [ChannelSlot], missing: [UInt8]) {
        let listing = try await asked { () throws(SessionError) in try await getChannels(indices) }
        return (listing.received.map(ChannelSlot.init), listing.missing)
    }

    func channel(_ index: UInt8) async throws(RadioFailure) -> ChannelSlot {
        try await asked { () throws(SessionError) in ChannelSlot(try await getChannel(index)) }
    }

    func writeChannel(_ index: UInt8, name: String, secret: Secret) async throws(RadioFailure) {
        try await asked { () throws(SessionError) in try await setChannel(index, name: name, secret: secret) }
    }

    // MARK: Device

    func ownPrivateKey() async throws(RadioFailure) -> Secret {
        try await asked { () throws(SessionError) in try await exportPrivateKey() }
    }

    func clock() async throws(RadioFailure) -> UInt32 {
        try await asked { () throws(SessionError) in try await getDeviceTime() }
    }

    func setClock(_ seconds: UInt32) async throws(RadioFailure) {
        try await asked { () throws(SessionError) in try await setDeviceTime(seconds) }
    }

    private func asked<Result>(
        _ body: () async throws(SessionError) -> Result
    ) async throws(RadioFailure) -> Result {
        do { return try await body() } catch { throw RadioFailure(error) }
    }
}

extension RadioFailure {
    init(_ error: SessionError) {
        self =
            switch error {
            case .timeout: .timeout
            case .notConnected: .notConnected
            case .connectionLost: .connectionLost
            // A frame that was not written whole may have been written in part.
            case .transport(.writeFailed), .transport(.writeTimedOut): .connectionLost
            case .transport(let reason): .other(reason.description)
            case .device(let code): .device(code)
            case .cancelled: .cancelled
            case .malformedReply(let reason): .unreadable(reason)
            case .disabled, .invalidArgument: .other(error.description)
            }
    }
}

extension Confirmation {
    /// Nil for any other event.
    init?(_ event: MeshEvent) {
        guard case .frame(.sendConfirmed(let push)) = event else { return nil }
        self.init(code: Self.number(push.tag), tripTimeMillis: push.tripTimeMillis)
    }

    /// Four bytes read little-endian.
    static func number(_ bytes: [UInt8]) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}

extension ContactPush {
    /// Nil for any other event.
    init?(_ event: MeshEvent) {
        switch event {
        case .frame(.advert(let push)): self = .advert(key: push.key)
        case .frame(.pathUpdated(let push)): self = .pathUpdated(key: push.key)
        case .frame(.newAdvert(let push)): self = .newAdvert(ContactFields(push.contact))
        case .frame(.contactDeleted(let push)): self = .deleted(key: push.key)
        case .frame(.contactsFull): self = .tableFull
        default: return nil
        }
    }
}

extension ReceivedText {
    init(_ message: DirectMessageReply, record: EventID?) {
        self.init(
            source: .direct(message.senderPrefix), textType: message.type.rawValue, timestamp: message.timestamp,
            text: message.text.string, pathLength: message.pathLength.rawValue, snrQuarterDB: message.snrQuarterDB,
            cause: record)
    }

    init(_ message: ChannelMessageReply, record: EventID?) {
        self.init(
            source: .channel(message.channel), textType: message.type.rawValue, timestamp: message.timestamp,
            text: message.text.string, pathLength: message.pathLength.rawValue, snrQuarterDB: message.snrQuarterDB,
            cause: record)
    }
}

extension ChannelSlot {
    init(_ reply: ChannelInfoReply) {
        self.init(index: reply.index, name: reply.displayName, secret: reply.secret)
    }
}

extension ContactFields {
    init(_ record: ContactRecord) {
        self.init(
            key: record.key, name: record.displayName, type: record.type.rawValue, flags: record.flags.rawValue,
            pathLength: record.pathLength.rawValue, path: record.path, lastAdvert: record.lastAdvert,
            latitude: record.position.latitude, longitude: record.position.longitude, modified: record.lastModified)
    }

    var record: ContactRecord {
        ContactRecord(
            key: key, type: ContactType(rawValue: type), flags: ContactFlags(rawValue: flags),
            pathLength: PathLengthByte(rawValue: pathLength), path: path, name: WireText(name), lastAdvert: lastAdvert,
            position: GeoPosition(latitude: latitude, longitude: longitude), lastModified: modified)
    }
}
