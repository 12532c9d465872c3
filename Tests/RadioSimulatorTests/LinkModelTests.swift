import Glibc
import RigBase
import RunRecord
import Testing

@testable import RadioSimulator

@Suite struct `Numbers of link models` {
    @Test(arguments: [
        (1, 1), (1, 60_000), (30_000, 60_000), (60_000, 60_000), (7, 2), (16, 2), (1_200_000, 60_000),
        (40_000_000_000, 31_000_000_000),
    ])
    func `exp is that of the C library to nine digits`(time: Int64, constant: Int64) {
        let got = Double(FixedPoint.exponential(minus: time, over: constant)) / 4_294_967_296
        #expect(abs(got - exp(-Double(time) / Double(constant))) < 5e-9)
    }

    @Test func `the ends of exp are one and nothing`() {
        #expect(FixedPoint.exponential(minus: 0, over: 5) == FixedPoint.one)
        #expect(FixedPoint.exponential(minus: .max, over: 1) == 0)
    }

    @Test func `roots are rounded down`() {
        for value: UInt64 in [0, 1, 2, 3, 1 << 30, (1 << 32) - 1, 1 << 32] {
            let got = Double(FixedPoint.squareRoot(value))
            let exact = (Double(value) / 4_294_967_296).squareRoot() * 4_294_967_296
            #expect(got <= exact + 0.5 && got > exact - 1.5)
        }
    }

    /// 1 / (1 + exp(−2m)) by hand: m = 0 → 1/2, m = 1 → 0.88080, m = −1 → 0.11920, m = 2 → 0.98201.
    @Test(arguments: [(0, 0.5), (4, 0.880797), (-4, 0.119203), (8, 0.982014), (15, 0.999447), (-15, 0.000553)])
    func `the share received near the limit is the logistic curve`(quarters: Int, share: Double) {
        #expect(abs(Double(SignalMargin.share(quarters)) / 4_294_967_296 - share) < 1e-6)
    }

    @Test func `four decibels off the limit nothing is drawn`() {
        var random = Prng(seed: 3)
        let before = random
        #expect(SignalMargin.passes(16, &random))
        #expect(!SignalMargin.passes(-16, &random))
        #expect(random == before)
    }

    /// 10 % from 0 dB on, all at -15 dB, a straight line between: at -7.5 dB 10 % + 90 % / 2 = 55 %.
    @Test(arguments: [(40, 0.1), (0, 0.1), (-30, 0.55), (-15, 0.325), (-60, 1), (-100, 1)])
    func `what carrier sense misses comes out as by hand`(quarters: Int, share: Double) {
        let miss = SenseMiss(Ratio(1, in: 10), sureQuarterDB: 0, deafQuarterDB: -60)
        #expect(abs(Double(miss.probability(snrQuarterDB: quarters)) / 4_294_967_296 - share) < 1e-6)
        #expect(SenseMiss(.always).probability(snrQuarterDB: quarters) == FixedPoint.one)
        #expect(SenseMiss(.never).probability(snrQuarterDB: quarters) == 0)
    }

    /// σ = 3 dB and τ = 10 s, looked at every 10 s: neighbours have the correlation 1/e.
    @Test func `fading has its deviation and its memory`() {
        var (state, random) = (FadingState(), Prng(seed: 11))
        let spec = FadingSpec(sigmaQuarterDB: 12, correlationMillis: 10_000)
        let values = (0..<40_000).map { Double(state.offset(at: Int64($0) * 10_000, spec, &random)) }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        let pairs = zip(values, values.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
        #expect(abs(mean) < 0.3)
        #expect(abs(variance.squareRoot() - 12) < 0.3)
        #expect(abs(pairs / Double(values.count) / variance - exp(-1)) < 0.02)
    }

    @Test func `within one millisecond, and hardly after, fading stands still`() {
        var (state, random) = (FadingState(), Prng(seed: 11))
        let spec = FadingSpec(sigmaQuarterDB: 40, correlationMillis: 3_600_000)
        let first = state.offset(at: 5, spec, &random)
        #expect(state.offset(at: 5, spec, &random) == first)
        #expect(abs(state.offset(at: 6, spec, &random) - first) <= 1)
    }
}

@Suite struct `Links that change` {
    private func world(_ medium: MediumSpec, seed: UInt64 = 1, _ change: (inout LinkSpec) -> Void) throws -> World {
        var link = LinkSpec(from: "alice", to: "bob", snrQuarterDB: 40)
        change(&link)
        return try World(
            WorldSpec(
                seed: seed, medium: medium, nodes: [NodeSpec(name: "alice"), NodeSpec(name: "bob")],
                links: [link, LinkSpec(from: "bob", to: "alice")]), journal: Journal())
    }

    /// Adverts of alice, one every 30 s.
    private func outcomes(_ world: World, count: Int) -> [String] {
        for _ in 0..<count {
            world.sendAdvert(as: "alice", flood: false)
            world.run(until: world.now.advanced(by: .seconds(30)))
        }
        return world.journal.events().compactMap { event in
            guard event.subject == "bob" else { return nil }
            switch event.kind {
            case .packetReceived: return event["snr"]?.plainText
            case .packetMissed: return event["reason"]?.plainText
            default: return nil
            }
        }
    }

    @Test func `a schedule cuts, brings back and changes`() throws {
        let world = try world(.ideal) { link in
            link.schedule = [
                ScheduledLink(atMillis: 100_000, .quality(snrQuarterDB: 8, rssi: -108, loss: nil)),
                ScheduledLink(atMillis: 40_000, .cut),
            ]
        }
        // At 0, 30, 60 (cut), 90 (cut), 120 and 150 s.
        #expect(outcomes(world, count: 6) == ["40", "40", "8", "8"])
        let changes = world.journal.events().filter { $0.kind == .linkChanged }
        #expect(changes.map(\.at) == [SimInstant(milliseconds: 40_000), SimInstant(milliseconds: 100_000)])
        #expect(changes.map { $0["up"] } == [false, true])
    }

    @Test func `a link below its limit loses most, one at the limit half`() throws {
        // SF 8 demodulates down to -10 dB, -40 quarters.
        let weak = outcomes(try world(.lossy) { $0.snrQuarterDB = -60 }, count: 20)
        #expect(weak == Array(repeating: "too-weak", count: 20))
        let even = outcomes(try world(.lossy) { $0.snrQuarterDB = -40 }, count: 200)
        #expect((70...130).contains(even.count { $0 == "too-weak" }))
        #expect(outcomes(try world(.ideal) { $0.snrQuarterDB = -60 }, count: 2) == ["-60", "-60"])
    }

    /// Alice and bob both begin to send within one frame of the other; only who notices that frame waits.
    @Test(arguments: [MediumSpec.ideal, .contention])
    func `a frame that carrier sense overlooks makes nobody wait, and is received all the same`(
        medium: MediumSpec
    ) throws {
        func run(_ miss: SenseMiss?) throws -> (busy: Int, sent: [Int64], received: Int) {
            var spec = WorldSpec(
                medium: medium, nodes: [NodeSpec(name: "alice"), NodeSpec(name: "bob")],
                links: LinkSpec.both("alice", "bob"))
            spec.senseMiss = miss
            let world = try World(spec, journal: Journal())
            world.sendAdvert(as: "alice", flood: false)
            world.run(until: SimInstant(milliseconds: 150))
            world.sendAdvert(as: "bob", flood: false)
            world.run(until: SimInstant(milliseconds: 20_000))
            let events = world.journal.events()
            return (
                events.count { $0.kind == .channelBusy },
                events.filter { $0.kind == .packetSent }.map(\.at.milliseconds),
                events.count { $0.kind == .packetReceived && $0.subject == "bob" }
            )
        }
        let (hearing, never, deaf) = (try run(nil), try run(SenseMiss(.never)), try run(SenseMiss(.always)))
        #expect(hearing.busy > 0 && hearing.received == 1)
        #expect(never == hearing, "asking a stream moves nothing else")
        #expect(deaf.busy == 0)
        #expect(deaf.sent[1] < hearing.sent[1] && deaf.received == 0, "bob gave up what he was receiving")
    }

    @Test func `fading moves what is heard, alike for a seed and not for another`() throws {
        func heard(_ seed: UInt64) throws -> [String] {
            outcomes(
                try world(.lossy, seed: seed) { $0.fading = FadingSpec(sigmaQuarterDB: 16, correlationMillis: 60_000) },
                count: 20)
        }
        let first = try heard(1)
        #expect(Set(first).count > 5)
        #expect(try heard(1) == first)
        #expect(try heard(2) != first)
    }
}
