import CompanionProtocol
import MeshCoreClient
import MeshTransport
import RigBase
import RigRuntime
import RigTestKit
import Testing

@Suite struct `Life of a session` {
    @Test func `a start without SELF_INFO fails after five seconds and may be repeated`() throws {
        let bench = SessionBench()
        bench.transport.setScript { _, _ in [] }
        let (session, transport, runtime) = (bench.session, bench.transport, bench.runtime)
        try bench.run.run {
            let error = await failure { try await session.start() }
            #expect(error == .timeout)
            #expect(runtime.now() == SimInstant(milliseconds: 5_000))
            #expect(await session.state == .failed(.timeout))
            #expect(!transport.isUp)
            transport.setScript { _, _ in [.payload(SessionBench.selfInfo)] }
            try await session.start()
            #expect(await session.state == .connected)
            #expect(await session.selfInfo == SessionBench.selfInfo)
        }
        #expect(transport.writes(of: .appStart).count == 2)
        #expect(transport.connects == 2)
    }

    @Test func `a second start writes no second APP_START`() throws {
        let bench = SessionBench()
        try bench.started { session, transport, _ in
            try await session.start()
            #expect(transport.writes.count == 1)
            #expect(transport.connects == 1)
        }
    }

    @Test func `an ERR does not end the handshake`() throws {
        let bench = SessionBench()
        bench.transport.setScript { _, _ in
            [.frames([1, 1]), .payload(SessionBench.selfInfo, after: .milliseconds(10))]
        }
        try bench.started { session, _, _ in #expect(await session.isRunning) }
    }

    @Test func `a link that cannot be brought up is told`() throws {
        let bench = SessionBench()
        bench.transport.failConnecting(.connectFailed("refused"))
        let session = bench.session
        try bench.run.run {
            let error = await failure { try await session.start() }
            #expect(error == .transport(.connectFailed("refused")))
            #expect(await session.state == .failed(.transport(.connectFailed("refused"))))
        }
    }

    @Test func `states come in order and end with the session`() throws {
        let bench = SessionBench()
        let session = bench.session
        let states = try bench.run.run {
            let stream = await session.states()
            try await session.start()
            await session.stop()
            await session.stop()
            var seen: [SessionState] = []
            for await state in stream { seen.append(state) }
            return seen
        }
        #expect(states == [.disconnected, .connecting, .connected, .disconnected])
        #expect(!bench.transport.isUp)
    }

    @Test func `a lost link is noticed at once and ends everything that waits`() throws {
        let bench = SessionBench()
        try bench.started { session, transport, runtime in
            let events = session.events.subscribe(.connection)
            let waiting = runtime.spawn("waiting") {
                let error = await failure { _ = try await session.getBattery() }
                #expect(error == .connectionLost)
                #expect(runtime.now() == SimInstant(milliseconds: 2_000))
            }
            let queued = runtime.spawn("queued") {
                let error = await failure { _ = try await session.getDeviceTime() }
                #expect(error == .connectionLost)
            }
            try await runtime.sleep(for: .seconds(2))
            transport.lose()
            await waiting.value
            await queued.value
            #expect(await session.state == .disconnected)
            #expect(await events.next() == .connectionChanged(.disconnected))
            // The subscription ended with the session.
            #expect(await events.next() == nil)
            let error = await failure { _ = try await session.getBattery() }
            #expect(error == .notConnected)
            let again = await failure { try await session.start() }
            #expect(again == .notConnected)
        }
        #expect(bench.written.count == 1)
    }

    @Test func `stopping ends subscriptions and tasks`() throws {
        let bench = SessionBench()
        try bench.started { session, _, _ in
            let events = session.events.subscribe()
            await session.startAutoMessageFetching()
            await session.stop()
            var seen = 0
            for await _ in events { seen += 1 }
            #expect(seen == 1)
            let late = session.events.subscribe()
            session.events.dispatch(.connectionChanged(.connected))
            #expect(await late.next() == nil)
        }
        try bench.run.pass(.seconds(1))
        #expect(bench.runtime.tasks.running == [])
    }

    @Test func `a frame that cannot be written fails its operation at once`() throws {
        let bench = SessionBench()
        try bench.started { session, transport, runtime in
            transport.failWrites(after: 0)
            let error = await failure { _ = try await session.getBattery() }
            #expect(error == .transport(.writeFailed("the script says so")))
            #expect(runtime.now() == .zero)
        }
    }
}
