import CompanionProtocol
import RigBase
import Testing

@testable import MeshTransport

/// Frames of the radio with their envelope: `reply(5)` is `>` 02 00 05 05.
func fromRadio(_ code: UInt8, _ rest: UInt8...) -> [UInt8] { FrameEncoder.encode([code] + rest, .fromRadio) }

@Suite struct `Frame splitter` {
    @Test func `finds frames whatever the chunks are and keeps every byte`() {
        let stream = Array("boot>".utf8) + fromRadio(5, 1, 2) + [0x3E, 0xFF, 0xFF] + fromRadio(0) + [0x3E, 0, 0, 9]
        let whole = Self.split([stream])
        #expect(whole == Self.split(stream.map { [$0] }))
        #expect(whole.frames == [[5, 1, 2], [0]])
        #expect(whole.bytes == stream)
    }

    static func split(_ chunks: [[UInt8]]) -> Found {
        var splitter = FrameSplitter(.fromRadio)
        let units = chunks.flatMap { splitter.receive($0) }
        return Found(frames: units.compactMap(\.frame), bytes: units.flatMap(\.bytes) + splitter.reset())
    }

    struct Found: Equatable {
        var frames: [[UInt8]]
        var bytes: [UInt8]
    }

    @Test func `a start byte in text hides the frame behind it, as it does for a client`() {
        let found = Self.split([[0x3E, 5, 0] + fromRadio(1, 2)])
        #expect(found.frames == [[0x3E, 2, 0, 1, 2]])
    }
}

@Suite struct `Fault machine` {
    static let a = fromRadio(5, 1)
    static let b = fromRadio(6, 2)
    static let c = fromRadio(0x83)

    /// The chunks that come out, with the milliseconds they are due at; reports are left out.
    static func chunks(
        _ rules: [FaultRule], _ input: [[UInt8]], seed: UInt64 = 1
    ) -> (chunks: [[UInt8]], due: [Int64], reports: Int) {
        var machine = FaultMachine()
        for rule in rules { machine.add(rule, random: Prng(seed: seed).fork("fault", rule.id)) }
        machine.onConnect(now: .zero)
        let effects = input.flatMap { machine.onBytes($0, .fromRadio, now: .zero) }
        var chunks: [[UInt8]] = []
        var due: [Int64] = []
        var reports = 0
        for effect in effects {
            switch effect {
            case .pass(let bytes, let at), .passAside(let bytes, let at):
                chunks.append(bytes)
                due.append(at.milliseconds)
            case .lose: chunks.append([])
            case .report: reports += 1
            }
        }
        return (chunks, due, reports)
    }

    static func rule(
        _ action: FaultAction, _ trigger: FaultTrigger = .frame(FrameMatch(codes: [6])), id: String = "rule",
        limit: Int? = nil
    ) -> FaultRule {
        FaultRule(id: id, direction: .fromRadio, trigger: trigger, action: action, limit: limit)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var action: FaultAction
        var expected: [[UInt8]]
        var testDescription: String { action.name }
    }

    /// Three frames in one chunk, the rule fits the second.
    @Test(arguments: [
        Case(action: .drop, expected: [a + c]),
        Case(action: .corrupt(at: .offset(3), flip: 0xFF), expected: [a + [0x3E, 2, 0, 0xF9, 2] + c]),
        Case(action: .corrupt(at: .offset(-1), flip: 1), expected: [a + [0x3E, 2, 0, 6, 3] + c]),
        Case(action: .duplicate(copies: 2), expected: [a + b + b + b + c]),
        Case(action: .delay(.milliseconds(10), overtaken: false), expected: [a, b + c]),
        Case(action: .delay(.milliseconds(10), overtaken: true), expected: [b, a + c]),
        Case(action: .insert([0x3E, 0x3E], .before), expected: [a + [0x3E, 0x3E] + b + c]),
        Case(action: .insert([7], .after), expected: [a + b + [7] + c]),
        Case(action: .insert([7], .inside(.offset(3))), expected: [a + [0x3E, 2, 0, 7, 6, 2] + c]),
        Case(action: .splitIntoBytes(gap: .zero), expected: [a, [0x3E], [2], [0], [6], [2], c]),
        Case(action: .split(at: .offset(3), gap: .milliseconds(5)), expected: [a, [0x3E, 2, 0], [6, 2], c]),
        Case(action: .hold(until: nil), expected: [a + b + c]),
        Case(action: .truncate(from: .offset(4)), expected: [a + [0x3E, 2, 0, 6] + c]),
        Case(action: .loseLink(.closedByPeer, .before), expected: [a, []]),
        Case(action: .loseLink(.closedByPeer, .after), expected: [a + b, []]),
        Case(action: .loseLink(.closedByPeer, .inside(.offset(4))), expected: [a + [0x3E, 2, 0, 6], []]),
        Case(action: .dropBytes(at: .offset(3), count: 1), expected: [a + [0x3E, 2, 0, 2] + c]),
        Case(action: .dropBytes(at: .offset(-1), count: 9), expected: [a + [0x3E, 2, 0, 6] + c]),
        Case(action: .misstateLength(by: 3), expected: [a + [0x3E, 5, 0, 6, 2] + c]),
        Case(action: .misstateLength(by: -1), expected: [a + [0x3E, 1, 0, 6, 2] + c]),
        Case(action: .replace([1, 9, 9]), expected: [a + [0x3E, 3, 0, 1, 9, 9] + c]),
        Case(action: .reorder(behind: .frames(1)), expected: [a + c, b]),
        Case(action: .reorder(behind: .code(0x83)), expected: [a + c, b]),
        Case(action: .reorder(behind: .code(0x84)), expected: [a + c]),
        Case(action: .merge(frames: 1), expected: [a + b + c]),
        Case(action: .halfOpen, expected: [a]),
        Case(action: .steal, expected: [a + b, []]),
        Case(action: .mute(for: nil, frames: 2, repliesOnly: false), expected: [a]),
        Case(action: .mute(for: nil, frames: nil, repliesOnly: true), expected: [a + c]),
    ])
    func `each action changes what comes out`(_ row: Case) {
        let out = Self.chunks([Self.rule(row.action)], [Self.a + Self.b + Self.c])
        #expect(out.chunks == row.expected)
        #expect(out.reports >= 1)
    }

    @Test func `a delay holds what comes behind it, a gap counts from byte to byte`() {
        let delayed = Self.chunks([Self.rule(.delay(.milliseconds(10), overtaken: false))], [Self.a, Self.b, Self.c])
        #expect(delayed.due == [0, 10, 10])
        let split = Self.chunks([Self.rule(.splitIntoBytes(gap: .milliseconds(2)))], [Self.b, Self.c])
        #expect(split.due == [0, 2, 4, 6, 8, 8])
    }

    @Test func `held frames arrive with the next one in one chunk`() {
        let out = Self.chunks([Self.rule(.hold(until: nil))], [Self.b, Self.a])
        #expect(out.chunks == [Self.b + Self.a])
    }

    @Test func `a frame held for another one lets those in between pass`() {
        let out = Self.chunks([Self.rule(.hold(until: 0x83))], [Self.b, Self.a, Self.c])
        #expect(out.chunks == [Self.a, Self.b + Self.c])
    }

    @Test func `a frame arrives behind as many as it is told to`() {
        let out = Self.chunks([Self.rule(.reorder(behind: .frames(2)))], [Self.b, Self.a, Self.c, Self.a])
        #expect(out.chunks == [Self.a, Self.c, Self.b, Self.a])
        let swapped = Self.chunks([Self.rule(.reorder(behind: .code(0x83)))], [Self.b, Self.a, Self.c])
        #expect(swapped.chunks == [Self.a, Self.c, Self.b])
    }

    @Test func `merged frames arrive in one chunk, and those left over with what follows`() {
        let rule = Self.rule(.merge(frames: 2), .frame(FrameMatch(codes: [5])))
        let out = Self.chunks([rule], [Self.a, Self.a, Self.a, Self.b, Self.c])
        #expect(out.chunks == [Self.a + Self.a, Self.a + Self.b, Self.c])
    }

    @Test func `random bytes are the same for one seed and others for another`() {
        let rule = Self.rule(.insertRandom(8, .before))
        let once = Self.chunks([rule], [Self.b])
        #expect(once.chunks == Self.chunks([rule], [Self.b]).chunks)
        #expect(once.chunks != Self.chunks([rule], [Self.b], seed: 2).chunks)
        #expect(once.chunks.first?.count == 8 + Self.b.count)
    }

    @Test func `nothing passes a half-open link in either direction until the next connection`() {
        var machine = FaultMachine()
        machine.add(Self.rule(.halfOpen, limit: 1), random: Prng(seed: 1))
        machine.onConnect(now: .zero)
        _ = machine.onBytes(Self.b, .fromRadio, now: .zero)
        #expect(machine.onBytes(Self.a, .fromRadio, now: .zero) == [])
        #expect(machine.onBytes(FrameEncoder.encode([1], .toRadio), .toRadio, now: .zero) == [])
        machine.onConnect(now: .zero)
        #expect(machine.onBytes(Self.a, .fromRadio, now: .zero) == [.pass(Self.a, at: .zero)])
    }

    @Test func `a reply can be named by the command before it`() {
        var machine = FaultMachine()
        machine.onConnect(now: .zero)
        machine.add(
            Self.rule(.drop, .frame(FrameMatch(codes: [0], afterCommand: 8))), random: Prng(seed: 1))
        var passed: [Bool] = []
        for command: UInt8 in [6, 8, 6] {
            _ = machine.onBytes(FrameEncoder.encode([command], .toRadio), .toRadio, now: .zero)
            passed.append(machine.onBytes(fromRadio(0), .fromRadio, now: .zero) == [.pass(fromRadio(0), at: .zero)])
        }
        #expect(passed == [true, false, true])
    }

    @Test func `the nth frame is counted over chunks, also when another rule takes frames away`() {
        let nth = Self.rule(
            .duplicate(copies: 1), .frame(FrameMatch(codes: [6], nth: 2...2)), id: "second")
        let out = Self.chunks([Self.rule(.drop, limit: 1), nth], [Self.b, Self.b, Self.b])
        #expect(out.chunks == [Self.b + Self.b, Self.b])
        #expect(out.reports == 2)
    }

    @Test func `a condition looks into the frame`() {
        let match = FrameMatch(where: { $0.last == 1 })
        let out = Self.chunks([Self.rule(.drop, .frame(match))], [Self.a + Self.b])
        #expect(out.chunks == [Self.b])
    }

    @Test func `a byte number names a place in the stream, frame or not`() {
        let flip = Self.rule(.corrupt(at: .trigger, flip: 0x80), .byte(6))
        #expect(Self.chunks([flip], [[1, 2] + Self.a]).chunks == [[1, 2, 0x3E, 2, 0, 5, 0x81]])
        #expect(Self.chunks([flip], [Self.a, Self.b]).chunks == [Self.a, [0x3E, 0x82, 0, 6, 2]])
    }

    @Test func `chance draws from a stream of the rule's name`() {
        func survivors(_ id: String, seed: UInt64) -> [[UInt8]] {
            let match = FrameMatch(chance: Ratio(1, in: 2))
            let frames = (0..<64).map { fromRadio(6, $0) }
            return Self.chunks([Self.rule(.drop, .frame(match), id: id)], frames, seed: seed).chunks
        }
        #expect(survivors("x", seed: 1) == survivors("x", seed: 1))
        #expect(survivors("x", seed: 1) != survivors("y", seed: 1))
        #expect(survivors("x", seed: 1) != survivors("x", seed: 2))
        #expect((16...48).contains(survivors("x", seed: 1).count))
    }

    @Test func `without a rule that can act chunks pass as they came`() {
        let half = Array(Self.a[..<2])
        let rest = Array(Self.a[2...])
        #expect(Self.chunks([], [half, rest + Self.b]).chunks == [half, rest + Self.b])
        let spent = Self.rule(.drop, .frame(FrameMatch(codes: [0x83])), limit: 1)
        #expect(Self.chunks([spent], [Self.c, half, rest]).chunks == [half, rest])
    }

    @Test func `a rule added in the middle of a frame leaves that frame alone`() {
        var machine = FaultMachine()
        machine.onConnect(now: .zero)
        let first = machine.onBytes(Array(Self.b[..<4]), .fromRadio, now: .zero)
        machine.add(Self.rule(.drop), random: Prng(seed: 1))
        let second = machine.onBytes(Array(Self.b[4...]) + Self.b + Self.a, .fromRadio, now: .zero)
        #expect(first == [.pass(Array(Self.b[..<4]), at: .zero)])
        #expect(second.last == .pass([2] + Self.a, at: .zero))
        #expect(machine.acted("rule") == 1)
        #expect(machine.seen("rule") == 2)
    }

    @Test func `a mute ends by time and with its rule`() {
        var machine = FaultMachine()
        machine.onConnect(now: .zero)
        let mute = FaultAction.mute(for: .milliseconds(100), frames: nil, repliesOnly: false)
        machine.add(Self.rule(mute, .frame(FrameMatch()), limit: 1), random: Prng(seed: 1))
        func passes(_ milliseconds: Int64) -> Bool {
            let now = SimInstant(milliseconds: milliseconds)
            return machine.onBytes(Self.a, .fromRadio, now: now).contains(.pass(Self.a, at: now))
        }
        #expect(!passes(0))
        #expect(!passes(99))
        #expect(passes(100))
        machine.add(
            Self.rule(.mute(for: nil, frames: nil, repliesOnly: false), id: "other"), random: Prng(seed: 1))
        _ = machine.onBytes(Self.b, .fromRadio, now: SimInstant(milliseconds: 200))
        #expect(!passes(201))
        machine.remove("other")
        #expect(passes(202))
    }

    @Test func `every split of the input gives the same bytes`() {
        let input = Array("log>".utf8) + Self.a + Self.b + Self.c + Self.b
        let rules = [
            Self.rule(.insert([1, 0x3E], .inside(.random)), .frame(FrameMatch(codes: [5])), id: "insert"),
            Self.rule(.corrupt(at: .random, flip: nil), id: "corrupt"),
        ]
        let whole = Self.chunks(rules, [input]).chunks.flatMap(\.self)
        for cut in 1..<input.count {
            let parts = [Array(input[..<cut]), Array(input[cut...])]
            #expect(Self.chunks(rules, parts).chunks.flatMap(\.self) == whole, "cut at \(cut)")
        }
    }
}
