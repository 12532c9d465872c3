import CompanionProtocol
import MeshCoreClient
import RigBase
import RigRuntime
import RigTestKit
import Testing

@Suite struct `Requests to other nodes` {
    static func sent(_ tag: UInt8, millis: UInt32) -> SentReply {
        SentReply(floods: false, tag: [tag, 0, 0, 0], suggestedTimeoutMillis: millis)
    }

    @Test(arguments: [(UInt32(2_000), Int64(4_000)), (100, 1_000)])
    func `a silent node is asked again and again for forty seconds`(_ suggested: UInt32, _ interval: Int64) throws {
        let bench = SessionBench { _, earlier in [.payload(Self.sent(UInt8(earlier + 1), millis: suggested))] }
        try bench.started { session, transport, runtime in
            let error = await failure {
                _ = try await session.requestStatus(key: SessionBench.key)
            }
            #expect(error == .timeout)
            #expect(runtime.now() == SimInstant(milliseconds: 40_000))
            let writes = transport.writes(of: .sendStatusRequest)
            #expect(writes.map { Int($0.at.milliseconds) } == Array(stride(from: 0, to: 40_000, by: Int(interval))))
            #expect(Set(writes.map(\.frame)) == [[27] + SessionBench.key])
        }
    }

    @Test func `the answer with the newest tag completes`() throws {
        let bench = SessionBench { _, earlier in
            let tag = UInt8(earlier + 1)
            let reply = ScriptedTransport.Reply.payload(Self.sent(tag, millis: 500))
            return earlier == 0
                ? [reply, .payload(BinaryResponsePush(tag: [1, 0, 0, 0], data: [1]), after: .milliseconds(1_200))]
                : [reply, .payload(BinaryResponsePush(tag: [tag, 0, 0, 0], data: [2]), after: .milliseconds(600))]
        }
        try bench.started { session, _, runtime in
            let got7 = try await session.requestBinary(key: SessionBench.key, [5, 0, 0])
            #expect(got7 == [2])
            #expect(runtime.now() == SimInstant(milliseconds: 1_600))
        }
    }

    @Test func `ERR fails a request before SENT and not after it`() throws {
        let refused = SessionBench { _, _ in [.payload(ErrorReply(error: .notFound))] }
        try refused.started { session, _, _ in
            let error = await failure {
                _ = try await session.requestTelemetry(key: SessionBench.key)
            }
            #expect(error == .device(.notFound))
        }
        let accepted = SessionBench { _, _ in
            [
                .payload(Self.sent(1, millis: 5_000)), .payload(ErrorReply(error: .tableFull)),
                .payload(
                    TelemetryResponsePush(nodePrefix: SessionBench.prefix, telemetry: [1, 0x74, 1, 0x9A]),
                    after: .seconds(1)),
            ]
        }
        try accepted.started { session, _, _ in
            let got8 = try await session.requestTelemetry(key: SessionBench.key).map(\.text)
            #expect(got8 == ["4.1 V"])
        }
    }

    @Test func `status, owner, access list and series are read from their answers`() throws {
        let bench = SessionBench { frame, earlier in
            let sent = ScriptedTransport.Reply.payload(Self.sent(UInt8(earlier + 1), millis: 500))
            guard frame[0] == CommandCode.sendBinaryRequest.rawValue else {
                var blob = [UInt8](repeating: 0, count: 56)
                (blob[0], blob[1]) = (0x04, 0x10)
                return [sent, .payload(StatusResponsePush(serverPrefix: SessionBench.prefix, blob: blob))]
            }
            let data: [UInt8] =
                switch frame[33] {
                case 7: Array("v1.17.1\nHilltop\nring twice\nplease\0\0".utf8)
                case 5: SessionBench.prefix + [3] + [UInt8](repeating: 0, count: 7)
                default: [1, 0, 0, 0, 1, 0x67, 0xFF, 0xF6, 0, 100, 0, 50, 0, 0]
                }
            return [sent, .payload(BinaryResponsePush(tag: [UInt8(earlier + 1), 0, 0, 0], data: data))]
        }
        try bench.started { session, transport, _ in
            let got9 = try await session.requestStatus(key: SessionBench.key).batteryMillivolts
            #expect(got9 == 4_100)
            #expect(
                try await session.requestStatus(key: SessionBench.key, isRoom: true).extra
                    == .room(posts: 0, postPushes: 0))
            let owner = try await session.requestOwnerInfo(key: SessionBench.key)
            #expect(owner.version == "v1.17.1" && owner.name == "Hilltop" && owner.info == "ring twice\nplease")
            let list = try await session.requestAccessList(key: SessionBench.key)
            #expect(list.map(\.permission) == [3] && list.map(\.keyPrefix) == [SessionBench.prefix])
            let series = try await session.requestSeries(key: SessionBench.key, from: 3_600, to: 0)
            #expect(series.map(\.minimum) == [-10] && series.map(\.maximum) == [100] && series.map(\.mean) == [50])
            #expect(
                transport.writes.last?.frame == [0x32] + SessionBench.key + [4, 0x10, 0x0E, 0, 0, 0, 0, 0, 0, 0, 0])
        }
    }

    @Test func `neighbours are read page by page`() throws {
        let bench = SessionBench { frame, earlier in
            let offset = Int(frame[36]) | Int(frame[37]) << 8
            let count = min(2, 5 - offset)
            var data: [UInt8] = [5, 0, UInt8(count), 0]
            for number in 0..<count {
                data += [UInt8](repeating: UInt8(offset + number), count: 6) + [9, 0, 0, 0, 0xFC]
            }
            let tag = [UInt8(earlier + 1), 0, 0, 0]
            return [
                .payload(Self.sent(UInt8(earlier + 1), millis: 500)),
                .payload(BinaryResponsePush(tag: tag, data: data + [0, 0, 0])),
            ]
        }
        try bench.started { session, _, runtime in
            let listing = try await session.requestNeighbours(key: SessionBench.key)
            #expect(listing.total == 5 && listing.neighbours.map { $0.keyPrefix[0] } == [0, 1, 2, 3, 4])
            #expect(listing.neighbours.allSatisfy { $0.secondsAgo == 9 && $0.snrQuarterDB == -4 })
            #expect(runtime.now() == SimInstant(milliseconds: 2_000))
        }
    }

    @Test func `regions of a flooded contact are asked over an empty path that is reset afterwards`() throws {
        let bench = SessionBench { frame, _ in
            guard frame[0] == CommandCode.sendAnonymousRequest.rawValue else { return [.payload(OkReply())] }
            return [
                .payload(Self.sent(1, millis: 500)),
                .payload(BinaryResponsePush(tag: [1, 0, 0, 0], data: [1, 2, 3, 4] + Array("*,north,south\0".utf8))),
            ]
        }
        try bench.started { session, _, _ in
            let contact = ContactRecord(key: SessionBench.key, type: .repeater, name: "R")
            let got10 = try await session.requestRegions(of: contact)
            #expect(got10 == ["north", "south"])
        }
        #expect(bench.written.map { $0.frame[0] } == [9, 57, 13])
        #expect(bench.written[0].frame[35] == 0)
        #expect(bench.written[1].frame == [57] + SessionBench.key + [1, 0])
    }

    @Test func `a login is repeated until it is answered`() throws {
        let bench = SessionBench { _, earlier in
            [.payload(SentReply(floods: true, tag: SessionBench.prefix.prefix(4) + [], suggestedTimeoutMillis: 2_000))]
                + (earlier == 1
                    ? [
                        .payload(LoginFailedPush(serverPrefix: [9, 9, 9, 9, 9, 9])),
                        .payload(
                            LoginSucceededPush(permissionByte: 1, serverPrefix: SessionBench.prefix, extended: nil),
                            after: .milliseconds(100)),
                    ] : [])
        }
        try bench.started { session, transport, runtime in
            let outcome = try await session.login(
                key: SessionBench.key, password: Secret(utf8: "pw"), limit: .seconds(20))
            guard case .accepted(let push) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(push.permission == .admin)
            #expect(transport.writes(of: .sendLogin).map(\.at.milliseconds) == [0, 2_000])
            #expect(runtime.now() == SimInstant(milliseconds: 2_100))
        }
    }

    @Test func `a trace and a path discovery are sent once`() throws {
        let bench = SessionBench { frame, _ in
            if frame[0] == CommandCode.sendTracePath.rawValue {
                guard case .command(let command) = AppFrame.decode(frame), let trace = command as? SendTracePathCommand
                else { return [] }
                let push = TraceDataPush(
                    flags: 0, tag: trace.tag, authentication: trace.authentication, hashes: trace.path,
                    hopSNRsQuarterDB: [4], finalSNRQuarterDB: 8)
                return [.payload(Self.sent(1, millis: 100)), .payload(push, after: .seconds(3))]
            }
            return [.payload(Self.sent(2, millis: 100))]
        }
        try bench.started { session, transport, runtime in
            let push = try await session.trace(path: [0xEF])
            #expect(push.finalSNRQuarterDB == 8 && push.tag != 0)
            let error = await failure {
                _ = try await session.discoverPath(key: SessionBench.key, limit: .seconds(10))
            }
            #expect(error == .timeout)
            #expect(runtime.now() == SimInstant(milliseconds: 13_000))
            #expect(transport.writes(of: .sendTracePath).count == 1)
            #expect(transport.writes(of: .sendPathDiscovery).count == 1)
        }
    }
}

@Suite struct `Settings of a radio` {
    /// A radio that keeps the four parameters.
    static func radio() -> SessionBench {
        let bench = SessionBench()
        bench.transport.setScript { [transport = bench.transport] frame, _ in
            if frame[0] == CommandCode.appStart.rawValue {
                var info = SessionBench.selfInfo
                info.parameters = OtherParameters()
                if let last = transport.writes(of: .setOtherParameters).last?.frame {
                    info.parameters = OtherParameters(
                        manualAddContacts: last[1], telemetryModes: TelemetryModes(rawValue: last[2]),
                        advertLocationPolicy: last[3], multiAcks: last[4])
                }
                return [.payload(info, after: .milliseconds(10))]
            }
            return [.payload(OkReply(), after: .milliseconds(10))]
        }
        return bench
    }

    @Test func `two changes of the shared parameters do not undo each other`() throws {
        let bench = Self.radio()
        try bench.started { session, transport, _ in
            async let first = session.changeOtherParameters { $0.multiAcks = 1 }
            async let second = session.changeOtherParameters { $0.advertLocationPolicy = 1 }
            async let third = session.changeOtherParameters { $0.telemetryModes = 0x2A }
            _ = try await (first, second, third)
            let now = await session.selfInfo?.parameters
            #expect(now == OtherParameters(telemetryModes: 0x2A, advertLocationPolicy: 1, multiAcks: 1))
            #expect(transport.writes(of: .setOtherParameters).count == 3)
        }
    }

    @Test func `a signature is made in pieces of a hundred and twenty bytes`() throws {
        let bench = SessionBench { frame, _ in
            switch CommandCode(rawValue: frame[0]) {
            case .signStart: [.payload(SignStartedReply(limit: 300))]
            case .signFinish:
                [.payload(SignatureReply(signature: [UInt8](repeating: 1, count: 64)), after: .seconds(14))]
            default: [.payload(OkReply())]
            }
        }
        try bench.started { session, transport, _ in
            let signature = try await session.sign([UInt8](repeating: 5, count: 250))
            #expect(signature.count == 64)
            #expect(transport.writes(of: .signData).map(\.frame.count) == [121, 121, 11])
            let error = await failure {
                _ = try await session.sign([UInt8](repeating: 5, count: 301))
            }
            #expect(error == .invalidArgument("the radio signs 300 bytes at most, not 301"))
        }
    }

    @Test func `what the build does not have is disabled`() throws {
        let bench = SessionBench { _, _ in [.payload(DisabledReply())] }
        try bench.started { session, _, _ in
            #expect(await failure { _ = try await session.exportPrivateKey() } == .disabled)
            let key = Secret([UInt8](repeating: 1, count: 64))
            #expect(await failure { try await session.importPrivateKey(key) } == .disabled)
        }
    }

    @Test func `a restart is written and not waited for`() throws {
        let bench = SessionBench()
        try bench.started { session, _, runtime in
            try await session.reboot()
            try await session.factoryReset()
            try await runtime.sleep(for: .milliseconds(1))
        }
        #expect(bench.written.map(\.frame) == [[0x13] + Array("reboot".utf8), [0x33] + Array("reset".utf8)])
    }

    @Test func `any command can be sent by its own rules`() throws {
        let bench = SessionBench { frame, _ in
            switch CommandCode(rawValue: frame[0]) {
            case .getChannel: [.payload(ListingChannel.reply(frame[1]))]
            case .getTuning: [.payload(TuningReply(Tuning(receiveDelayThousandths: 1, airtimeFactorThousandths: 2)))]
            default: [.payload(OkReply())]
            }
        }
        try bench.started { session, _, _ in
            let got11 = try await session.send(SendSelfAdvertCommand(floods: true))
            #expect(got11 == OkReply().frame)
            let got12 = try await session.send(GetChannelCommand(index: 4))
            #expect(got12 == ListingChannel.reply(4).frame)
            let got13 = try await session.getTuning().airtimeFactorThousandths
            #expect(got13 == 2)
            guard
                case .invalidArgument = await failure({
                    _ = try await session.send(GetContactsCommand())
                })
            else {
                Issue.record("a listing is no single exchange")
                return
            }
        }
    }
}

enum ListingChannel {
    static func reply(_ index: UInt8) -> ChannelInfoReply {
        ChannelInfoReply(index: index, name: "x", secret: Secret([UInt8](repeating: index, count: 16)))
    }
}
