import CompanionProtocol
import MeshCoreClient
import RigBase
import RigRuntime
import RigTestKit
import Testing

@Suite struct `Events` {
    static func log(_ number: Int) -> MeshEvent {
        .frame(.deviceTime(DeviceTimeReply(seconds: UInt32(number))))
    }

    @Test func `a confirmation is delivered after five hundred other events`() throws {
        let bench = SessionBench()
        try bench.started { session, transport, runtime in
            let confirmations = session.events.subscribe(.confirmation())
            for number in 0..<500 { transport.push(DeviceTimeReply(seconds: UInt32(number))) }
            let push = SendConfirmedPush(tag: [1, 2, 3, 4], tripTimeMillis: 5)
            transport.push(push)
            try await runtime.sleep(for: .milliseconds(1))
            #expect(await confirmations.next() == .frame(push.frame))
            #expect(confirmations.droppedCount == 0)
        }
    }

    @Test func `who does not read keeps the newest hundred and knows how many were lost`() async {
        let dispatcher = EventDispatcher()
        let subscription = dispatcher.subscribe()
        for number in 0..<150 { dispatcher.dispatch(Self.log(number)) }
        #expect(subscription.droppedCount == 50)
        for number in 50..<150 { #expect(await subscription.next() == Self.log(number)) }
        subscription.finish()
        #expect(await subscription.next() == nil)
    }

    @Test func `a reader gets events as they come and may give up waiting`() throws {
        let run = SimulatedRun()
        let runtime = run.runtime
        try run.run {
            let dispatcher = EventDispatcher()
            let subscription = dispatcher.subscribe()
            let waiting = runtime.spawn("waiting") { #expect(await subscription.next() == nil) }
            try await runtime.sleep(for: .milliseconds(1))
            waiting.cancel()
            await waiting.value
            // The subscription outlives the cancelled read.
            dispatcher.dispatch(Self.log(1))
            #expect(await subscription.next() == Self.log(1))
            let second = runtime.spawn("second") { #expect(await subscription.next() == Self.log(2)) }
            try await runtime.sleep(for: .milliseconds(1))
            dispatcher.dispatch(Self.log(2))
            await second.value
        }
    }

    @Test func `a subscription that is let go is forgotten`() {
        let dispatcher = EventDispatcher()
        var subscription: EventSubscription? = dispatcher.subscribe()
        #expect(dispatcher.listenerCount == 1)
        #expect(subscription?.droppedCount == 0)
        subscription = nil
        #expect(dispatcher.listenerCount == 0)
    }

    @Test func `after the end nobody is told anything`() async {
        let dispatcher = EventDispatcher()
        let early = dispatcher.subscribe()
        dispatcher.finishAll()
        let late = dispatcher.subscribe()
        dispatcher.dispatch(Self.log(1))
        #expect(await early.next() == nil)
        #expect(await late.next() == nil)
        dispatcher.finishAll()
    }

    @Test func `filters choose by content and can be combined`() {
        let prefix: [UInt8] = [1, 2, 3, 4, 5, 6]
        let text = MeshEvent.frame(
            DirectMessageReply(senderPrefix: prefix, pathLength: .none, timestamp: 1, text: "x").frame)
        let channel = MeshEvent.frame(
            ChannelMessageReply(channel: 2, pathLength: .none, timestamp: 1, text: "a: x").frame)
        let confirmed = MeshEvent.frame(SendConfirmedPush(tag: [9, 9, 9, 9]).frame)
        let refused = MeshEvent.frame(LoginFailedPush(serverPrefix: nil).frame)
        #expect(EventFilter.directMessage(from: prefix).accepts(text))
        #expect(!EventFilter.directMessage(from: [0, 0, 0, 0, 0, 0]).accepts(text))
        #expect(EventFilter.channelMessage(index: 2).accepts(channel))
        #expect(!EventFilter.channelMessage(index: 1).accepts(channel))
        #expect(EventFilter.confirmation(tag: [9, 9, 9, 9]).accepts(confirmed))
        #expect(!EventFilter.confirmation(tag: [9, 9, 9, 8]).accepts(confirmed))
        #expect(EventFilter.login(prefix: prefix).accepts(refused))
        let either = EventFilter.directMessage() || .channelMessage()
        #expect(either.accepts(text) && either.accepts(channel) && !either.accepts(confirmed))
        #expect((!either).accepts(confirmed))
        #expect(!(EventFilter.directMessage() && .channelMessage()).accepts(text))
        #expect(EventFilter.codes(.sendConfirmed).accepts(confirmed))
        #expect(!EventFilter.connection.accepts(confirmed))
    }
}
