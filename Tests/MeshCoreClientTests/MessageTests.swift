import CompanionProtocol
import MeshCoreClient
import RigBase
import RigRuntime
import RigTestKit
import Testing

@Suite struct `Messages of a session` {
    static func text(_ number: Int) -> DirectMessageReply {
        DirectMessageReply(
            snrQuarterDB: 4, senderPrefix: SessionBench.prefix, pathLength: .zeroHops, timestamp: UInt32(number),
            text: "hello")
    }

    /// A queue of `count` messages behind SYNC_NEXT.
    static func queue(_ count: Int) -> ScriptedTransport.Script {
        { _, earlier in earlier < count ? [.payload(text(earlier))] : [.payload(NoMoreMessagesReply())] }
    }

    @Test func `callers at the same time share one request`() throws {
        let bench = SessionBench { _, _ in [.payload(Self.text(1), after: .seconds(1))] }
        try bench.started { session, transport, runtime in
            async let first = session.getMessage()
            async let second = session.getMessage()
            let cancelled = runtime.spawn("cancelled") {
                let error = await failure { _ = try await session.getMessage() }
                #expect(error == .cancelled)
                #expect(runtime.now() == SimInstant(milliseconds: 500))
            }
            try await runtime.sleep(for: .milliseconds(500))
            cancelled.cancel()
            let got1 = try await [first, second]
            #expect(got1 == [.direct(Self.text(1)), .direct(Self.text(1))])
            #expect(transport.writes(of: .syncNextMessage).count == 1)
        }
    }

    @Test func `callers at the same time share an error`() throws {
        let bench = SessionBench { _, _ in [.payload(ErrorReply(error: .badState), after: .seconds(1))] }
        try bench.started { session, _, _ in
            async let first = failure { _ = try await session.getMessage() }
            async let second = failure { _ = try await session.getMessage() }
            #expect(await [first, second] == [.device(.badState), .device(.badState)])
        }
        #expect(bench.written.count == 1)
    }

    @Test func `a notice fetches all messages, a tenth of a second apart`() throws {
        let bench = SessionBench(Self.queue(3))
        try bench.started { session, transport, runtime in
            let messages = session.events.subscribe(.directMessage())
            await session.startAutoMessageFetching()
            await session.startAutoMessageFetching()
            try await runtime.sleep(for: .seconds(1))
            // Starting polls nothing, and only the notice counts.
            transport.push(AdvertPush(key: SessionBench.key))
            try await runtime.sleep(for: .seconds(1))
            #expect(transport.writes(of: .syncNextMessage).isEmpty)
            transport.push(MessageWaitingPush())
            try await runtime.sleep(for: .seconds(5))
            #expect(messages.takeBuffered().count == 3)
            #expect(transport.writes(of: .syncNextMessage).map(\.at.milliseconds) == [2_000, 2_100, 2_200, 2_300])
        }
    }

    @Test func `ten notices during a pass cause one more`() throws {
        let bench = SessionBench(Self.queue(2))
        try bench.started { session, transport, runtime in
            await session.startAutoMessageFetching()
            transport.push(MessageWaitingPush())
            try await runtime.sleep(for: .milliseconds(50))
            for _ in 0..<10 { transport.push(MessageWaitingPush()) }
            try await runtime.sleep(for: .seconds(5))
            // Two messages and the end, then one more look.
            #expect(transport.writes(of: .syncNextMessage).count == 4)
            await session.stopAutoMessageFetching()
            transport.push(MessageWaitingPush())
            try await runtime.sleep(for: .seconds(5))
            #expect(transport.writes(of: .syncNextMessage).count == 4)
        }
    }

    @Test func `the defect fetches one message for a notice`() throws {
        let bench = SessionBench([.oneMessagePerNotice], Self.queue(3))
        try bench.started { session, transport, runtime in
            await session.startAutoMessageFetching()
            transport.push(MessageWaitingPush())
            try await runtime.sleep(for: .seconds(5))
            #expect(transport.writes(of: .syncNextMessage).count == 1)
        }
    }

    @Test func `an unreadable message does not end a pass, an error does`() throws {
        let bench = SessionBench { _, earlier in
            switch earlier {
            case 0: [.frames([0x10, 1, 2])]
            case 1: [.payload(Self.text(1))]
            case 2: [.payload(ErrorReply(error: .badState))]
            default: [.payload(NoMoreMessagesReply())]
            }
        }
        try bench.started { session, transport, runtime in
            await session.startAutoMessageFetching()
            transport.push(MessageWaitingPush())
            try await runtime.sleep(for: .seconds(5))
            #expect(transport.writes(of: .syncNextMessage).count == 3)
            transport.push(MessageWaitingPush())
            try await runtime.sleep(for: .seconds(5))
            #expect(transport.writes(of: .syncNextMessage).count == 4)
        }
    }

    static func sent(_ tag: UInt8, millis: UInt32) -> SentReply {
        SentReply(floods: false, tag: [tag, 0, 0, 0], suggestedTimeoutMillis: millis)
    }

    @Test func `a confirmation in the same read as SENT completes on the first attempt`() throws {
        let bench = SessionBench { _, _ in
            [.frames(Self.sent(1, millis: 500).encoded, SendConfirmedPush(tag: [1, 0, 0, 0]).encoded)]
        }
        try bench.started { session, transport, runtime in
            let reply = try await session.sendTextWithRetry("x", to: SessionBench.key, timestamp: 1)
            #expect(reply?.tag == [1, 0, 0, 0])
            #expect(runtime.now() == .zero)
            #expect(transport.writes(of: .sendText).count == 1)
        }
    }

    @Test func `without a confirmation each attempt waits 1,2 times the suggestion`() throws {
        let bench = SessionBench { frame, earlier in
            frame[0] == CommandCode.sendText.rawValue
                ? [.payload(Self.sent(UInt8(earlier + 1), millis: 1_000))] : [.payload(OkReply())]
        }
        try bench.started { session, transport, runtime in
            let reply = try await session.sendTextWithRetry("x", to: SessionBench.key, timestamp: 1)
            #expect(reply == nil)
            #expect(runtime.now() == SimInstant(milliseconds: 3_600))
            let texts = transport.writes(of: .sendText)
            #expect(texts.map(\.at.milliseconds) == [0, 1_200, 2_400] && texts.map { $0.frame[2] } == [0, 1, 2])
            #expect(transport.writes(of: .resetPath).map(\.at.milliseconds) == [2_400])
        }
    }

    @Test func `a late confirmation of an earlier attempt counts`() throws {
        let bench = SessionBench { _, earlier in
            [.payload(Self.sent(UInt8(earlier + 1), millis: 1_000))]
                + (earlier == 0 ? [.payload(SendConfirmedPush(tag: [1, 0, 0, 0]), after: .milliseconds(1_500))] : [])
        }
        try bench.started { session, transport, runtime in
            let reply = try await session.sendTextWithRetry("x", to: SessionBench.key, timestamp: 1)
            #expect(reply?.tag == [1, 0, 0, 0])
            #expect(runtime.now() == SimInstant(milliseconds: 1_500))
            #expect(transport.writes(of: .sendText).count == 2)
        }
    }

    @Test func `a path that cannot be reset is tried again before the next attempt`() throws {
        let bench = SessionBench { frame, earlier in
            frame[0] == CommandCode.sendText.rawValue
                ? [.payload(Self.sent(UInt8(earlier + 1), millis: 100))]
                : [.payload(ErrorReply(error: .notFound))]
        }
        try bench.started { session, transport, _ in
            let policy = MeshCoreSession.RetryPolicy(attempts: 4, floodAfter: 2, floodAttempts: 1)
            _ = try await session.sendTextWithRetry("x", to: SessionBench.key, timestamp: 1, policy: policy)
            #expect(transport.writes(of: .resetPath).count == 2)
            #expect(transport.writes(of: .sendText).count == 4)
        }
    }
}
