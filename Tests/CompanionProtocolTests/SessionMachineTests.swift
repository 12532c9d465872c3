import CompanionProtocol
import RigBase
import Testing

/// Drives a machine and keeps what it did.
struct MachineProbe {
    var machine: SessionMachine
    var now = SimInstant.zero
    var written: [[UInt8]] = []
    var outcomes: [UInt64: Exchange.Outcome] = [:]
    var published: [RadioFrame] = []
    /// Instant of each outcome.
    var ended: [UInt64: SimInstant] = [:]

    init(_ options: SessionMachine.Options = .init()) { machine = SessionMachine(options: options) }

    mutating func perform(_ effects: [SessionMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .transmit(let frame, _): written.append(frame)
            case .resolve(let id, let outcome):
                outcomes[id.number] = outcome
                ended[id.number] = now
            case .publish(let frame): published.append(frame)
            }
        }
    }

    mutating func request(_ number: UInt64, _ frame: [UInt8], _ matcher: ReplyMatcher, seconds: Int = 5) {
        request(number, .single(frame: frame, matcher, timeout: .seconds(seconds)))
    }

    mutating func request(_ number: UInt64, _ exchange: Exchange) {
        perform(machine.onRequest(ExchangeID(number), exchange, now: now))
    }

    mutating func receive(_ payload: some RadioPayload) { receive(payload.frame) }
    mutating func receive(_ frame: RadioFrame) { perform(machine.onFrame(frame, now: now)) }
    mutating func cancel(_ number: UInt64) { perform(machine.onCancel(ExchangeID(number), now: now)) }

    /// Moves time, stopping at every deadline on the way.
    mutating func pass(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while let due = machine.nextDeadline, due <= end {
            now = max(now, due)
            perform(machine.onDeadline(now: now))
        }
        now = end
    }
}

@Suite struct `Session machine` {
    let key = [UInt8](repeating: 7, count: 32)

    static func contact(_ number: Int) -> ContactReply {
        ContactReply(
            ContactRecord(
                key: [UInt8](repeating: UInt8(number), count: 32), type: .chat, name: "c", lastModified: UInt32(number))
        )
    }

    @Test func `writes the second frame only after the first reply`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.request(2, [20], .codes([.batteryAndStorage]))
        #expect(probe.written == [[5]])
        probe.receive(MessageWaitingPush())
        #expect(probe.written == [[5]])
        probe.receive(DeviceTimeReply(seconds: 9))
        #expect(probe.written == [[5], [20]])
        #expect(probe.outcomes == [1: .reply(.deviceTime(DeviceTimeReply(seconds: 9)))])
    }

    @Test func `a late reply is not given to the next command`() {
        var probe = MachineProbe()
        probe.request(1, [6, 0, 0, 0, 0], .ok)
        probe.request(2, [8, 65], .ok)
        probe.pass(.seconds(5))
        #expect(probe.outcomes[1] == .timedOut)
        #expect(probe.ended[1] == SimInstant(milliseconds: 5_000))
        #expect(probe.written.count == 1 && probe.machine.isDraining)
        // The reply to command 1, two seconds late.
        probe.pass(.seconds(2))
        probe.receive(OkReply())
        #expect(probe.written == [[6, 0, 0, 0, 0], [8, 65]])
        #expect(probe.outcomes[2] == nil)
        probe.receive(ErrorReply(error: .illegalArgument))
        #expect(probe.outcomes[2] == .failed(.illegalArgument))
        #expect(probe.machine.isIdle)
    }

    @Test func `draining ends after a second limit`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.request(2, [20], .codes([.batteryAndStorage]))
        probe.pass(.milliseconds(9_999))
        #expect(probe.written == [[5]])
        probe.pass(.milliseconds(1))
        #expect(probe.written == [[5], [20]])
        probe.receive(BatteryReply(millivolts: 4_000))
        #expect(probe.outcomes[2] == .reply(.battery(BatteryReply(millivolts: 4_000))))
    }

    @Test func `while draining an ERR is the late reply, and a reply of another kind is not`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.request(2, [20], .codes([.batteryAndStorage]))
        probe.pass(.seconds(6))
        probe.receive(OkReply())
        probe.receive(BatteryReply(millivolts: 1))
        #expect(probe.written == [[5]])
        probe.receive(ErrorReply(error: .notFound))
        #expect(probe.written == [[5], [20]])
        #expect(probe.outcomes[2] == nil)
    }

    @Test func `without draining the late reply goes to the next command`() {
        var probe = MachineProbe(.init(drains: false))
        probe.request(1, [6, 0, 0, 0, 0], .ok)
        probe.request(2, [8, 65], .ok)
        probe.pass(.seconds(6))
        #expect(probe.written.count == 2)
        probe.receive(OkReply())
        #expect(probe.outcomes[2] == .reply(.ok(OkReply())))
    }

    @Test func `without limits a silent radio blocks for ever`() {
        var probe = MachineProbe(.init(timesOut: false))
        probe.request(1, [5], .codes([.deviceTime]))
        #expect(probe.machine.nextDeadline == nil)
        probe.pass(.seconds(100_000))
        #expect(probe.outcomes.isEmpty)
    }

    @Test func `a cancelled caller is told at once and the slot waits for the reply`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.request(2, [5], .codes([.deviceTime]))
        probe.request(3, [20], .codes([.batteryAndStorage]))
        probe.cancel(2)
        probe.cancel(1)
        #expect(probe.outcomes == [1: .cancelled, 2: .cancelled])
        #expect(probe.written == [[5]])
        probe.receive(DeviceTimeReply(seconds: 1))
        #expect(probe.written == [[5], [20]])
        probe.cancel(99)
        #expect(probe.outcomes.count == 2)
    }

    @Test func `an OK with a value is no setter's OK`() {
        var probe = MachineProbe()
        probe.request(1, [8, 65], .ok)
        probe.receive(OkReply(value: 5))
        #expect(probe.outcomes.isEmpty)
        probe.receive(OkReply())
        #expect(probe.outcomes[1] == .reply(.ok(OkReply())))
    }

    @Test(arguments: [
        ReplyMatcher.ok, .codes([.sent]), .codes([.deviceInfo]), .codes([.batteryAndStorage]), .codes([.deviceTime]),
        .statistics(.core), .channel(3), .exportedContact(key: nil), .selfTelemetry(prefix: [1, 2, 3, 4, 5, 6]),
    ])
    func `an ERR ends the exchange at once`(_ matcher: ReplyMatcher) {
        var probe = MachineProbe()
        probe.request(1, [1], matcher)
        probe.receive(ErrorReply(error: .tableFull))
        #expect(probe.outcomes[1] == .failed(.tableFull))
        #expect(probe.machine.isIdle)
    }

    @Test func `an ERR means no contact to a lookup and nothing to the handshake`() {
        var probe = MachineProbe()
        probe.request(1, [30], .contact(key: key))
        probe.receive(ErrorReply(error: .notFound))
        #expect(probe.outcomes[1] == .absent)
        probe.request(2, [1], .handshake)
        probe.receive(ErrorReply(error: .unsupportedCommand))
        #expect(probe.outcomes[2] == nil)
        probe.receive(SelfInfoReply.samples[0])
        #expect(probe.outcomes[2] == .reply(SelfInfoReply.samples[0].frame))
    }

    @Test func `replies that name something must name the right thing`() {
        var probe = MachineProbe()
        let secret = Secret([UInt8](repeating: 0, count: 16))
        probe.request(1, [31, 3], .channel(3))
        probe.receive(ChannelInfoReply(index: 4, name: "", secret: secret))
        #expect(probe.outcomes.isEmpty)
        probe.receive(ChannelInfoReply(index: 3, name: "", secret: secret))
        #expect(probe.outcomes[1] != nil)
        probe.request(2, [30], .contact(key: key))
        probe.receive(Self.contact(8))
        #expect(probe.outcomes[2] == nil)
        probe.receive(Self.contact(7))
        #expect(probe.outcomes[2] != nil)
        probe.request(3, [17], .exportedContact(key: key))
        probe.receive(ExportedContactReply(packet: [0x11, 0] + [UInt8](repeating: 8, count: 40)))
        #expect(probe.outcomes[3] == nil)
        probe.receive(ExportedContactReply(packet: [0x11, 0] + key))
        #expect(probe.outcomes[3] != nil)
        probe.request(4, [39, 0, 0, 0], .selfTelemetry(prefix: [1, 2, 3, 4, 5, 6]))
        probe.receive(TelemetryResponsePush(nodePrefix: [9, 2, 3, 4, 5, 6], telemetry: []))
        #expect(probe.outcomes[4] == nil)
        probe.receive(TelemetryResponsePush(nodePrefix: [1, 2, 3, 4, 5, 6], telemetry: []))
        #expect(probe.outcomes[4] != nil)
        probe.request(5, [56, 1], .statistics(.radio))
        probe.receive(StatisticsReply.samples[0])
        #expect(probe.outcomes[5] == nil)
        probe.receive(StatisticsReply.samples[1])
        #expect(probe.outcomes[5] != nil)
    }

    @Test func `a reply that cannot be read fails the exchange at once`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.receive(RadioFrame.decode([0x03, 1, 2]))
        #expect(probe.outcomes.isEmpty)
        probe.receive(RadioFrame.decode([0x09, 1, 2]))
        #expect(probe.outcomes[1] == .malformed(.tooShort(needed: 5, got: 3)))
    }

    @Test func `a contact every fourteen seconds succeeds`() {
        var probe = MachineProbe()
        probe.request(1, .contacts(frame: [4], .init()))
        probe.receive(ContactsStartReply(total: 12))
        for number in 1...12 {
            probe.pass(.seconds(14))
            probe.receive(Self.contact(number))
        }
        probe.pass(.seconds(11))
        probe.receive(ContactsEndReply(lastModified: 12))
        guard case .contacts(let contacts, let mark) = probe.outcomes[1] else {
            Issue.record("\(String(describing: probe.outcomes[1]))")
            return
        }
        #expect(contacts.map(\.lastModified) == Array(1...12) && mark == 12)
        #expect(probe.ended[1] == SimInstant(milliseconds: 179_000))
    }

    @Test func `a listing fails when it stands still and when it never ends`() throws {
        var silent = MachineProbe()
        silent.request(1, .contacts(frame: [4], .init()))
        silent.receive(ContactsStartReply(total: 12))
        silent.pass(.seconds(60))
        #expect(silent.outcomes[1] == .timedOut)
        let end = try #require(silent.ended[1])
        #expect(end >= SimInstant(milliseconds: 15_000) && end <= SimInstant(milliseconds: 30_000))

        var endless = MachineProbe()
        endless.request(1, .contacts(frame: [4], .init()))
        endless.receive(ContactsStartReply(total: 12))
        for number in 1...60 {
            endless.pass(.seconds(4))
            endless.receive(Self.contact(number))
        }
        #expect(endless.outcomes[1] == .timedOut)
        #expect(endless.ended[1] == SimInstant(milliseconds: 180_000))
    }

    @Test func `contacts before START are left over and do not count`() {
        var probe = MachineProbe()
        probe.request(1, .contacts(frame: [4], .init()))
        probe.receive(Self.contact(1))
        probe.receive(ContactsEndReply(lastModified: 1))
        #expect(probe.outcomes.isEmpty)
        probe.receive(ContactsStartReply(total: 1))
        probe.receive(Self.contact(2))
        probe.receive(ContactsEndReply(lastModified: 2))
        #expect(probe.outcomes[1] == .contacts([Self.contact(2).contact], lastModified: 2))
    }

    @Test func `a cancelled listing is drained to its end`() {
        var probe = MachineProbe()
        probe.request(1, .contacts(frame: [4], .init()))
        probe.receive(ContactsStartReply(total: 3))
        probe.cancel(1)
        probe.request(2, .contacts(frame: [4], .init()))
        for number in 1...3 {
            probe.pass(.seconds(10))
            probe.receive(Self.contact(number))
        }
        #expect(probe.written.count == 1)
        probe.receive(ContactsEndReply(lastModified: 3))
        #expect(probe.written.count == 2)
    }

    @Test func `a contact that cannot be read is left out of the listing`() {
        var probe = MachineProbe()
        probe.request(1, .contacts(frame: [4], .init()))
        probe.receive(ContactsStartReply(total: 2))
        var reserved = Self.contact(1).contact
        reserved.pathLength = PathLengthByte(rawValue: 0xC1)
        probe.receive(RadioFrame.decode(ContactReply(reserved).encoded))
        probe.receive(Self.contact(2))
        probe.receive(ContactsEndReply(lastModified: 2))
        #expect(probe.outcomes[1] == .contacts([Self.contact(2).contact], lastModified: 2))
        let malformed = probe.published.filter { if case .malformed = $0 { true } else { false } }
        #expect(malformed.count == 1)
    }

    static func channel(_ index: UInt8) -> ChannelInfoReply {
        ChannelInfoReply(index: index, name: "x", secret: Secret([UInt8](repeating: index, count: 16)))
    }

    @Test func `twenty channel reads keep eight out and survive a silent slot`() throws {
        var probe = MachineProbe()
        probe.request(1, .channels(indices: Array(0..<20), .init()))
        #expect(probe.written == (0..<8).map { [31, $0] })
        for index in UInt8(0)..<20 where index != 5 {
            probe.pass(.milliseconds(10))
            probe.receive(Self.channel(index))
            #expect(probe.written.count <= 8 + Int(index) + 1)
        }
        #expect(probe.written.count == 20)
        let last = probe.now
        probe.pass(.seconds(10))
        guard case .channels(let received, let missing) = probe.outcomes[1] else {
            Issue.record("\(String(describing: probe.outcomes[1]))")
            return
        }
        #expect(received.map(\.index) == (0..<20).filter { $0 != 5 } && missing == [5])
        let wait = last.duration(to: try #require(probe.ended[1]))
        #expect(wait >= .milliseconds(1_500) && wait <= .seconds(3))
    }

    @Test func `pipelined reads end shortly after the last reply, at thirty seconds at the latest`() {
        var probe = MachineProbe()
        probe.request(1, .channels(indices: [2, 1, 2], .init()))
        #expect(probe.written == [[31, 2], [31, 1]])
        probe.receive(Self.channel(1))
        probe.receive(Self.channel(9))
        probe.receive(Self.channel(2))
        probe.pass(.milliseconds(50))
        #expect(probe.outcomes[1] == .channels(received: [Self.channel(2), Self.channel(1)], missing: []))

        var slow = MachineProbe()
        slow.request(1, .channels(indices: Array(0..<40), .init()))
        for index in UInt8(0)..<40 {
            slow.pass(.milliseconds(1_400))
            slow.receive(Self.channel(index))
        }
        #expect(slow.ended[1] == SimInstant(milliseconds: 30_000))
    }

    @Test func `an ERR answers the oldest channel read`() {
        var probe = MachineProbe()
        probe.request(1, .channels(indices: [0, 40, 1], .init()))
        probe.receive(Self.channel(0))
        probe.receive(ErrorReply(error: .notFound))
        probe.receive(Self.channel(1))
        probe.pass(.milliseconds(50))
        #expect(probe.outcomes[1] == .channels(received: [Self.channel(0), Self.channel(1)], missing: [40]))
    }

    static func sent(_ tag: UInt8, _ millis: UInt32) -> SentReply {
        SentReply(floods: false, tag: [tag, 0, 0, 0], suggestedTimeoutMillis: millis)
    }

    @Test(arguments: [(UInt32(2_000), 4_000), (100, 1_000)])
    func `a node request is repeated until its limit`(_ suggested: UInt32, _ interval: Int) {
        var probe = MachineProbe()
        probe.request(1, .request(frame: [27, 1], .status(prefix: [1, 2, 3, 4, 5, 6]), .init()))
        probe.receive(Self.sent(1, suggested))
        var instants: [Int64] = []
        for _ in 0..<40_000 {
            let before = probe.written.count
            probe.pass(.milliseconds(1))
            guard probe.written.count > before else { continue }
            instants.append(probe.now.milliseconds)
            probe.receive(Self.sent(2, suggested))
        }
        #expect(instants == Array(stride(from: Int64(interval), to: 40_000, by: interval)))
        #expect(Set(probe.written) == [[27, 1]])
        #expect(probe.outcomes[1] == .timedOut)
        #expect(probe.ended[1] == SimInstant(milliseconds: 40_000))
        #expect(probe.machine.isIdle)
    }

    @Test func `only the newest tag answers a node request`() {
        var probe = MachineProbe()
        probe.request(1, .request(frame: [50, 1], .tagged, .init()))
        probe.receive(Self.sent(1, 1_000))
        probe.pass(.seconds(2))
        probe.receive(Self.sent(2, 1_000))
        probe.receive(BinaryResponsePush(tag: [1, 0, 0, 0], data: [1]))
        #expect(probe.outcomes.isEmpty)
        probe.receive(ErrorReply(error: .tableFull))
        #expect(probe.outcomes.isEmpty)
        probe.receive(BinaryResponsePush(tag: [2, 0, 0, 0], data: [2]))
        #expect(probe.outcomes[1] == .reply(.binaryResponse(BinaryResponsePush(tag: [2, 0, 0, 0], data: [2]))))
    }

    @Test func `an ERR before SENT fails a node request`() {
        var probe = MachineProbe()
        probe.request(1, .request(frame: [50, 1], .tagged, .init()))
        probe.receive(ErrorReply(error: .notFound))
        #expect(probe.outcomes[1] == .failed(.notFound))
        #expect(probe.machine.isIdle)
    }

    @Test func `the SENT of a repetition is not taken by the next command`() {
        var probe = MachineProbe()
        probe.request(1, .request(frame: [50, 1], .tagged, .init()))
        probe.receive(Self.sent(1, 500))
        probe.pass(.seconds(1))
        #expect(probe.written.count == 2)
        probe.receive(BinaryResponsePush(tag: [1, 0, 0, 0], data: []))
        #expect(probe.outcomes[1] != nil)
        probe.request(2, [2], .codes([.sent]))
        #expect(probe.written.count == 2)
        probe.receive(Self.sent(2, 500))
        #expect(probe.written.count == 3 && probe.outcomes[2] == nil)
        probe.receive(Self.sent(3, 500))
        #expect(probe.outcomes[2] == .reply(Self.sent(3, 500).frame))
    }

    @Test func `a lost link ends everything`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.request(2, [5], .codes([.deviceTime]))
        probe.perform(probe.machine.onLinkDown())
        #expect(probe.outcomes == [1: .linkLost, 2: .linkLost])
        #expect(probe.machine.isIdle && probe.machine.nextDeadline == nil)
    }

    @Test func `a frame that could not be written frees the slot`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.request(2, [20], .codes([.batteryAndStorage]))
        probe.perform(probe.machine.onTransmitFailed(ExchangeID(1), now: probe.now))
        #expect(probe.outcomes == [1: .notWritten])
        #expect(probe.written == [[5], [20]])
    }

    @Test func `frames without an answer need no slot`() {
        var probe = MachineProbe()
        probe.request(1, [5], .codes([.deviceTime]))
        probe.request(2, .unanswered(frame: [19]))
        #expect(probe.written == [[5], [19]] && probe.outcomes == [2: .written])
    }

    /// Runs many equal commands against a radio that answers each in order, some late, none lost. Each answer carries the
    /// number of the command it belongs to. Gives how many commands got the answer of another one.
    static func mixedUp(_ options: SessionMachine.Options, latest: Duration) -> Int {
        var prng = Prng(seed: 21).fork("late replies")
        var wrong = 0
        for _ in 0..<100 {
            var probe = MachineProbe(options)
            var due: [(at: SimInstant, number: UInt32)] = []
            var seen = 0
            for number in UInt64(1)...12 {
                probe.request(number, [5, UInt8(number)], .codes([.deviceTime]))
                if prng.chance(Ratio(1, in: 6)) { probe.cancel(number) }
            }
            for _ in 0..<4_000 {
                while seen < probe.written.count {
                    let delay = prng.duration(in: .zero...latest)
                    let earliest = max(probe.now.advanced(by: delay), due.last?.at ?? .zero)
                    due.append((earliest, UInt32(probe.written[seen][1])))
                    seen += 1
                }
                probe.pass(.milliseconds(50))
                while let next = due.first, next.at <= probe.now {
                    due.removeFirst()
                    probe.receive(DeviceTimeReply(seconds: next.number))
                }
            }
            #expect(probe.machine.isIdle && probe.outcomes.count == 12)
            for number in UInt64(1)...12 {
                guard case .reply(.deviceTime(let reply)) = probe.outcomes[number] else { continue }
                if UInt64(reply.seconds) != number { wrong += 1 }
            }
        }
        return wrong
    }

    @Test func `no command gets another's answer from a radio that is up to two limits late`() {
        #expect(Self.mixedUp(.init(), latest: .milliseconds(9_900)) == 0)
        #expect(Self.mixedUp(.init(drains: false), latest: .milliseconds(9_900)) > 0)
    }

    @Test func `any order of events leaves the machine usable`() {
        var prng = Prng(seed: 3).fork("session machine")
        for _ in 0..<300 {
            var probe = MachineProbe()
            var next: UInt64 = 1
            for _ in 0..<60 {
                switch prng.index(below: 7) {
                case 0: probe.request(next, [5], .codes([.deviceTime]))
                case 1: probe.request(next, .contacts(frame: [4], .init()))
                case 2: probe.request(next, .channels(indices: [0, 1, 2], .init()))
                case 3: probe.request(next, .request(frame: [50], .tagged, .init()))
                case 4: probe.cancel(UInt64(prng.index(below: Int(next))))
                case 5: probe.pass(prng.duration(in: .zero ... .seconds(20)))
                default:
                    let types = RadioCatalog.all
                    let type = types[prng.index(below: types.count)]
                    probe.receive(RadioFrame.decode([type.codes[0].rawValue] + prng.bytes(prng.index(below: 160))))
                }
                next += 1
            }
            // Left alone, everything ends and the slot is free again.
            probe.pass(.seconds(20_000))
            #expect(probe.machine.isIdle)
        }
    }
}
