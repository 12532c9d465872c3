import CompanionProtocol
import MeshCoreClient
import RigBase
import RigRuntime
import RigTestKit
import Testing

@Suite struct `Exchanges of a session` {
    @Test func `of two commands the second is written after the first reply`() throws {
        let bench = SessionBench { frame, _ in
            frame[0] == CommandCode.getDeviceTime.rawValue
                ? [.payload(DeviceTimeReply(seconds: 9), after: .milliseconds(300))]
                : [.payload(BatteryReply(millivolts: 4_000))]
        }
        try bench.started { session, _, runtime in
            async let time = session.getDeviceTime()
            try await runtime.sleep(for: .milliseconds(1))
            let battery = try await session.getBattery()
            let seconds = try await time
            #expect(seconds == 9 && battery.millivolts == 4_000)
        }
        #expect(bench.written.map(\.at.milliseconds) == [0, 300])
    }

    @Test func `a cancelled command's late reply is not taken by the next`() throws {
        let bench = SessionBench { frame, _ in
            switch frame[0] {
            case CommandCode.setDeviceTime.rawValue: [.payload(OkReply(), after: .seconds(2))]
            default: [.payload(ErrorReply(error: .illegalArgument), after: .milliseconds(10))]
            }
        }
        try bench.started { session, _, runtime in
            let first = runtime.spawn("first") {
                let error = await failure { try await session.setDeviceTime(1) }
                #expect(error == .cancelled)
                #expect(runtime.now() == SimInstant(milliseconds: 1_000))
            }
            let queued = runtime.spawn("queued") {
                let error = await failure { try await session.setTransmitPower(dBm: 1) }
                #expect(error == .cancelled)
            }
            try await runtime.sleep(for: .seconds(1))
            queued.cancel()
            first.cancel()
            let error = await failure { try await session.setName("Bob") }
            #expect(error == .device(.illegalArgument))
            #expect(runtime.now() == SimInstant(milliseconds: 2_010))
        }
        // The frame of the caller cancelled while it waited was never written.
        #expect(bench.written.map { $0.frame[0] } == [6, 8])
    }

    @Test func `the defect takes the late reply for the next command`() throws {
        let bench = SessionBench(defects: [.lateReplyTaken]) { frame, _ in
            frame[0] == CommandCode.setDeviceTime.rawValue ? [.payload(OkReply(), after: .seconds(6))] : []
        }
        try bench.started { session, _, _ in
            #expect(await failure { try await session.setDeviceTime(1) } == .timeout)
            #expect(await failure { try await session.setName("Bob") } == nil)
        }
    }

    @Test func `an OK with a value does not answer a setter`() throws {
        let bench = SessionBench { _, _ in [.frames([0, 1, 2, 3, 4]), .payload(OkReply(), after: .seconds(1))] }
        try bench.started { session, _, runtime in
            try await session.setName("Bob")
            #expect(runtime.now() == SimInstant(milliseconds: 1_000))
        }
    }

    @Test func `ERR fails texts, logins, setters and reads at once`() throws {
        let bench = SessionBench { _, _ in [.payload(ErrorReply(error: .tableFull))] }
        try bench.started { session, _, runtime in
            let key = SessionBench.key
            typealias Operation = @Sendable () async throws -> Void
            let operations: [Operation] = [
                { _ = try await session.sendText("x", to: key, timestamp: 1) },
                { _ = try await session.sendLogin(key: key, password: Secret([])) },
                { try await session.setName("x") },
                { _ = try await session.getChannel(1) },
                { _ = try await session.queryDevice() },
                { _ = try await session.getBattery() },
                { _ = try await session.getDeviceTime() },
                { _ = try await session.getStatistics(.core) },
                { _ = try await session.exportContact(key: key) },
                { _ = try await session.requestOwnTelemetry() },
                { _ = try await session.getContacts() },
                { _ = try await session.getMessage() },
            ]
            for operation in operations {
                let error = await failure(operation)
                #expect(error == .device(.tableFull))
            }
            #expect(runtime.now() == .zero)
            // To a lookup it means that there is none.
            let found = try await session.getContact(key: key)
            #expect(found == nil)
        }
    }

    @Test func `a channel reply for another slot is not taken`() throws {
        let secret = Secret([UInt8](repeating: 1, count: 16))
        let bench = SessionBench { _, _ in
            [
                .payload(ChannelInfoReply(index: 4, name: "four", secret: secret)),
                .payload(ChannelInfoReply(index: 3, name: "three", secret: secret), after: .seconds(1)),
            ]
        }
        try bench.started { session, _, _ in
            let channel = try await session.getChannel(3)
            #expect(channel.displayName == "three")
        }
    }

    @Test func `a key of thirty-one bytes is refused and nothing is written`() throws {
        let bench = SessionBench()
        try bench.started { session, _, _ in
            let short = [UInt8](repeating: 7, count: 31)
            typealias Operation = @Sendable () async throws -> Void
            let operations: [Operation] = [
                { try await session.resetPath(key: short) },
                { try await session.removeContact(key: short) },
                { try await session.shareContact(key: short) },
                { _ = try await session.requestStatus(key: short) },
                { _ = try await session.requestTelemetry(key: short) },
                { _ = try await session.sendTextWithRetry("x", to: short, timestamp: 1) },
                { _ = try await session.trace(path: []) },
                { try await session.setPathHashMode(3) },
            ]
            for operation in operations {
                guard case .invalidArgument = await failure(operation) else {
                    Issue.record("not refused")
                    continue
                }
            }
        }
        #expect(bench.written == [])
    }

    @Test func `unknown and short frames are one parse failure each and do no harm`() throws {
        let bench = SessionBench { _, _ in [.payload(BatteryReply(millivolts: 4_000))] }
        try bench.started { session, transport, runtime in
            let failures = session.events.subscribe(.parseFailures)
            transport.deliver(FrameEncoder.encode([0x7F, 1], .fromRadio) + FrameEncoder.encode([3, 1], .fromRadio))
            try await runtime.sleep(for: .milliseconds(1))
            #expect(failures.takeBuffered().count == 2)
            let got14 = try await session.getBattery().millivolts
            #expect(got14 == 4_000)
            // An unreadable reply to what was asked fails at once.
            transport.setScript { _, _ in [.frames([0x0C, 1, 2, 3])] }
            let error = await failure { _ = try await session.getBattery() }
            #expect(error == .malformedReply("4 bytes fit no form of the frame"))
        }
    }

    @Test func `without the limit a silent radio is waited for`() throws {
        let bench = SessionBench(defects: [.noReplyTimeout])
        let (session, runtime) = (bench.session, bench.runtime)
        #expect(throws: SimulatedRun.Stuck.self) {
            try bench.run.run {
                try await session.start()
                _ = try? await runtime.sleep(for: .seconds(100))
                _ = try await session.getBattery()
            }
        }
        #expect(bench.written.count == 1)
    }

    @Test func `frames found in noise reach the session, with the defects they do not`() throws {
        let script: ScriptedTransport.Script = { _, _ in
            let reply = FrameEncoder.encode(BatteryReply(millivolts: 4_000).encoded, .fromRadio)
            return [
                .init(after: .zero, bytes: [0x3E, 0xFF, 0xFF]), .init(after: .zero, bytes: Array(reply.prefix(5))),
                .init(after: .milliseconds(5), bytes: Array(reply.dropFirst(5))),
            ]
        }
        try SessionBench([], script).started { session, _, _ in
            let battery = try await session.getBattery()
            #expect(battery.millivolts == 4_000)
        }
        for defect in [Defect.noResynchronisation, .chunkIsFrame] {
            try SessionBench([defect], script).started { session, _, _ in
                let error = await failure { _ = try await session.getBattery() }
                #expect(error != nil, "\(defect)")
            }
        }
    }
}

extension SessionBench {
    init(_ defects: [Defect], _ script: @escaping ScriptedTransport.Script) {
        self.init(defects: Defects(defects), script)
    }
}
