import CompanionProtocol
import MeshCoreClient
import RigBase
import RigRuntime
import RigTestKit
import Testing

@Suite struct `Contacts and channels of a session` {
    static func contact(_ number: UInt8, modified: UInt32 = 0) -> ContactReply {
        ContactReply(
            ContactRecord(
                key: [UInt8](repeating: number, count: 32), type: .chat, name: "c", lastModified: modified))
    }

    static func listing(_ contacts: [ContactReply], mark: UInt32) -> [ScriptedTransport.Reply] {
        [.payload(ContactsStartReply(total: UInt32(contacts.count)))] + contacts.map { .payload($0) } + [
            .payload(ContactsEndReply(lastModified: mark))
        ]
    }

    @Test func `a contact every fourteen seconds succeeds`() throws {
        let bench = SessionBench { _, _ in
            [.payload(ContactsStartReply(total: 12))]
                + (1...12).map { .payload(Self.contact(UInt8($0)), after: .seconds(14 * $0)) }
                + [.payload(ContactsEndReply(lastModified: 5), after: .seconds(179))]
        }
        try bench.started { session, _, runtime in
            let got2 = try await session.getContacts().contacts.count
            #expect(got2 == 12)
            #expect(runtime.now() == SimInstant(milliseconds: 179_000))
        }
    }

    @Test func `silence after START fails between fifteen and thirty seconds`() throws {
        let bench = SessionBench { _, _ in [.payload(ContactsStartReply(total: 12))] }
        try bench.started { session, _, runtime in
            #expect(await failure { _ = try await session.getContacts() } == .timeout)
            #expect(
                runtime.now() >= SimInstant(milliseconds: 15_000) && runtime.now() <= SimInstant(milliseconds: 30_000))
        }
    }

    @Test func `an endless listing fails at a hundred and eighty seconds`() throws {
        let bench = SessionBench { _, _ in
            [.payload(ContactsStartReply(total: 1))]
                + (1...20).map { .payload(Self.contact(UInt8($0)), after: .seconds(10 * $0)) }
        }
        try bench.started { session, _, runtime in
            #expect(await failure { _ = try await session.getContacts() } == .timeout)
            #expect(runtime.now() == SimInstant(milliseconds: 180_000))
        }
    }

    @Test func `the mark goes out with the next listing and the cache follows the pushes`() throws {
        let bench = SessionBench { frame, earlier in
            switch (frame[0], earlier) {
            case (4, 0): Self.listing([Self.contact(1, modified: 10), Self.contact(2, modified: 20)], mark: 20)
            case (4, 1): Self.listing([Self.contact(1, modified: 30)], mark: 30)
            case (4, _): Self.listing([], mark: 0)
            default: [.payload(OkReply())]
            }
        }
        try bench.started { session, transport, runtime in
            let got3 = try await session.ensureContacts().count
            #expect(got3 == 2)
            let got4 = try await session.ensureContacts().count
            #expect(got4 == 2)
            #expect(transport.writes(of: .getContacts).map(\.frame) == [[4]])
            transport.push(AdvertPush(key: [UInt8](repeating: 1, count: 32)))
            try await runtime.sleep(for: .milliseconds(1))
            #expect(await session.contactCache.isDirty)
            let got5 = try await session.ensureContacts().map(\.lastModified)
            #expect(got5 == [30, 20])
            let got6 = try await session.ensureContacts(force: true).count
            #expect(got6 == 2)
            #expect(
                transport.writes(of: .getContacts).map(\.frame) == [[4], [4, 20, 0, 0, 0], [4, 30, 0, 0, 0]])
            // Nothing came, so the mark stays.
            #expect(await session.contactCache.lastModified == 30)
            transport.push(ContactDeletedPush(key: [UInt8](repeating: 2, count: 32)))
            transport.push(NewAdvertPush(Self.contact(9).contact))
            try await runtime.sleep(for: .milliseconds(1))
            #expect(await session.contactCache.contacts.map(\.key[0]) == [1])
            #expect(await session.contactCache.pending.map(\.key[0]) == [9])
            #expect(await session.contactCache.contact(prefix: [1, 1, 1])?.lastModified == 30)
            try await session.removeContact(key: [UInt8](repeating: 1, count: 32))
            #expect(await session.contactCache.isEmpty)
        }
    }

    @Test func `the defects lose contacts`() throws {
        let many = (0..<300).map { Self.contact(UInt8($0 % 250), modified: UInt32($0)) }
        let counts = try [Defects([]), [.lastContactLost], [.contactsCapped]].map { defects in
            try SessionBench(defects: defects, { _, _ in Self.listing(many, mark: 1) }).started { session, _, _ in
                try await session.getContacts().contacts.count
            }
        }
        #expect(counts == [300, 299, 256])
    }

    static func channel(_ index: UInt8) -> ChannelInfoReply {
        ChannelInfoReply(index: index, name: "x", secret: Secret([UInt8](repeating: index, count: 16)))
    }

    @Test func `at most eight channel reads are out and a silent slot is missing`() throws {
        let bench = SessionBench { frame, _ in
            frame[1] == 5 ? [] : [.payload(Self.channel(frame[1]), after: .milliseconds(20))]
        }
        try bench.started { session, transport, runtime in
            let listing = try await session.getChannels(Array(0..<20))
            #expect(listing.missing == [5])
            #expect(listing.received.map(\.index) == (0..<20).filter { $0 != 5 })
            let writes = transport.writes(of: .getChannel)
            #expect(writes.count == 20)
            #expect(writes.prefix(8).allSatisfy { $0.at == .zero })
            #expect(writes.dropFirst(8).allSatisfy { $0.at >= SimInstant(milliseconds: 20) })
            let last = try #require(writes.last).at.advanced(by: .milliseconds(20))
            let wait = last.duration(to: runtime.now())
            #expect(wait >= .milliseconds(1_500) && wait <= .seconds(3))
        }
    }

    @Test func `a link that cannot pipeline is asked one by one`() throws {
        let bench = SessionBench(pipelining: false) { frame, _ in
            switch frame[1] {
            case 2: [.payload(ErrorReply(error: .notFound))]
            default: [.payload(Self.channel(frame[1]), after: .milliseconds(20))]
            }
        }
        try bench.started { session, transport, _ in
            let listing = try await session.getChannels([0, 1, 2, 3])
            #expect(listing.received.map(\.index) == [0, 1, 3] && listing.missing == [2])
            #expect(transport.writes(of: .getChannel).map(\.at.milliseconds) == [0, 20, 40, 40])
        }
    }

    @Test func `three silent slots in a row end a serial reading`() throws {
        let bench = SessionBench(pipelining: false) { frame, _ in
            frame[1] == 0 ? [.payload(Self.channel(0))] : []
        }
        try bench.started { session, transport, _ in
            let listing = try await session.getChannels(Array(0..<10))
            #expect(listing.received.count == 1 && listing.missing == Array(1..<10))
            #expect(transport.writes(of: .getChannel).count == 4)
        }
    }

    @Test func `a channel's name is cut between characters`() throws {
        let bench = SessionBench { _, _ in [.payload(OkReply())] }
        try bench.started { session, transport, _ in
            let secret = Secret([UInt8](repeating: 1, count: 16))
            try await session.setChannel(1, name: String(repeating: "ß", count: 16), secret: secret)
            let frame = try #require(transport.writes(of: .setChannel).first?.frame)
            #expect(frame.count == 50)
            #expect(frame[2..<34].filter { $0 != 0 }.count == 30)
        }
    }
}
