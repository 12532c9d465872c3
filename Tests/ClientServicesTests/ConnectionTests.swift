import ClientStore
import CompanionProtocol
import RigBase
import RigRuntime
import RunRecord
import Testing

@testable import ClientServices

@Suite struct ConnectionTests {
    func lab(defects: Defects = [], _ change: (inout FakeRadio.State) -> Void = { _ in }) throws -> Lab {
        let lab = try Lab(defects: defects)
        lab.radio.change {
            $0.contacts = [Make.contact(0xB0, "bob")]
            $0.channels[0] = ("public", [UInt8](repeating: 1, count: 16))
        }
        lab.radio.change(change)
        return lab
    }

    func connect(_ lab: Lab) throws { try lab.run { try await $0.manager.connect() } }
    func state(_ lab: Lab) throws -> ConnectionState { try lab.run { await $0.manager.state } }

    @Test func `a connection is brought up in one order, and messages are fetched on notice only at its end`() throws {
        let lab = try lab { $0.queue = [Make.direct(0xB0, "one")] }
        try connect(lab)
        let order = lab.radio.codes.filter { $0 != .getAutoAdd }
        #expect(
            order == [
                .appStart, .deviceQuery, .exportPrivateKey, .getContacts, .getChannel, .getChannel, .getChannel,
                .getChannel, .syncNextMessage, .syncNextMessage, .getDeviceTime,
            ])
        #expect(lab.connectionStates == ["connecting", "connected", "ready"])
        #expect(lab.radio.commands(GetContactsCommand.self).map(\.since) == [nil])
        lab.radio.queue([Make.direct(0xB0, "two")])
        try lab.run { try await $0.sleep(.seconds(1)) }
        #expect(
            try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.map(\.text) == ["one", "two"])
    }

    @Test func `a radio that keeps its private key is connected all the same`() throws {
        for answer in [FakeRadio.Answer.frames([.disabled(DisabledReply())]), Make.error(.unsupportedCommand)] {
            let lab = try lab()
            lab.radio.override(.exportPrivateKey) { _ in answer }
            try connect(lab)
            #expect(try state(lab) == .ready)
        }
    }

    @Test func `an exported key is kept and never printed`() throws {
        let key = [UInt8](repeating: 0x5A, count: 64)
        let lab = try lab { $0.privateKey = .privateKey(PrivateKeyReply(key: Secret(key))) }
        try connect(lab)
        let kept = try lab.run { try await $0.services().sync.privateKey }
        #expect(kept == Secret(key))
        #expect(!lab.journal.events().contains { $0.jsonLine().contains("5a5a5a5a") })
    }

    @Test func `nobody at the other end is told at once and not tried again`() throws {
        let lab = try lab { $0.refusesConnections = true }
        #expect(throws: ServiceError.self) { try connect(lab) }
        #expect(try state(lab) == .disconnected)
        try lab.run { try await $0.sleep(.seconds(60)) }
        #expect(lab.connectionStates == ["connecting", "disconnected"])
    }

    @Test func `a handshake without an answer ends after five seconds`() throws {
        let lab = try lab()
        lab.radio.override(.appStart) { _ in .silence }
        #expect(throws: ServiceError.radio(.timeout)) { try connect(lab) }
        #expect(lab.clock.now.milliseconds == 5_000)
        #expect(try state(lab) == .disconnected)
    }

    @Test func `the radio's clock is set when it is more than five seconds off`() throws {
        for (offset, sets) in [(5, 0), (6, 1), (-6, 1), (0, 0)] as [(Int64, Int)] {
            let lab = try lab { $0.clockOffset = offset }
            try connect(lab)
            #expect(lab.radio.commands(SetDeviceTimeCommand.self).count == sets, "\(offset)")
        }
    }

    @Test func `a lost link is rebuilt with growing pauses for thirty seconds and the wish is kept`() throws {
        let lab = try lab()
        try connect(lab)
        lab.radio.change { $0.refusesConnections = true }
        let lost = lab.clock.now
        lab.radio.loseLink()
        try lab.run { try await $0.sleep(.seconds(40)) }
        #expect(try state(lab) == .disconnected)
        #expect(try lab.run { await $0.manager.intent } == .wantsConnection(full: false))
        let end = try #require(lab.journal.events().last { $0.kind == .connection }?.at)
        #expect(lost.duration(to: end) == .milliseconds(31_500))
    }

    @Test func `a link that comes back runs the whole order again`() throws {
        let lab = try lab()
        try connect(lab)
        let first = lab.radio.codes
        lab.radio.forgetLog()
        lab.radio.change { $0.refusesConnections = true }
        lab.radio.loseLink()
        try lab.run { try await $0.sleep(.seconds(2)) }
        lab.radio.change { $0.refusesConnections = false }
        try lab.run { try await $0.sleep(.seconds(2)) }
        #expect(try state(lab) == .ready)
        #expect(lab.radio.codes == first)
        #expect(lab.radio.commands(GetContactsCommand.self).map(\.since) == [100])
    }

    @Test func `a second loss twenty seconds after the first is rebuilt as well`() throws {
        let lab = try lab()
        try connect(lab)
        for _ in 0..<2 {
            lab.radio.loseLink()
            try lab.run { try await $0.sleep(.seconds(20)) }
            #expect(try state(lab) == .ready)
        }
        #expect(lab.radio.connections == 3)
    }

    @Test func `a loss during the first sync is noticed at once, and the sync done on the next link`() throws {
        let lab = try lab()
        lab.radio.script(.getContacts, [.loseLink])
        try connect(lab)
        #expect(lab.clock.now < SimInstant(milliseconds: 100), "not by a timeout")
        try lab.run { try await $0.sleep(.seconds(1)) }
        #expect(try state(lab) == .ready)
        #expect(try lab.run { try await $0.services().contacts.list() }.map(\.name) == ["bob"])
        #expect(lab.radio.connections == 2)
    }

    @Test func `a radio that always breaks during the sync is tried with pauses, not in a storm`() throws {
        let lab = try lab()
        lab.radio.override(.getContacts) { _ in .loseLink }
        try connect(lab)
        try lab.run { try await $0.sleep(.seconds(60)) }
        #expect(try state(lab) == .disconnected)
        #expect((8...12).contains(lab.radio.connections))
    }

    @Test func `without reconnecting a lost link stays lost`() throws {
        let lab = try lab(defects: [.noReconnect])
        try connect(lab)
        lab.radio.loseLink()
        try lab.run { try await $0.sleep(.seconds(10)) }
        #expect(try state(lab) == .disconnected)
        #expect(lab.radio.connections == 1)
    }

    @Test func `a user's disconnect ends every attempt and is harmless when repeated`() throws {
        let lab = try lab()
        try connect(lab)
        lab.radio.change { $0.refusesConnections = true }
        lab.radio.loseLink()
        try lab.run { try await $0.sleep(.seconds(1)) }
        try lab.run { await $0.manager.disconnect() }
        try lab.run { await $0.manager.disconnect() }
        lab.radio.change { $0.refusesConnections = false }
        try lab.run { try await $0.sleep(.seconds(60)) }
        #expect(try state(lab) == .disconnected)
        #expect(try lab.run { await $0.manager.intent } == .userDisconnected)
        #expect(lab.radio.connections == 1)
        try connect(lab)
        #expect(try state(lab) == .ready)
    }

    @Test func `a silent radio is found by the heartbeat and counts as lost`() throws {
        let lab = try lab()
        try connect(lab)
        lab.radio.forgetLog()
        try lab.run { try await $0.sleep(.seconds(95)) }
        #expect(lab.radio.commands(GetDeviceTimeCommand.self).count == 3)
        lab.radio.script(.getDeviceTime, [.silence])
        let silentFrom = lab.clock.now
        try lab.run { try await $0.sleep(.seconds(40)) }
        #expect(try state(lab) == .ready)
        #expect(lab.radio.connections == 2)
        let lost = try #require(lab.journal.events().last { $0["state"] == "connecting" })
        #expect(silentFrom.duration(to: lost.at) <= .seconds(35))
    }

    @Test func `a failed first sync is tried again three times, then the link is given up and the wish kept`() throws {
        let lab = try lab()
        lab.radio.override(.getContacts) { _ in Make.error(.badState) }
        try connect(lab)
        #expect(try state(lab) == .syncing)
        #expect(!lab.radio.codes.contains(.getChannel) && !lab.radio.codes.contains(.syncNextMessage))
        try lab.run { try await $0.sleep(.seconds(10)) }
        #expect(try state(lab) == .disconnected)
        #expect(try lab.run { await $0.manager.intent } == .wantsConnection(full: false))
        let times = lab.radio.times(of: GetContactsCommand.self)
        #expect(times.count == 4)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0.duration(to: $1) == .seconds(2) })
        #expect(lab.connectionStates == ["connecting", "connected", "syncing", "disconnected"])
    }

    @Test func `after a good second sync fetching and heartbeat run as after a good first one`() throws {
        let lab = try lab()
        lab.radio.script(.getContacts, [Make.error(.badState)])
        try connect(lab)
        lab.radio.queue([Make.direct(0xB0, "early")])
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(try state(lab) == .ready)
        lab.radio.queue([Make.direct(0xB0, "late")])
        try lab.run { try await $0.sleep(.seconds(1)) }
        #expect(
            try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.map(\.text) == ["early", "late"])
        lab.radio.forgetLog()
        try lab.run { try await $0.sleep(.seconds(31)) }
        #expect(lab.radio.commands(GetDeviceTimeCommand.self).count == 1)
    }

    @Test func `what a superseded connect still brings changes nothing`() throws {
        let lab = try lab()
        let isFirst = Flag()
        lab.radio.override(.deviceQuery) { _ in isFirst.take() ? .silence : .tables }
        let superseded = try lab.run { lab in
            let first = lab.runtime.spawnResult { try await lab.manager.connect() }
            try await lab.sleep(.milliseconds(10))
            try await lab.manager.connect()
            return await first.value
        }
        #expect(superseded == .superseded)
        try lab.run { try await $0.sleep(.seconds(10)) }
        #expect(try state(lab) == .ready)
        #expect(lab.radio.connections == 2)
        #expect(lab.connectionStates == ["connecting", "connected", "ready"])
    }

    @Test func `a disconnect while the link comes up ends it at once`() throws {
        let lab = try lab()
        lab.radio.override(.deviceQuery) { _ in .silence }
        let outcome = try lab.run { lab in
            let connecting = lab.runtime.spawnResult { try await lab.manager.connect() }
            try await lab.sleep(.milliseconds(10))
            await lab.manager.disconnect()
            return await connecting.value
        }
        #expect(outcome == .superseded)
        #expect(lab.clock.now == SimInstant(milliseconds: 10))
        #expect(try state(lab) == .disconnected)
        #expect(try lab.run { await $0.manager.container } == nil)
        #expect(lab.connectionStates == ["connecting", "disconnected"])
    }

    @Test func `one radio keeps its partition and another gets its own`() throws {
        let lab = try lab()
        try connect(lab)
        let first = try lab.run { try await $0.services().radioID }
        try lab.run { await $0.manager.disconnect() }
        try connect(lab)
        #expect(try lab.run { try await $0.services().radioID } == first)
        lab.radio.change { $0.key = Make.key(0x22) }
        try connect(lab)
        #expect(try lab.run { try await $0.services().radioID } != first)
    }

    @Test func `a message under way stays sent over a loss, and a late confirmation delivers it`() throws {
        let lab = try lab()
        try connect(lab)
        let id = try lab.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("bob")) }
        try lab.run { try await $0.sleep(.milliseconds(300)) }
        lab.radio.loseLink()
        try lab.run { try await $0.sleep(.seconds(3)) }
        #expect(try lab.run { try await $0.store.message(id) }?.status == .sent)
        lab.radio.confirm(lab.radio.commands(SendTextCommand.self)[0])
        #expect(try lab.run { try await $0.services().messages.waitForOutcome(id) } == .delivered)
        #expect(lab.radio.commands(SendTextCommand.self).count == 1)
    }

    @Test func `without a confirmation the give-up clock goes on over the loss`() throws {
        let lab = try lab()
        try connect(lab)
        let id = try lab.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("bob")) }
        try lab.run { try await $0.sleep(.milliseconds(300)) }
        lab.radio.change { $0.refusesConnections = true }
        lab.radio.loseLink()
        try lab.run { try await $0.sleep(.seconds(20)) }
        lab.radio.change { $0.refusesConnections = false }
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(try lab.run { try await $0.services().messages.waitForOutcome(id) } == .failed)
        #expect(lab.clock.now > SimInstant(milliseconds: 30_000) && lab.clock.now <= SimInstant(milliseconds: 36_000))
    }

    @Test func `a message whose SENT was lost with the link is still confirmed`() throws {
        let lab = try lab()
        try connect(lab)
        lab.radio.script(.sendText, [.loseLink])
        let id = try lab.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("bob")) }
        try lab.run { try await $0.sleep(.seconds(3)) }
        lab.radio.confirm(lab.radio.commands(SendTextCommand.self)[0])
        #expect(try lab.run { try await $0.services().messages.waitForOutcome(id) } == .delivered)
    }

    @Test func `codes that die with the link leave the message in between for ever`() throws {
        let lab = try lab(defects: [.codesDieWithLink])
        try connect(lab)
        let id = try lab.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("bob")) }
        try lab.run { try await $0.sleep(.milliseconds(300)) }
        lab.radio.loseLink()
        try lab.run { try await $0.sleep(.seconds(3)) }
        lab.radio.confirm(lab.radio.commands(SendTextCommand.self)[0])
        try lab.run { try await $0.sleep(.seconds(60)) }
        #expect(try lab.run { try await $0.store.message(id) }?.status == .sent)
    }

    @Test func `a new start of the program takes over what an earlier one still waits for`() throws {
        let first = try lab()
        try connect(first)
        let id = try first.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("bob")) }
        try first.run { try await $0.sleep(.milliseconds(300)) }
        let text = first.radio.commands(SendTextCommand.self)[0]
        try first.run { await $0.manager.disconnect() }

        let second = try Lab(sharing: first)
        second.radio.change { $0.contacts = [Make.contact(0xB0, "bob")] }
        try connect(second)
        second.radio.confirm(text)
        #expect(try second.run { try await $0.services().messages.waitForOutcome(id) } == .delivered)
    }

    @Test func `streams of a link end when it is taken down`() throws {
        let lab = try lab()
        try connect(lab)
        try lab.run { lab in
            let services = try await lab.services()
            let streams = (services.dataEvents(), services.adverts.events(), services.sync.stateEvents())
            await lab.manager.disconnect()
            for await _ in streams.0 {}
            for await _ in streams.1 {}
            for await _ in streams.2 {}
            for await _ in services.dataEvents() {}
        }
    }
}
