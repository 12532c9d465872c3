import RigBase
import Testing

@testable import ClientServices

@Suite struct SyncMachineTests {
    @Test func `contacts come before channels before messages, and activity ends before the messages`() {
        var machine = SyncMachine(readsChannels: true)
        #expect(machine.start() == [.publish(.syncing(.contacts)), .beginActivity, .syncContacts])
        #expect(machine.onContacts(.clean) == [.publish(.syncing(.channels)), .readChannels])
        #expect(
            machine.onChannels(.clean)
                == [.endActivity(succeeded: true), .publish(.syncing(.messages)), .pollMessages])
        let result = SyncResult(contacts: .clean, channels: .clean, messages: .clean)
        #expect(machine.onMessages(.clean) == [.publish(.synced), .finish(result)])
        #expect(result.isUsable && result.isComplete)
    }

    @Test func `without channels the messages follow the contacts`() {
        var machine = SyncMachine(readsChannels: false)
        _ = machine.start()
        #expect(
            machine.onContacts(.clean)
                == [.endActivity(succeeded: true), .publish(.syncing(.messages)), .pollMessages])
        let end = machine.onMessages(.clean)
        #expect(end.last == .finish(SyncResult(contacts: .clean, channels: .skipped, messages: .clean)))
    }

    @Test func `a failure in the contacts ends everything`() {
        var machine = SyncMachine(readsChannels: true)
        _ = machine.start()
        let result = SyncResult(contacts: .failed("x"), channels: .skipped, messages: .skipped)
        #expect(
            machine.onContacts(.failed("x"))
                == [.publish(.failed("x")), .endActivity(succeeded: false), .finish(result)])
        #expect(!result.isUsable)
    }

    @Test func `a later failure makes the result partial and leaves the link usable`() {
        var machine = SyncMachine(readsChannels: true)
        _ = machine.start()
        _ = machine.onContacts(.clean)
        _ = machine.onChannels(.partial)
        let end = machine.onMessages(.failed("y"))
        let result = SyncResult(contacts: .clean, channels: .partial, messages: .failed("y"))
        #expect(end == [.publish(.synced), .finish(result)])
        #expect(result.isUsable && !result.isComplete)
    }

    @Test func `a cancelled sync ends its activity once and is idle`() {
        var early = SyncMachine(readsChannels: true)
        _ = early.start()
        var channels = early
        #expect(early.onCancelled() == [.endActivity(succeeded: false), .publish(.idle)])
        #expect(early.onCancelled() == [])
        _ = channels.onContacts(.clean)
        var messages = channels
        #expect(channels.onCancelled() == [.endActivity(succeeded: false), .publish(.idle)])
        _ = messages.onChannels(.clean)
        #expect(messages.onCancelled() == [.publish(.idle)])
    }
}

@Suite struct ReconnectMachineTests {
    func at(_ milliseconds: Int64) -> SimInstant { SimInstant(milliseconds: milliseconds) }

    @Test func `waits double from half a second to four, for thirty seconds`() {
        var machine = ReconnectMachine()
        #expect(machine.onLost(now: at(0)) == [.attempt(1)])
        var now = at(0)
        var waits: [Int64] = []
        var attempts = 1
        while true {
            guard case .pause(let until) = machine.onFailure(now: now).first else { break }
            waits.append(now.duration(to: until).wholeMilliseconds)
            #expect(machine.onDeadline(now: at(until.milliseconds - 1)) == [])
            now = until
            let next = machine.onDeadline(now: now)
            if next == [.giveUp] { break }
            attempts += 1
            #expect(next == [.attempt(attempts)])
        }
        #expect(waits.prefix(6) == [500, 1_000, 2_000, 4_000, 4_000, 4_000])
        #expect(now == at(31_500), "the first end of a wait at or beyond thirty seconds")
        #expect(!machine.isRunning)
    }

    @Test func `a second loss soon after is tried again from the start`() {
        var machine = ReconnectMachine()
        _ = machine.onLost(now: at(0))
        machine.onSuccess()
        #expect(machine.onLost(now: at(20_000)) == [.attempt(1)])
    }

    @Test func `a loss during the loop starts no second one`() {
        var machine = ReconnectMachine()
        _ = machine.onLost(now: at(0))
        #expect(machine.onLost(now: at(10)) == [])
    }

    @Test func `the user's wish ends it`() {
        var machine = ReconnectMachine()
        _ = machine.onLost(now: at(0))
        _ = machine.onFailure(now: at(0))
        machine.onStopped()
        #expect(machine.onDeadline(now: at(10_000)) == [])
        #expect(machine.nextDeadline == nil)
    }
}

@Suite struct IncomingTextTests {
    struct Split: CustomTestStringConvertible {
        var text: String
        var sender: String?
        var rest: String
        var testDescription: String { text }
    }

    @Test(arguments: [
        Split(text: "Al: a:b", sender: "Al", rest: "a:b"), Split(text: "plain", sender: nil, rest: "plain"),
        Split(text: ":x", sender: nil, rest: ":x"), Split(text: "x:", sender: nil, rest: "x:"),
        Split(text: " Al : hi ", sender: "Al", rest: "hi"), Split(text: "x: ", sender: nil, rest: "x: "),
    ]) func `channel text is cut at the first colon`(_ split: Split) {
        let (sender, text) = IncomingText.splitChannel(split.text)
        #expect(sender == split.sender)
        #expect(text == split.rest)
    }

    @Test func `a sender's time is believed up to five minutes ahead and 180 days behind`() {
        let received: UInt32 = 1_750_000_000
        for believed in [received, received + 300, received - 180 * 86_400] {
            let (time, original) = IncomingText.correctedTimestamp(believed, received: received)
            #expect(time == believed && original == nil)
        }
        for other in [received + 301, received - 180 * 86_400 - 1, 0, .max] {
            let (time, original) = IncomingText.correctedTimestamp(other, received: received)
            #expect(time == received && original == other)
        }
    }

    @Test func `keys are made of the content`() {
        let contact = UUID128(high: 1, low: 2)
        #expect(
            IncomingText.directKey(contact: contact, timestamp: 100, text: "hi")
                == "dm-00000000-0000-0001-0000-000000000002-100-8F434346")
        #expect(IncomingText.directKey(contact: nil, timestamp: 100, text: "hi") == "dm-unknown-100-8F434346")
        #expect(IncomingText.channelKey(index: 2, timestamp: 7, sender: "Al", text: "hi") == "ch-2-7-Al-8F434346")
        #expect(IncomingText.channelKey(index: 2, timestamp: 7, sender: nil, text: "hi") == "ch-2-7--8F434346")
    }

    @Test func `a mention names its target in brackets`() {
        #expect(IncomingText.mentions("Bob", in: "hi @[Bob]!"))
        #expect(!IncomingText.mentions("Bob", in: "hi Bob @[Bobby]"))
        #expect(!IncomingText.mentions("", in: "@[]"))
    }
}
