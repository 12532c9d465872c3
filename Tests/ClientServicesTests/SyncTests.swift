import ClientStore
import CompanionProtocol
import RigBase
import RigRuntime
import RunRecord
import Testing

@testable import ClientServices

@Suite struct SyncTests {
    func lab(
        defects: Defects = [], configuration: ServiceConfiguration = ServiceConfiguration(),
        _ change: (inout FakeRadio.State) -> Void = { _ in }
    ) throws -> Lab {
        let lab = try Lab(defects: defects, configuration: configuration)
        lab.radio.change { $0.contacts = [Make.contact(0xB0, "bob"), Make.contact(0xC0, "carol", modified: 200)] }
        lab.radio.change { $0.channels[0] = ("public", [UInt8](repeating: 1, count: 16)) }
        lab.radio.change(change)
        return lab
    }

    func connected(
        defects: Defects = [], configuration: ServiceConfiguration = ServiceConfiguration(),
        _ change: (inout FakeRadio.State) -> Void = { _ in }
    ) throws -> Lab {
        let lab = try lab(defects: defects, configuration: configuration, change)
        try lab.run { try await $0.manager.connect() }
        lab.radio.forgetLog()
        return lab
    }

    func sync(_ lab: Lab, full: Bool = false) throws -> SyncResult {
        try lab.run { try await $0.manager.sync(full: full) }
    }

    func names(_ lab: Lab) throws -> [String] {
        try lab.run { try await $0.services().contacts.list().map(\.name) }
    }

    func channels(_ lab: Lab) throws -> [String] {
        try lab.run { try await $0.services().channels.list().map(\.name) }
    }

    // MARK: Contacts

    @Test func `a later sync carries the highest mark received, and keeps it when nothing came`() throws {
        let lab = try connected()
        _ = try sync(lab)
        _ = try sync(lab)
        lab.radio.change { $0.contacts.append(Make.contact(0xD0, "dora", modified: 300)) }
        _ = try sync(lab)
        _ = try sync(lab)
        #expect(lab.radio.commands(GetContactsCommand.self).map(\.since) == [200, 200, 200, 300])
        #expect(try names(lab) == ["bob", "carol", "dora"])
    }

    @Test func `asking for everything each time is what the defect makes`() throws {
        let lab = try connected(defects: [.sinceIgnored])
        _ = try sync(lab)
        #expect(lab.radio.commands(GetContactsCommand.self).map(\.since) == [nil])
    }

    @Test func `only a full sync removes contacts the radio does not list, with their messages`() throws {
        let lab = try connected { $0.queue = [Make.direct(0xC0, "hi")] }
        lab.radio.change { $0.contacts.removeLast() }
        #expect(try sync(lab).isComplete)
        #expect(try names(lab) == ["bob", "carol"])
        #expect(try sync(lab, full: true).isComplete)
        #expect(try names(lab) == ["bob"])
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.isEmpty)
        #expect(lab.count(.contactRemoved) == 1)
    }

    @Test func `an error in the contacts ends the sync, its activity and nothing else of the link`() throws {
        let lab = try connected()
        lab.radio.script(.getContacts, [Make.error(.badState)])
        let result = try sync(lab)
        #expect(!result.isUsable && result.channels == .skipped && result.messages == .skipped)
        #expect(lab.radio.codes == [.getContacts])
        let coordinator = try lab.run { try await $0.services().sync }
        let (state, activity, ended) = try lab.run { _ in
            (await coordinator.state, await coordinator.activity, await coordinator.activitiesEnded)
        }
        guard case .failed = state else {
            Issue.record("\(state)")
            return
        }
        #expect(activity == 0 && ended == 2)
        #expect(try lab.run { await $0.manager.state } == .ready)
    }

    @Test func `a second sync while one runs changes nothing`() throws {
        let lab = try connected()
        lab.radio.script(.getContacts, [.silence])
        let (first, second) = try lab.run { lab in
            let first = lab.runtime.spawnResult { _ = try await lab.manager.sync() }
            try await lab.sleep(.milliseconds(10))
            let second = try await lab.manager.sync()
            return (await first.value, second)
        }
        #expect(first == nil)
        #expect(second == .skipped)
        #expect(lab.radio.commands(GetContactsCommand.self).count == 1)
    }

    @Test func `a disconnect during the sync balances its activity and leaves the next one possible`() throws {
        let lab = try connected()
        lab.radio.script(.getContacts, [.silence])
        let coordinator = try lab.run { try await $0.services().sync }
        try lab.run { lab in
            let running = lab.runtime.spawnResult { _ = try await lab.manager.sync() }
            try await lab.sleep(.milliseconds(10))
            #expect(await coordinator.activity == 1)
            await lab.manager.disconnect()
            _ = await running.value
            #expect(await coordinator.activity == 0)
            #expect(await coordinator.activitiesEnded == 2)
            #expect(await coordinator.state == .idle)
            try await lab.manager.connect()
        }
        #expect(try lab.run { await $0.manager.state } == .ready)
    }

    // MARK: Channels

    @Test func `a slot without an answer is read again at once and after two and four seconds`() throws {
        let lab = try connected()
        lab.radio.override(.getChannel) { ($0 as? GetChannelCommand)?.index == 2 ? .silence : .tables }
        let result = try sync(lab)
        #expect(result.isUsable && result.channels == .partial)
        #expect(try channels(lab) == ["public"])
        try lab.run { try await $0.sleep(.seconds(60)) }
        let asked = lab.radio.commands(GetChannelCommand.self).map(\.index)
        #expect(asked.filter { $0 == 2 }.count == 12, "three reads in each of four rounds")
        #expect([0, 1, 3].allSatisfy { slot in asked.filter { $0 == slot }.count == 1 })
        lab.radio.forgetLog()
        try lab.run { try await $0.sleep(.seconds(20)) }
        #expect(lab.radio.commands(GetChannelCommand.self).isEmpty)
    }

    @Test func `a late answer of such a slot is stored by the retry`() throws {
        let lab = try connected { $0.channels[2] = ("#late", [UInt8](repeating: 2, count: 16)) }
        lab.radio.change { $0.channels[2] = ("#later", [UInt8](repeating: 2, count: 16)) }
        let silent = [FakeRadio.Answer](repeating: .silence, count: 6)
        lab.radio.override(.getChannel) { [script = Script(silent)] command in
            (command as? GetChannelCommand)?.index == 2 ? script.next() : .tables
        }
        #expect(try sync(lab).channels == .partial)
        #expect(try channels(lab) == ["public", "#late"])
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(try channels(lab) == ["public", "#later"])
    }

    @Test func `three silent slots in a row end the reading and leave the rest as it was`() throws {
        let lab = try connected {
            $0.maxChannels = 6
            $0.channels[5] = ("#five", [UInt8](repeating: 5, count: 16))
        }
        lab.radio.override(.getChannel) { ($0 as? GetChannelCommand)?.index == 0 ? .tables : .silence }
        #expect(try sync(lab).channels == .partial)
        let asked = Set(lab.radio.commands(GetChannelCommand.self).map(\.index))
        #expect(asked == [0, 1, 2, 3])
        #expect(try channels(lab) == ["public", "#five"])
    }

    @Test func `where the link allows it slots are read in a pipeline, and silent ones once more by themselves`() throws
    {
        let lab = try Lab(pipelined: true)
        lab.radio.change {
            $0.maxChannels = 20
            for slot in UInt8(0)..<12 { $0.channels[slot] = ("#c\(slot)", [UInt8](repeating: slot + 1, count: 16)) }
        }
        let silentOnce = Script([.silence])
        lab.radio.override(.getChannel) { ($0 as? GetChannelCommand)?.index == 5 ? silentOnce.next() : .tables }
        try lab.run { try await $0.manager.connect() }
        let asked = lab.radio.commands(GetChannelCommand.self).map(\.index)
        #expect(asked == Array(0..<20) + [5])
        let times = lab.radio.times(of: GetChannelCommand.self)
        #expect(times[0].duration(to: times[19]) == .zero)
        #expect(try channels(lab).count == 12)
        #expect(lab.connectionStates == ["connecting", "connected", "ready"])
    }

    @Test func `a vacant slot and slots beyond the limit lose their rows`() throws {
        let lab = try connected { $0.channels[3] = ("#three", [UInt8](repeating: 3, count: 16)) }
        lab.radio.change { $0.channels[0] = nil }
        _ = try sync(lab)
        #expect(try channels(lab) == ["#three"])
        lab.radio.change { $0.maxChannels = 2 }
        try lab.run { try await $0.manager.connect() }
        #expect(try channels(lab).isEmpty)
    }

    @Test func `an ERR for a slot fails at once and is not asked again`() throws {
        let lab = try connected()
        lab.radio.override(.getChannel) { ($0 as? GetChannelCommand)?.index == 2 ? Make.error(.badState) : .tables }
        let began = lab.clock.now
        #expect(try sync(lab).channels == .partial)
        #expect(began.duration(to: lab.clock.now) < .seconds(1))
        #expect(lab.radio.commands(GetChannelCommand.self).count == 4)
    }

    @Test func `an ESP32 radio's channels are not read again within thirty seconds of a reconnect`() throws {
        for (model, pause, reads) in [("Heltec V3", 28, 0), ("Heltec V3", 31, 4), ("RAK 4631", 5, 4)] {
            let lab = try connected { $0.model = model }
            try lab.run { try await $0.sleep(.seconds(pause)) }
            lab.radio.loseLink()
            try lab.run { try await $0.sleep(.milliseconds(100)) }
            #expect(lab.radio.commands(GetChannelCommand.self).count == reads, "\(model), \(pause) s")
            lab.radio.forgetLog()
            _ = try sync(lab)
            #expect(lab.radio.commands(GetChannelCommand.self).count == 4, "forced")
        }
    }

    @Test func `in the background channels are left out and the rest is synced`() throws {
        var configuration = ServiceConfiguration()
        configuration.isInBackground = true
        let lab = try lab(configuration: configuration) { $0.queue = [Make.direct(0xB0, "hi")] }
        try lab.run { try await $0.manager.connect() }
        #expect(!lab.radio.codes.contains(.getChannel))
        #expect(try names(lab).count == 2)
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.count == 1)
    }

    @Test func `channels left out by the defect are never known`() throws {
        let lab = try connected(defects: [.channelsSkipped])
        #expect(try channels(lab).isEmpty)
    }

    @Test func `a channel that is set is stored, and one that is cleared goes with its messages`() throws {
        let lab = try connected()
        try lab.run {
            try await $0.services().channels.set(2, name: "#new", secret: Secret([UInt8](repeating: 9, count: 16)))
        }
        #expect(try channels(lab) == ["public", "#new"])
        lab.radio.queue([Make.channel(2, "al: hi")])
        try lab.run { try await $0.sleep(.seconds(1)) }
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.count == 1)
        try lab.run { try await $0.services().channels.clear(2) }
        #expect(try channels(lab) == ["public"])
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.isEmpty)
    }

    // MARK: Messages

    @Test func `an error while messages are read leaves the link usable and what was read stored`() throws {
        let lab = try lab { $0.queue = [Make.direct(0xB0, "one"), .error(ErrorReply(error: .badState))] }
        try lab.run { try await $0.manager.connect() }
        #expect(try lab.run { await $0.manager.state } == .ready)
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.map(\.text) == ["one"])
        lab.radio.queue([Make.direct(0xB0, "two")])
        try lab.run { try await $0.sleep(.seconds(1)) }
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.count == 2)
    }

    @Test func `a datagram is taken from the queue, not counted and not shown`() throws {
        let lab = try connected()
        lab.radio.change { $0.queue = [Make.datagram, Make.direct(0xB0, "one"), Make.datagram] }
        #expect(try lab.run { try await $0.services().polling.pollAll() } == 1)
        #expect(lab.radio.commands(SyncNextMessageCommand.self).count == 4)
    }

    @Test func `each message is handled once although notices come while it is read`() throws {
        let lab = try connected()
        lab.radio.change { $0.queue = (0..<5).map { Make.direct(0xB0, "text \($0)") } }
        for _ in 0..<3 { lab.radio.push(.messageWaiting(MessageWaitingPush())) }
        _ = try sync(lab)
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(lab.count(.messageStored) == 5)
        #expect(lab.count(.messageDuplicate) == 0)
    }

    @Test func `ten notices during a drain cause one further pass`() throws {
        let lab = try connected()
        lab.radio.queue([Make.direct(0xB0, "one"), Make.direct(0xB0, "two")])
        try lab.run { try await $0.sleep(.milliseconds(50)) }
        for _ in 0..<10 { lab.radio.push(.messageWaiting(MessageWaitingPush())) }
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(lab.radio.commands(SyncNextMessageCommand.self).count == 4, "two messages and two ends")
        let times = lab.radio.times(of: SyncNextMessageCommand.self)
        #expect(times[0].duration(to: times[1]) == .milliseconds(100))
    }

    @Test func `one message for each notice is what the defect makes`() throws {
        let lab = try connected(defects: [.oneMessagePerNotice])
        lab.radio.queue((0..<3).map { Make.direct(0xB0, "text \($0)") })
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(lab.count(.messageStored) == 1)
    }

    @Test func `nothing is read on notice when fetching is off`() throws {
        var configuration = ServiceConfiguration()
        configuration.fetchesAutomatically = false
        let lab = try connected(configuration: configuration)
        lab.radio.queue([Make.direct(0xB0, "one")])
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(lab.radio.commands(SyncNextMessageCommand.self).isEmpty)
        try lab.run { try await $0.services().polling.pollAll() }
        try lab.run { try await $0.services().polling.startAutoFetch() }
        try lab.run { try await $0.sleep(.seconds(5)) }
        #expect(lab.radio.commands(SyncNextMessageCommand.self).count == 2, "the poll answered the notice")
    }

    @Test func `slow handlers are waited for up to a limit before fetching starts`() throws {
        for (seconds, isTimely) in [(20, true), (40, false)] {
            let lab = try connected()
            let done = try lab.run { lab in
                let polling = try await lab.services().polling
                await polling.setHandler { _, _ in try? await lab.sleep(.seconds(seconds)) }
                lab.radio.change { $0.queue = [Make.direct(0xB0, "one")] }
                try await polling.pollAll()
                return await polling.waitForHandlers(limit: .seconds(30))
            }
            #expect(done == isTimely)
            #expect(lab.clock.now >= SimInstant(milliseconds: min(Int64(seconds), 30) * 1_000))
        }
    }

    @Test func `a restart of monitoring adds no second listener`() throws {
        let lab = try connected { _ in }
        try lab.run { lab in
            let services = try await lab.services()
            await services.messages.startListener()
            await services.messages.startChecker()
            await services.adverts.start()
            await services.polling.startMonitoring()
        }
        let running = lab.runtime.tasks.running
        for name in ["confirmations", "expiry", "adverts", "message notices"] {
            #expect(running.filter { $0 == "alice: \(name)" }.count == 1, "\(name)")
        }
        try lab.run { await $0.manager.disconnect() }
        try lab.run { try await $0.sleep(.milliseconds(1)) }
        #expect(lab.runtime.tasks.running.filter { $0 != "test" } == [])
    }
}
