import ClientStore
import CompanionProtocol
import RigBase
import RigRuntime
import RunRecord
import Synchronization
import Testing

@testable import ClientServices

@Suite struct IncomingTests {
    func connected(
        defects: Defects = [], sharing other: Lab? = nil, _ change: (inout FakeRadio.State) -> Void = { _ in }
    ) throws -> Lab {
        let lab = try Lab(defects: defects, sharing: other)
        lab.radio.change {
            $0.contacts = [Make.contact(0xB0, "bob")]
            $0.channels[0] = ("public", [UInt8](repeating: 1, count: 16))
        }
        lab.radio.change(change)
        try lab.run { try await $0.manager.connect() }
        return lab
    }

    func receive(_ lab: Lab, _ frames: [RadioFrame]) throws {
        lab.radio.queue(frames)
        try lab.run { try await $0.sleep(.seconds(Int64(frames.count))) }
    }

    func messages(_ lab: Lab) throws -> [StoredMessage] {
        try lab.run { try await $0.store.messages(radio: $0.services().radioID) }
    }

    func bob(_ lab: Lab) throws -> StoredContact {
        try lab.run { try await $0.services().contacts.find(.name("bob")) }
    }

    func channel(_ lab: Lab) throws -> StoredChannel {
        try lab.run { try await $0.services().channels.find(named: "public") }
    }

    @Test func `a message that comes twice is one row, one unread and one event`() throws {
        let lab = try connected()
        let events = Mutex<[DataEvent]>([])
        let stream = try lab.run { try await $0.services().dataEvents() }
        lab.runtime.spawn("watch") { for await event in stream { events.withLock { $0.append(event) } } }
        try receive(lab, [Make.direct(0xB0, "hi"), Make.direct(0xB0, "hi")])
        #expect(try messages(lab).count == 1)
        #expect(try bob(lab).unread == 1)
        #expect(lab.count(.messageDuplicate) == 1)
        let received = events.withLock { $0 }.filter { if case .directMessageReceived = $0 { true } else { false } }
        #expect(received.count == 1)
    }

    @Test func `another second or another text is another message`() throws {
        let lab = try connected()
        try receive(
            lab,
            [
                Make.direct(0xB0, "hi"), Make.direct(0xB0, "hi", time: Lab.epoch + 1), Make.direct(0xB0, "ho"),
                Make.channel(0, "al: hi"), Make.channel(0, "bo: hi"),
            ])
        #expect(try messages(lab).count == 5)
    }

    @Test func `the defect stores every copy`() throws {
        let lab = try connected(defects: [.duplicatesStored])
        try receive(lab, [Make.direct(0xB0, "hi"), Make.direct(0xB0, "hi")])
        #expect(try messages(lab).count == 2)
    }

    @Test func `two radios in one store each keep the message`() throws {
        let first = try connected()
        try receive(first, [Make.direct(0xB0, "hi")])
        let second = try connected(sharing: first) { $0.key = Make.key(0x22) }
        try receive(second, [Make.direct(0xB0, "hi")])
        #expect(try messages(first).count == 1)
        #expect(try messages(second).count == 1)
    }

    @Test func `a time beyond belief is replaced and kept, and the message is still a duplicate of itself`() throws {
        let lab = try connected()
        let ahead = Lab.epoch + 400
        try receive(lab, [Make.direct(0xB0, "hi", time: ahead)])
        try lab.run { try await $0.sleep(.seconds(200)) }
        try receive(lab, [Make.direct(0xB0, "hi", time: ahead)])
        let rows = try messages(lab)
        #expect(rows.count == 1)
        #expect(rows[0].originalTimestamp == ahead && rows[0].timestamp <= Lab.epoch + 5)
    }

    @Test func `channel text is filed under its sender`() throws {
        let lab = try connected()
        try receive(lab, [Make.channel(0, "Al: a:b"), Make.channel(0, "plain")])
        let rows = try messages(lab)
        #expect(rows.map(\.senderName) == ["Al", nil])
        #expect(rows.map(\.text) == ["a:b", "plain"])
        #expect(try channel(lab).unread == 2)
    }

    @Test func `a backlog shares one sort date and live messages have their own`() throws {
        let lab = try connected {
            $0.queue = (0..<3).map { Make.direct(0xB0, "old \($0)", time: Lab.epoch - 100 + UInt32($0)) }
        }
        try lab.run { try await $0.sleep(.seconds(10)) }
        try receive(lab, [Make.direct(0xB0, "new")])
        let dates = try messages(lab).map(\.sortDate)
        #expect(Set(dates.prefix(3)).count == 1)
        #expect(dates[3] >= dates[0] + 10)
    }

    @Test func `backlog messages count as unread`() throws {
        let lab = try connected { $0.queue = [Make.direct(0xB0, "one"), Make.direct(0xB0, "two")] }
        #expect(try bob(lab).unread == 2)
    }

    @Test func `the conversation on the screen gets no unread, and a mention counts elsewhere`() throws {
        let lab = try connected()
        let id = try bob(lab).id
        try lab.run { try await $0.services().sync.setOpenConversation(.contact(id)) }
        try receive(lab, [Make.direct(0xB0, "seen @[alice]"), Make.channel(0, "al: hi @[alice]")])
        #expect(try bob(lab).unread == 0)
        #expect(try channel(lab).unread == 1 && channel(lab).mentions == 1)
    }

    @Test func `an unknown sender's message is kept under no contact, without event`() throws {
        let lab = try connected()
        let stream = try lab.run { try await $0.services().dataEvents() }
        let events = Mutex(0)
        lab.runtime.spawn("watch") { for await _ in stream { events.withLock { $0 += 1 } } }
        try receive(lab, [Make.direct(0xEE, "who am I")])
        let rows = try messages(lab)
        #expect(rows.map(\.conversation) == [.unknownSender])
        #expect(rows[0].dedupKey?.hasPrefix("dm-unknown-") == true)
        #expect(events.withLock { $0 } == 0)
    }

    @Test func `blocked names are not stored in channels, and a blocked contact's message gets no unread`() throws {
        let lab = try connected()
        let contact = try bob(lab)
        try receive(lab, [Make.channel(0, "bob: before")])
        try lab.run { lab in
            try await lab.store.setPreferences(
                contact.id, nickname: nil, isBlocked: true, isMuted: false, isFavourite: false)
            try await lab.store.setSenderBlocked("eve", true, radio: lab.services().radioID)
            try await lab.services().sync.refreshBlockedNames()
        }
        try receive(
            lab,
            [Make.channel(0, "bob: x"), Make.channel(0, "eve: x"), Make.channel(0, "al: x"), Make.direct(0xB0, "x")])
        let rows = try messages(lab)
        #expect(rows.map(\.senderName) == ["al", "bob"])
        #expect(rows.map(\.conversation) == [.channel(0), .contact(contact.id)])
        #expect(try bob(lab).unread == 0)
    }

    @Test func `a message on an unknown slot is stored, with one warning a minute`() throws {
        let lab = try connected()
        let before = lab.count(.clientWarning)
        try receive(lab, (0..<3).map { Make.channel(3, "al: \($0)") })
        #expect(try messages(lab).count == 3)
        #expect(lab.count(.clientWarning) == before + 1)
        try receive(lab, [Make.channel(2, "al: x")])
        #expect(lab.count(.clientWarning) == before + 2)
        try lab.run { try await $0.sleep(.seconds(61)) }
        try receive(lab, [Make.channel(3, "al: later")])
        #expect(lab.count(.clientWarning) == before + 3)
    }

    @Test func `a command reply of a stranger is dropped with a warning, one of a contact is kept`() throws {
        let lab = try connected()
        let before = lab.count(.clientWarning)
        try receive(lab, [Make.direct(0xEE, "OK", type: .cli), Make.direct(0xB0, "OK", type: .cli)])
        #expect(try messages(lab).map(\.textType) == [1])
        #expect(lab.count(.clientWarning) == before + 1)
    }
}

@Suite struct AdvertTests {
    func lab() throws -> Lab {
        let lab = try Lab()
        lab.radio.change { $0.contacts = [Make.contact(0xB0, "bob")] }
        return lab
    }

    func connected() throws -> Lab {
        let lab = try lab()
        try lab.run { try await $0.manager.connect() }
        lab.radio.forgetLog()
        return lab
    }

    func watch(_ lab: Lab) throws -> Seen {
        let seen = Seen()
        let stream = try lab.run { try await $0.services().adverts.events() }
        lab.runtime.spawn("watch") { for await event in stream { seen.add(event) } }
        return seen
    }

    func settle(_ lab: Lab) throws { try lab.run { try await $0.sleep(.seconds(1)) } }

    @Test func `adverts during a sync are asked for after it, once for each key`() throws {
        let lab = try lab()
        lab.radio.change { $0.contacts.append(Make.contact(0xD0, "dora", modified: 0)) }
        lab.radio.override(.getChannel) { [radio = lab.radio] _ in
            radio.push(.advert(AdvertPush(key: Make.key(0xD0))))
            radio.push(.pathUpdated(PathUpdatedPush(key: Make.key(0xB0))))
            return .tables
        }
        try lab.run { try await $0.manager.connect() }
        let asked = lab.radio.commands(GetContactByKeyCommand.self).map(\.key)
        #expect(asked == [Make.key(0xD0), Make.key(0xB0)])
        let codes = lab.radio.codes
        let lastSync = try #require(codes.lastIndex(of: .syncNextMessage))
        let firstFetch = try #require(codes.firstIndex(of: .getContactByKey))
        #expect(firstFetch > lastSync)
        #expect(try lab.run { try await $0.services().contacts.list() }.map(\.name) == ["bob", "dora"])
    }

    @Test func `ten adverts of one unknown key are one request`() throws {
        let lab = try connected()
        lab.radio.change { $0.contacts.append(Make.contact(0xD0, "dora")) }
        let seen = try watch(lab)
        lab.radio.push((0..<10).map { _ in .advert(AdvertPush(key: Make.key(0xD0))) })
        try settle(lab)
        let count = lab.radio.commands(GetContactByKeyCommand.self).count
        #expect(count == 1 || count == 2, "those that came after the answer may ask once more")
        #expect(seen.all.contains(.newContactDiscovered(key: Make.key(0xD0), name: "dora")))
    }

    @Test func `an advert of a known contact only notes the time`() throws {
        let lab = try connected()
        let seen = try watch(lab)
        lab.radio.push(.advert(AdvertPush(key: Make.key(0xB0))))
        try settle(lab)
        #expect(lab.radio.commands(GetContactByKeyCommand.self).isEmpty)
        #expect(seen.all == [.contactUpdated(key: Make.key(0xB0))])
        #expect(try lab.run { try await $0.services().contacts.list() }[0].fields.lastAdvert >= Lab.epoch)
    }

    @Test func `a contact deleted while it is asked for is not kept`() throws {
        let lab = try connected()
        lab.radio.change { $0.contacts.append(Make.contact(0xD0, "dora")) }
        lab.radio.override(.getContactByKey) { [radio = lab.radio] _ in
            radio.push(.contactDeleted(ContactDeletedPush(key: Make.key(0xD0))))
            return .tables
        }
        lab.radio.push(.advert(AdvertPush(key: Make.key(0xD0))))
        try settle(lab)
        #expect(try lab.run { try await $0.services().contacts.list() }.map(\.name) == ["bob"])
    }

    @Test func `a node that is no contact is noted as discovered, new only once`() throws {
        let lab = try connected()
        let seen = try watch(lab)
        for _ in 0..<2 { lab.radio.push(.newAdvert(NewAdvertPush(Make.contact(0xD0, "dora")))) }
        try settle(lab)
        let key = Make.key(0xD0)
        #expect(
            seen.all == [
                .contactUpdated(key: key), .newContactDiscovered(key: key, name: "dora"), .contactUpdated(key: key),
            ])
        #expect(
            try lab.run { try await $0.store.discoveredNodes(radio: $0.services().radioID) }.map(\.name) == ["dora"])
        #expect(try lab.run { try await $0.services().contacts.list() }.map(\.name) == ["bob"])
    }

    @Test func `a deleted contact goes with its messages, and room in the table is told`() throws {
        let lab = try connected()
        lab.radio.queue([Make.direct(0xB0, "hi")])
        try settle(lab)
        let seen = try watch(lab)
        lab.radio.push(.contactsFull(ContactsFullPush()))
        lab.radio.push(.contactDeleted(ContactDeletedPush(key: Make.key(0xB0))))
        try settle(lab)
        #expect(seen.all == [.nodeStorageFull(true), .contactDeleted(key: Make.key(0xB0)), .nodeStorageFull(false)])
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.isEmpty)
    }

    @Test func `a learnt path is read from the radio`() throws {
        let lab = try connected()
        lab.radio.change { $0.contacts[0].pathLength = PathLengthByte(hashSize: 1, hopCount: 3) }
        lab.radio.push(.pathUpdated(PathUpdatedPush(key: Make.key(0xB0))))
        try settle(lab)
        #expect(try lab.run { try await $0.services().contacts.list() }[0].fields.pathLength == 3)
    }
}

/// Events in the order in which they were told.
final class Seen: Sendable {
    private let events = Mutex<[AdvertEvent]>([])
    func add(_ event: AdvertEvent) { events.withLock { $0.append(event) } }
    var all: [AdvertEvent] { events.withLock { $0 } }
}
