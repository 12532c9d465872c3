import ClientStore
import RigBase
import Testing

@Suite struct DeviceStoreTests {
    @Test func `a radio keeps its partition under a new handle and gets a new one only for a new key`() async throws {
        let store = try PersistenceStore(.memory)
        try await store.saveDevice(Sample.device(Sample.radioA, key: 1, handle: 1))
        let moved = try await store.radioID(handle: [9], publicKey: Sample.key(1), newID: Sample.id(5))
        #expect(moved == Sample.radioA)
        try await store.saveDevice(Sample.device(moved, key: 1, handle: 9))
        #expect(try await store.device(Sample.radioA)?.handle == [9])
        #expect(
            try await store.radioID(handle: [3], publicKey: Sample.key(7), newID: Sample.id(5)) == Sample.id(5))
    }

    @Test func `saving a radio again leaves its sync mark alone`() async throws {
        let store = try PersistenceStore(.memory)
        try await store.saveDevice(Sample.device(Sample.radioA, key: 1))
        try await store.setLastContactSync(500, radio: Sample.radioA)
        try await store.saveDevice(Sample.device(Sample.radioA, key: 1))
        #expect(try await store.device(Sample.radioA)?.lastContactSync == 500)
    }
}

@Suite struct ContactStoreTests {
    @Test func `no query reaches the rows of another radio`() async throws {
        let store = try PersistenceStore(.memory)
        for (radio, name) in [(Sample.radioA, "a"), (Sample.radioB, "b")] {
            _ = try await store.saveContacts([Sample.contact(9, name)], radio: radio, newID: Sample.newID)
            try await store.saveChannels(
                [StoredChannel(radioID: radio, index: 0, name: name, secret: Secret([1]))], radio: radio)
            #expect(
                try await store.insertMessage(
                    Sample.message(name == "a" ? 1 : 2, in: .channel(0), radio: radio, text: name, dedup: "same")))
        }
        #expect(try await store.contacts(radio: Sample.radioA).map(\.name) == ["a"])
        #expect(try await store.contact(key: Sample.key(9), radio: Sample.radioB)?.name == "b")
        #expect(try await store.contact(named: "a", radio: Sample.radioB) == nil)
        #expect(try await store.contact(prefix: [9, 9], radio: Sample.radioB)?.name == "b")
        #expect(try await store.channels(radio: Sample.radioA).map(\.name) == ["a"])
        #expect(try await store.messages(radio: Sample.radioB).map(\.text) == ["b"])
        #expect(try await store.messages(in: .channel(0), radio: Sample.radioA).map(\.text) == ["a"])
        _ = try await store.saveContacts([], radio: Sample.radioA, pruning: true, newID: Sample.newID)
        #expect(try await store.contacts(radio: Sample.radioB).count == 1)
    }

    @Test func `an update from the radio keeps what only the client knows`() async throws {
        let store = try PersistenceStore(.memory)
        let first = try await store.saveContacts(
            [Sample.contact(9, "old", flags: 1)], radio: Sample.radioA, newID: Sample.newID
        ).saved[0]
        #expect(first.isFavourite)
        try await store.setPreferences(
            first.id, nickname: "nick", isBlocked: false, isMuted: true, isFavourite: true)
        try await store.addUnread(contact: first.id, mention: true)
        _ = try await store.saveContacts([Sample.contact(9, "new")], radio: Sample.radioA, newID: Sample.newID)
        let after = try #require(try await store.contact(first.id))
        #expect(after.name == "new")
        #expect(after.nickname == "nick" && after.isMuted && after.isFavourite)
        #expect(after.unread == 1 && after.mentions == 1)
    }

    @Test func `blocking sets the counters to zero and puts the name on the list`() async throws {
        let store = try PersistenceStore(.memory)
        let contact = try await store.saveContacts(
            [Sample.contact(9, "eve")], radio: Sample.radioA, newID: Sample.newID
        ).saved[0]
        try await store.addUnread(contact: contact.id, mention: false)
        try await store.setPreferences(
            contact.id, nickname: nil, isBlocked: true, isMuted: false, isFavourite: false)
        try await store.setSenderBlocked("anna", true, radio: Sample.radioA)
        #expect(try await store.contact(contact.id)?.unread == 0)
        #expect(try await store.blockedNames(radio: Sample.radioA) == ["anna", "eve"])
        #expect(try await store.blockedNames(radio: Sample.radioB) == [])
    }

    @Test func `only a full listing removes what it does not name, with its messages`() async throws {
        let store = try PersistenceStore(.memory)
        let contacts = [Sample.contact(1, "a"), Sample.contact(2, "b"), Sample.contact(3, "c")]
        let saved = try await store.saveContacts(contacts, radio: Sample.radioA, newID: Sample.newID).saved
        _ = try await store.insertMessage(Sample.message(1, in: .contact(saved[2].id)))
        _ = try await store.saveContacts([contacts[0]], radio: Sample.radioA, newID: Sample.newID)
        #expect(try await store.contacts(radio: Sample.radioA).count == 3)
        let changes = try await store.saveContacts(
            Array(contacts.prefix(2)), radio: Sample.radioA, pruning: true, newID: Sample.newID)
        #expect(changes.removed.map(\.name) == ["c"])
        #expect(try await store.contacts(radio: Sample.radioA).map(\.name) == ["a", "b"])
        #expect(try await store.message(Sample.id(1)) == nil)
    }

    @Test func `deleting a contact takes messages, awaited codes and queue rows along`() async throws {
        let store = try PersistenceStore(.memory)
        let contact = try await store.saveContacts(
            [Sample.contact(9, "bob")], radio: Sample.radioA, newID: Sample.newID
        ).saved[0]
        _ = try await store.insertMessage(Sample.message(1, in: .contact(contact.id), direction: .outgoing))
        try await store.saveAwaited(
            AwaitedConfirmation(
                message: Sample.id(1), contact: contact.id, codes: [7], sentAtMillis: 0, timeoutMillis: 1),
            radio: Sample.radioA)
        try await store.enqueue(
            PendingSend(id: Sample.id(8), radioID: Sample.radioA, message: Sample.id(1), createdAt: 0))
        #expect(try await store.deleteContact(key: Sample.key(9), radio: Sample.radioA))
        #expect(try await store.messages(radio: Sample.radioA) == [])
        #expect(try await store.awaited(radio: Sample.radioA) == [])
        #expect(try await store.pendingSends(radio: Sample.radioA) == [])
        #expect(try await store.deleteContact(key: Sample.key(9), radio: Sample.radioA) == false)
    }

    @Test func `discovered nodes are new once and limited, the one heard longest ago goes`() async throws {
        let store = try PersistenceStore(.memory)
        for number in UInt8(1)...4 {
            let node = DiscoveredNode(key: Sample.key(number), name: "", type: 1, lastHeard: UInt32(number))
            #expect(try await store.saveDiscovered(node, radio: Sample.radioA, limit: 3))
        }
        let again = DiscoveredNode(key: Sample.key(4), name: "four", type: 2, lastHeard: 9)
        #expect(try await store.saveDiscovered(again, radio: Sample.radioA, limit: 3) == false)
        #expect(try await store.discoveredNodes(radio: Sample.radioA).map(\.lastHeard) == [9, 3, 2])
    }
}

@Suite struct ChannelStoreTests {
    @Test func `a sync writes configured slots, removes vacant and excess ones and leaves the rest`() async throws {
        let store = try PersistenceStore(.memory)
        func channel(_ index: UInt8, _ name: String) -> StoredChannel {
            StoredChannel(radioID: Sample.radioA, index: index, name: name, secret: Secret([index]))
        }
        try await store.saveChannels([0, 1, 2, 9].map { channel($0, "c\($0)") }, radio: Sample.radioA)
        try await store.addUnread(channel: 0, radio: Sample.radioA, mention: true)
        try await store.saveChannels([channel(0, "new")], vacant: [1], radio: Sample.radioA, maxChannels: 8)
        let left = try await store.channels(radio: Sample.radioA)
        #expect(left.map(\.name) == ["new", "c2"])
        #expect(left[0].unread == 1 && left[0].mentions == 1)
    }

    @Test func `deleting a channel takes its messages along`() async throws {
        let store = try PersistenceStore(.memory)
        _ = try await store.insertMessage(Sample.message(1, in: .channel(0)))
        _ = try await store.insertMessage(Sample.message(2, in: .channel(1)))
        try await store.deleteChannel(0, radio: Sample.radioA)
        #expect(try await store.messages(radio: Sample.radioA).map(\.id) == [Sample.id(2)])
    }

    @Test func `what blocked senders wrote in channels can be removed`() async throws {
        let store = try PersistenceStore(.memory)
        _ = try await store.insertMessage(Sample.message(1, in: .channel(0), sender: "eve"))
        _ = try await store.insertMessage(Sample.message(2, in: .channel(0), sender: "bob"))
        #expect(try await store.deleteChannelMessages(from: ["eve"], radio: Sample.radioA) == 1)
        #expect(try await store.messages(radio: Sample.radioA).map(\.senderName) == ["bob"])
    }
}

@Suite struct MessageStoreTests {
    @Test func `one dedup key is stored once for a radio, and no key is never a duplicate`() async throws {
        let store = try PersistenceStore(.memory)
        #expect(try await store.insertMessage(Sample.message(1, in: .unknownSender, dedup: "k")))
        #expect(try await store.insertMessage(Sample.message(2, in: .unknownSender, dedup: "k")) == false)
        #expect(try await store.insertMessage(Sample.message(3, in: .unknownSender, radio: Sample.radioB, dedup: "k")))
        #expect(try await store.insertMessage(Sample.message(4, in: .unknownSender)))
        #expect(try await store.insertMessage(Sample.message(5, in: .unknownSender)))
        #expect(try await store.messages(radio: Sample.radioA).count == 3)
    }

    struct Guard: CustomTestStringConvertible {
        var name: String
        /// Statuses the write is refused for.
        var refused: [MessageStatus]
        var result: MessageStatus
        var write: @Sendable (PersistenceStore) async throws -> Bool
        var testDescription: String { name }
    }

    static let guards: [Guard] = [
        Guard(name: "status unless delivered", refused: [.delivered], result: .pending) {
            try await $0.setStatusUnlessDelivered(Sample.id(1), .pending)
        },
        Guard(name: "retry status", refused: [.delivered, .failed], result: .retrying) {
            try await $0.setRetrying(Sample.id(1), attempt: 2, of: 4)
        },
        Guard(name: "retrying to sent", refused: [.delivered, .failed], result: .sent) {
            try await $0.clearRetryingToSent(Sample.id(1))
        },
        Guard(name: "ack delivered", refused: [.failed], result: .delivered) {
            try await $0.writeAck(Sample.id(1), code: 5, status: .delivered, tripTimeMillis: nil)
        },
        Guard(name: "ack sent", refused: [.delivered, .failed], result: .sent) {
            try await $0.writeAck(Sample.id(1), code: 5, status: .sent, tripTimeMillis: nil)
        },
        Guard(name: "plain status", refused: [], result: .failed) { try await $0.setStatus(Sample.id(1), .failed) },
    ]

    @Test(arguments: guards) func `a guarded write is refused exactly where it must be`(_ guarded: Guard) async throws {
        for status in MessageStatus.allCases {
            let store = try PersistenceStore(.memory)
            _ = try await store.insertMessage(
                Sample.message(1, in: .unknownSender, direction: .outgoing, status: status))
            let wrote = try await guarded.write(store)
            #expect(wrote == !guarded.refused.contains(status), "\(status)")
            #expect(try await store.message(Sample.id(1))?.status == (wrote ? guarded.result : status))
        }
        let empty = try PersistenceStore(.memory)
        #expect(try await guarded.write(empty) == false)
    }

    @Test func `an ack without a trip time leaves none, and one with it keeps it`() async throws {
        let store = try PersistenceStore(.memory)
        let sent = Sample.message(1, in: .unknownSender, direction: .outgoing, status: .sent)
        _ = try await store.insertMessage(sent)
        _ = try await store.writeAck(sent.id, code: 5, status: .delivered, tripTimeMillis: nil)
        #expect(try await store.message(sent.id)?.tripTimeMillis == nil)
        _ = try await store.writeAck(sent.id, code: 5, status: .delivered, tripTimeMillis: 812)
        #expect(try await store.message(sent.id)?.tripTimeMillis == 812)
        #expect(try await store.outgoingMessages(ackCode: 5, radio: Sample.radioA).map(\.id) == [sent.id])
    }

    @Test func `listing goes by sort date, and runs of one sender within five seconds by his clock`() async throws {
        let store = try PersistenceStore(.memory)
        let rows: [(UInt64, String, UInt32, UInt32)] = [
            (1, "bob", 50, 100), (2, "bob", 48, 105), (3, "eve", 10, 106), (4, "bob", 49, 107), (5, "bob", 40, 113),
        ]
        for (number, sender, time, sort) in rows.reversed() {
            _ = try await store.insertMessage(
                Sample.message(number, in: .channel(0), time: time, sort: sort, sender: sender))
        }
        let listed = try await store.messages(in: .channel(0), radio: Sample.radioA)
        #expect(listed.map(\.id) == [2, 1, 3, 4, 5].map(Sample.id))
        let newest = try await store.messages(in: .channel(0), radio: Sample.radioA, limit: 2)
        #expect(newest.map(\.id) == [4, 5].map(Sample.id))
    }

    @Test func `awaited codes come back in order, and deleting the message forgets them`() async throws {
        let store = try PersistenceStore(.memory)
        _ = try await store.insertMessage(Sample.message(1, in: .unknownSender, direction: .outgoing))
        let awaited = AwaitedConfirmation(
            message: Sample.id(1), contact: Sample.id(2), codes: [9, 3, .max], sentAtMillis: 1_750_000_000_123,
            timeoutMillis: 6_000)
        try await store.saveAwaited(awaited, radio: Sample.radioA)
        #expect(try await store.awaited(radio: Sample.radioA) == [awaited])
        #expect(try await store.awaited(radio: Sample.radioB) == [])
        try await store.deleteMessage(Sample.id(1))
        #expect(try await store.awaited(radio: Sample.radioA) == [])
    }

    @Test func `deleting a message removes its queue rows even when the message is gone`() async throws {
        let store = try PersistenceStore(.memory)
        try await store.enqueue(
            PendingSend(id: Sample.id(8), radioID: Sample.radioA, message: Sample.id(1), createdAt: 0))
        try await store.enqueue(
            PendingSend(id: Sample.id(9), radioID: Sample.radioA, message: Sample.id(2), createdAt: 0))
        try await store.deleteMessage(Sample.id(1))
        #expect(try await store.pendingSends(radio: Sample.radioA).map(\.id) == [Sample.id(9)])
    }
}
