internal import ClientStore
internal import MeshProtocol
internal import RigBase
internal import RigCrypto
internal import RigRuntime
internal import ScenarioModel

/// Puts what a scenario says the client knew before into its store.
struct StoredState {
    let document: StoredStateDocument
    let testbed: any CaseTestbed
    let world: WorldDocument

    /// Writes everything; what cannot be is told as the failure of a step.
    func write() async throws {
        let store = testbed.store
        guard let key = testbed.publicKey(of: testbed.clientRole) else {
            throw Blocked("the key of \(testbed.clientRole) is not known, so nothing can be stored for it")
        }
        let radio = testbed.runtime.makeID("stored radio")
        try await store.saveDevice(
            StoredDevice(
                radioID: radio, handle: Array(Digest.sha256(key).prefix(16)), publicKey: key, name: testbed.clientRole))
        let contacts = try await writeContacts(radio)
        let channels = try await writeChannels(radio)
        for message in document.messages { try await write(message, radio, contacts, channels) }
        if let mark = document.syncMark { try await store.setLastContactSync(mark, radio: radio) }
    }

    private func writeContacts(_ radio: UUID128) async throws -> [String: StoredContact] {
        var fields: [(name: String, fields: ContactFields)] = []
        for contact in document.contacts {
            switch contact.who {
            case .node(let name): fields.append((name, self.fields(name, contact)))
            case .generated(let count):
                for number in 1...count {
                    fields.append(("stored \(number)", self.fields("stored \(number)", contact)))
                }
            }
        }
        let runtime = testbed.runtime
        let changes = try await testbed.store.saveContacts(
            fields.map(\.fields), radio: radio, newID: { runtime.makeID("stored contact") })
        return Dictionary(zip(fields.map(\.name), changes.saved), uniquingKeysWith: { first, _ in first })
    }

    private func fields(_ name: String, _ contact: ContactDocument) -> ContactFields {
        let node = world.node(named: name)
        let types: [NodeDocument.Role: UInt8] = [.companion: 1, .repeater: 2, .room: 3, .sensor: 4]
        var fields = ContactFields(
            key: testbed.publicKey(of: name) ?? StrangerKeys.key(of: name), name: node?.displayName ?? name,
            type: node.flatMap { types[$0.role] } ?? 1, flags: contact.isFavourite ? 1 : 0)
        if case .via(let names) = contact.path {
            fields.path = names.flatMap { testbed.publicKey(of: $0)?.prefix(1) ?? [] }
            fields.pathLength = UInt8(clamping: fields.path.count)
        }
        return fields
    }

    private func writeChannels(_ radio: UUID128) async throws -> [StoredChannel] {
        var next: UInt8 = 1
        let channels = document.channels.map { channel in
            var index = UInt8(clamping: channel.index ?? Int(next))
            if channel.index == nil, channel.name == "public" { index = 0 } else { next = max(next, index) &+ 1 }
            let secret =
                channel.secret.map { Array($0.prefix(16)) }
                ?? (channel.name == "public" ? ChannelSecret.publicChannel : .hashtag(channel.name)).key16
            return StoredChannel(
                radioID: radio, index: index, name: ChannelNames.stored(channel.name), secret: Secret(secret))
        }
        try await testbed.store.saveChannels(channels, radio: radio)
        return channels
    }

    private func write(
        _ message: StoredStateDocument.Message, _ radio: UUID128, _ contacts: [String: StoredContact],
        _ channels: [StoredChannel]
    ) async throws {
        let conversation: Conversation
        if let name = message.channel {
            let stored = ChannelNames.stored(name)
            guard let channel = channels.first(where: { $0.name == stored || "\($0.index)" == name }) else {
                throw StepFailure("unknown-channel", "\(message.spot): \(name) is not among the stored channels")
            }
            conversation = .channel(channel.index)
        } else {
            let name = message.from ?? message.to ?? ""
            guard let contact = contacts[name] else {
                throw StepFailure("unknown-contact", "\(message.spot): \(name) is not among the stored contacts")
            }
            conversation = .contact(contact.id)
        }
        let isIncoming = message.from != nil || message.sender != nil
        let status = MessageStatus.allCases.first { "\($0)" == message.status } ?? .delivered
        let now = testbed.runtime.wallSeconds()
        let time = UInt32(clamping: Int64(now) - message.age.components.seconds)
        let row = StoredMessage(
            id: testbed.runtime.makeID("stored message"), radioID: radio, conversation: conversation,
            direction: isIncoming ? .incoming : .outgoing, text: message.text, timestamp: time, createdAt: time,
            status: status, senderName: message.sender, isRead: message.isRead)
        _ = try await testbed.store.insertMessage(row)
        if isIncoming, !message.isRead {
            switch conversation {
            case .contact(let id): try await testbed.store.addUnread(contact: id, mention: false)
            case .channel(let index):
                try await testbed.store.addUnread(channel: index, radio: radio, mention: false)
            case .unknownSender: break
            }
        }
        guard message.isPending else { return }
        try await testbed.store.enqueue(
            PendingSend(
                id: testbed.runtime.makeID("stored send"), radioID: radio, message: row.id, createdAt: time))
    }
}
