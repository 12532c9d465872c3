import ClientStore
import CompanionProtocol
import MeshTransport
import RigBase
import RigRuntime
import RunRecord
import Synchronization
import Testing

@testable import ClientServices

@Suite struct DirectMessageTests {
    /// A lab whose client is connected and knows bob, who is silent unless told otherwise.
    func connected(defects: Defects = [], path: PathLengthByte = .zeroHops, confirmsAfter: Duration? = nil) throws
        -> Lab
    {
        let lab = try Lab(defects: defects)
        lab.radio.change {
            $0.contacts = [Make.contact(0xB0, "bob", path: path), Make.contact(0xC0, "hill", type: .repeater)]
            $0.confirmsAfter = confirmsAfter
        }
        try lab.run { try await $0.manager.connect() }
        lab.radio.forgetLog()
        return lab
    }

    func send(_ lab: Lab, _ text: String = "hi") throws -> MessageID {
        try lab.run { try await $0.services().messages.sendDirect(text: text, to: .name("bob")) }
    }

    func outcome(_ lab: Lab, _ id: MessageID) throws -> MessageStatus {
        try lab.run { try await $0.services().messages.waitForOutcome(id) }
    }

    @Test func `a silent path sees four direct attempts, one reset and one flood attempt, then the message fails`()
        throws
    {
        let lab = try connected()
        let id = try send(lab)
        #expect(try outcome(lab, id) == .failed)
        #expect(lab.radio.commands(SendTextCommand.self).map(\.attempt) == [0, 1, 2, 3, 4])
        let sending = lab.radio.codes.filter { $0 == .sendText || $0 == .resetPath }
        #expect(sending == [.sendText, .sendText, .sendText, .sendText, .resetPath, .sendText])
        let statuses = lab.statuses(id).map(\.status)
        #expect(
            statuses == ["pending", "sent", "retrying", "retrying", "retrying", "retrying", "sent", "failed"])
        let last = try #require(lab.radio.times(of: SendTextCommand.self).last)
        let failedAt = try #require(lab.statuses(id).last?.at)
        let silence = last.duration(to: failedAt)
        #expect(silence > .seconds(30) && silence <= .seconds(35))
    }

    @Test func `progress counts from nothing to three of four, one event before each repeat`() throws {
        let lab = try connected()
        let events = Mutex<[MessageEvent]>([])
        let stream = lab.manager.statusEvents()
        lab.runtime.spawn("watch") { for await event in stream { events.withLock { $0.append(event) } } }
        let id = try send(lab)
        _ = try outcome(lab, id)
        let retries = events.withLock { $0 }.compactMap { event -> Int? in
            if case .retrying(id, let attempt, 4) = event { attempt } else { nil }
        }
        #expect(retries == [0, 1, 2, 3])
    }

    @Test func `a confirmation delivers with the radio's trip time and stops the loop`() throws {
        let lab = try connected(confirmsAfter: .milliseconds(700))
        let id = try send(lab)
        #expect(try outcome(lab, id) == .delivered)
        try lab.run { try await $0.sleep(.seconds(60)) }
        #expect(lab.radio.commands(SendTextCommand.self).count == 1)
        let row = try lab.run { try await $0.store.message(id) }
        #expect(row?.tripTimeMillis == 321)
        #expect(lab.statuses(id).map(\.status) == ["pending", "sent", "delivered"])
        #expect(try lab.run { try await $0.store.awaited(radio: $0.services().radioID) }.isEmpty)
    }

    @Test func `statuses of a message follow from its storing, and that from the step that asked for it`() throws {
        let lab = try connected(confirmsAfter: .milliseconds(700))
        let step = lab.journal.post(.stepStarted, "", at: lab.clock.now)
        let id = try lab.run { lab in
            try await SeamCause.$current.withValue(step) {
                try await lab.services().messages.sendDirect(text: "hi", to: .name("bob"))
            }
        }
        _ = try outcome(lab, id)
        let stored = try #require(lab.journal.events().first { $0.kind == .messageStored })
        #expect(stored.cause == step)
        let statuses = lab.journal.events().filter { $0.kind == .messageStatus }
        #expect(statuses.count == 3 && statuses.allSatisfy { $0.cause == stored.id })
    }

    @Test func `a confirmation without a trip time leaves none`() throws {
        let lab = try connected()
        let id = try send(lab)
        try lab.run { try await $0.sleep(.milliseconds(100)) }
        let text = lab.radio.commands(SendTextCommand.self)[0]
        lab.radio.push(.sendConfirmed(SendConfirmedPush(tag: lab.radio.code(of: text))))
        #expect(try outcome(lab, id) == .delivered)
        #expect(try lab.run { try await $0.store.message(id) }?.tripTimeMillis == nil)
    }

    @Test func `a confirmation of attempt 2 while attempt 3 waits delivers, and nothing more is sent`() throws {
        let lab = try connected()
        let id = try send(lab)
        try lab.run { try await $0.sleep(.milliseconds(3_700)) }
        let texts = lab.radio.commands(SendTextCommand.self)
        #expect(texts.map(\.attempt) == [0, 1, 2, 3])
        lab.radio.confirm(texts[2])
        #expect(try outcome(lab, id) == .delivered)
        try lab.run { try await $0.sleep(.seconds(60)) }
        #expect(lab.radio.commands(SendTextCommand.self).count == 4)
    }

    @Test func `forgetting earlier codes makes that confirmation worthless`() throws {
        let lab = try connected(defects: [.earlierCodesForgotten])
        let id = try send(lab)
        try lab.run { try await $0.sleep(.milliseconds(3_700)) }
        lab.radio.confirm(lab.radio.commands(SendTextCommand.self)[2])
        #expect(try outcome(lab, id) == .failed)
    }

    @Test func `a confirmation twenty seconds after exhaustion still delivers`() throws {
        let lab = try connected()
        let id = try send(lab)
        try lab.run { try await $0.sleep(.seconds(27)) }
        #expect(try lab.run { try await $0.store.message(id) }?.status == .sent)
        lab.radio.confirm(lab.radio.commands(SendTextCommand.self)[1])
        #expect(try outcome(lab, id) == .delivered)
    }

    @Test func `a confirmation after the message failed changes nothing and is noted`() throws {
        let lab = try connected()
        let id = try send(lab)
        #expect(try outcome(lab, id) == .failed)
        let warnings = lab.count(.clientWarning)
        lab.radio.confirm(lab.radio.commands(SendTextCommand.self)[4])
        try lab.run { try await $0.sleep(.seconds(1)) }
        #expect(try lab.run { try await $0.store.message(id) }?.status == .failed)
        #expect(lab.count(.clientWarning) == warnings + 1)
    }

    @Test func `a confirmation in one chunk with SENT, or before it, is enough for the first attempt`() throws {
        for sentFirst in [true, false] {
            let lab = try connected()
            lab.radio.override(.sendText) { [radio = lab.radio] command in
                guard let text = command as? SendTextCommand else { return .tables }
                let code = radio.code(of: text)
                let sent = RadioFrame.sent(SentReply(floods: false, tag: code, suggestedTimeoutMillis: 1_000))
                let confirmed = RadioFrame.sendConfirmed(SendConfirmedPush(tag: code, tripTimeMillis: 5))
                return .frames(sentFirst ? [sent, confirmed] : [confirmed, sent])
            }
            let id = try send(lab)
            #expect(try outcome(lab, id) == .delivered)
            try lab.run { try await $0.sleep(.seconds(10)) }
            #expect(lab.radio.commands(SendTextCommand.self).map(\.attempt) == [0])
        }
    }

    @Test func `registering the code late misses that confirmation`() throws {
        let lab = try connected(defects: [.codeRegisteredLate])
        lab.radio.override(.sendText) { [radio = lab.radio] command in
            guard let text = command as? SendTextCommand, text.attempt == 0 else { return .tables }
            let code = radio.code(of: text)
            return .frames([
                .sent(SentReply(floods: false, tag: code, suggestedTimeoutMillis: 1_000)),
                .sendConfirmed(SendConfirmedPush(tag: code, tripTimeMillis: 5)),
            ])
        }
        _ = try send(lab)
        try lab.run { try await $0.sleep(.seconds(2)) }
        #expect(lab.radio.commands(SendTextCommand.self).map(\.attempt) == [0, 1])
    }

    @Test func `a code in SENT that differs from the predicted one counts as well`() throws {
        for confirmsPredicted in [true, false] {
            let lab = try connected()
            lab.radio.script(
                .sendText,
                [.frames([.sent(SentReply(floods: false, tag: [9, 9, 9, 9], suggestedTimeoutMillis: 1_000))])])
            let id = try send(lab)
            try lab.run { try await $0.sleep(.milliseconds(100)) }
            let predicted = lab.radio.code(of: lab.radio.commands(SendTextCommand.self)[0])
            lab.radio.push(.sendConfirmed(SendConfirmedPush(tag: confirmsPredicted ? predicted : [9, 9, 9, 9])))
            #expect(try outcome(lab, id) == .delivered)
        }
    }

    @Test func `equal texts to two contacts in one second share a code, and one confirmation resolves one`() throws {
        let lab = try connected()
        lab.radio.change { $0.contacts.append(Make.contact(0xD0, "dora", modified: 200)) }
        try lab.run { try await $0.manager.sync() }
        let first = try send(lab)
        let second = try lab.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("dora")) }
        try lab.run { try await $0.sleep(.milliseconds(100)) }
        let texts = lab.radio.commands(SendTextCommand.self)
        #expect(lab.radio.code(of: texts[0]) == lab.radio.code(of: texts[1]))
        lab.radio.confirm(texts[0])
        #expect(try outcome(lab, first) == .delivered)
        #expect(try outcome(lab, second) == .failed)
    }

    @Test func `a full pool is waited for three times with the same attempt`() throws {
        let lab = try connected()
        lab.radio.override(.sendText) { _ in Make.error(.tableFull) }
        let id = try send(lab)
        #expect(try outcome(lab, id) == .failed)
        #expect(lab.radio.commands(SendTextCommand.self).map(\.attempt) == [0, 0, 0, 0])
        let times = lab.radio.times(of: SendTextCommand.self)
        for (gap, base) in zip(zip(times, times.dropFirst()), [500, 1_000, 2_000] as [Int64]) {
            let pause = gap.0.duration(to: gap.1).wholeMilliseconds
            #expect(pause >= base * 8 / 10 && pause <= base * 12 / 10)
        }
    }

    @Test func `a refused path reset keeps nothing from the flood attempt`() throws {
        let lab = try connected()
        lab.radio.override(.resetPath) { _ in Make.error(.notFound) }
        _ = try outcome(lab, try send(lab))
        #expect(lab.radio.commands(SendTextCommand.self).map(\.attempt) == [0, 1, 2, 3, 4])
    }

    @Test func `a path that changed during the send is stored and told once`() throws {
        let lab = try connected(path: .none, confirmsAfter: .milliseconds(300))
        let events = Mutex<[MessageEvent]>([])
        let stream = lab.manager.statusEvents()
        lab.runtime.spawn("watch") { for await event in stream { events.withLock { $0.append(event) } } }
        let id = try send(lab)
        lab.radio.change { $0.contacts[0].pathLength = PathLengthByte(hashSize: 1, hopCount: 2) }
        #expect(try outcome(lab, id) == .delivered)
        try lab.run { try await $0.sleep(.seconds(1)) }
        let told = events.withLock { $0 }.filter { if case .routingChanged(_, false) = $0 { true } else { false } }
        #expect(told.count == 1)
        let bob = try lab.run { try await $0.services().contacts.find(.name("bob")) }
        #expect(bob.fields.pathLength == 2)
    }

    @Test func `a path given up for the flood attempt is told once`() throws {
        let lab = try connected()
        let events = Mutex<[MessageEvent]>([])
        let stream = lab.manager.statusEvents()
        lab.runtime.spawn("watch") { for await event in stream { events.withLock { $0.append(event) } } }
        _ = try outcome(lab, try send(lab))
        let told = events.withLock { $0 }.filter { if case .routingChanged = $0 { true } else { false } }
        let bob = try lab.run { try await $0.services().contacts.find(.name("bob")) }
        #expect(told == [.routingChanged(contact: bob.id, isFlood: true)])
        #expect(bob.fields.pathLength == 0xFF)
    }

    @Test func `what must not be sent is refused before anything is stored`() throws {
        let lab = try connected()
        #expect(throws: ServiceError.textTooLong(bytes: 151, limit: 150)) {
            try send(lab, String(repeating: "a", count: 151))
        }
        #expect(throws: ServiceError.recipientIsRepeater("hill")) {
            try lab.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("hill")) }
        }
        #expect(throws: ServiceError.recipientUnknown("nobody")) {
            try lab.run { try await $0.services().messages.sendDirect(text: "hi", to: .name("nobody")) }
        }
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.isEmpty)
        _ = try send(lab, String(repeating: "é", count: 75))
        #expect(try lab.run { try await $0.store.messages(radio: $0.services().radioID) }.count == 1)
    }

    @Test func `a message that is being sent is not sent a second time`() throws {
        let lab = try connected()
        let id = try send(lab)
        #expect(throws: ServiceError.alreadySending) {
            try lab.run { try await $0.services().messages.resend(id) }
        }
        _ = try outcome(lab, id)
        #expect(lab.radio.commands(SendTextCommand.self).count == 5)
    }

    @Test func `a failed message can be sent again by hand with a new time`() throws {
        let lab = try connected()
        let id = try send(lab)
        _ = try outcome(lab, id)
        lab.radio.change { $0.confirmsAfter = .milliseconds(200) }
        lab.radio.forgetLog()
        try lab.run { try await $0.services().messages.resend(id) }
        #expect(try outcome(lab, id) == .delivered)
        let row = try #require(try lab.run { try await $0.store.message(id) })
        #expect(row.sendCount == 2)
        #expect(lab.radio.commands(SendTextCommand.self).map(\.timestamp) == [row.timestamp])
        #expect(row.timestamp > Lab.epoch)
    }

    @Test func `one send without repeats returns when the radio took it`() throws {
        let lab = try connected()
        let id = try lab.run { try await $0.services().messages.sendOnce(text: "hi", to: .name("bob")) }
        #expect(try lab.run { try await $0.store.message(id) }?.status == .sent)
        try lab.run { try await $0.sleep(.seconds(20)) }
        #expect(lab.radio.commands(SendTextCommand.self).count == 1)
        lab.radio.confirm(lab.radio.commands(SendTextCommand.self)[0])
        #expect(try outcome(lab, id) == .delivered)
    }

    @Test func `failing all on request fails each undelivered message once`() throws {
        let lab = try connected()
        let ids = try (0..<3).map { try send(lab, "text \($0)") }
        try lab.run { try await $0.sleep(.seconds(2)) }
        try lab.run { try await $0.services().messages.stopAndFailAll() }
        try lab.run { try await $0.sleep(.seconds(60)) }
        for id in ids { #expect(lab.statuses(id).map(\.status).filter { $0 == "failed" }.count == 1) }
    }

    @Test func `a path given up at once makes every first attempt follow a reset`() throws {
        let lab = try connected(defects: [.alwaysFlood], confirmsAfter: .milliseconds(100))
        _ = try outcome(lab, try send(lab))
        #expect(lab.radio.codes.filter { $0 == .sendText || $0 == .resetPath } == [.resetPath, .sendText])
    }

    @Test func `without listening to confirmations nothing is ever delivered`() throws {
        let lab = try connected(defects: [.confirmationsIgnored], confirmsAfter: .milliseconds(100))
        #expect(try outcome(lab, try send(lab)) == .failed)
    }
}

@Suite struct ChannelMessageTests {
    func connected(defects: Defects = []) throws -> Lab {
        let lab = try Lab(defects: defects)
        lab.radio.change { $0.channels[1] = ("#test", [UInt8](repeating: 7, count: 16)) }
        try lab.run { try await $0.manager.connect() }
        lab.radio.forgetLog()
        return lab
    }

    func send(_ lab: Lab, _ text: String = "hi") throws -> MessageID {
        try lab.run { try await $0.services().messages.sendChannel(text: text, index: 1) }
    }

    @Test func `OK makes a channel message sent for good, without the node's name in front of its text`() throws {
        let lab = try connected()
        let id = try send(lab)
        #expect(try lab.run { try await $0.services().messages.waitForOutcome(id) } == .sent)
        try lab.run { try await $0.sleep(.seconds(120)) }
        #expect(try lab.run { try await $0.store.message(id) }?.status == .sent)
        #expect(lab.radio.commands(SendChannelTextCommand.self).map(\.text) == ["hi"])
    }

    @Test func `the doubled name is what the defect makes`() throws {
        let lab = try connected(defects: [.channelNameDoubled])
        _ = try send(lab)
        try lab.run { try await $0.sleep(.seconds(1)) }
        #expect(lab.radio.commands(SendChannelTextCommand.self).map(\.text) == ["alice: hi"])
    }

    @Test func `a busy radio is asked again three times, any other refusal fails at once`() throws {
        for (code, count) in [(DeviceErrorCode.notFound, 4), (.badState, 1)] {
            let lab = try connected()
            lab.radio.override(.sendChannelText) { _ in Make.error(code) }
            let id = try send(lab)
            #expect(try lab.run { try await $0.services().messages.waitForOutcome(id) } == .failed)
            #expect(lab.radio.commands(SendChannelTextCommand.self).count == count)
        }
    }

    @Test func `147 bytes pass and 148 are refused, and so is a channel nobody knows`() throws {
        let lab = try connected()
        _ = try send(lab, String(repeating: "a", count: 147))
        #expect(throws: ServiceError.textTooLong(bytes: 148, limit: 147)) {
            try send(lab, String(repeating: "a", count: 148))
        }
        #expect(throws: ServiceError.channelUnknown("3")) {
            try lab.run { try await $0.services().messages.sendChannel(text: "hi", index: 3) }
        }
    }
}
