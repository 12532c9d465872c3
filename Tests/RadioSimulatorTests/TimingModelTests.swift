import MeshProtocol
import RigBase
import RunRecord
import Testing

@testable import RadioSimulator

/// What is computed from event to event must equal what a look in every millisecond would give.
@Suite struct TimingModelTests {
    /// The rules of the recordings' README, applied in every millisecond.
    private struct PlainReceiver {
        struct Frame {
            var air: Transmission
            var snr: Int8
            var visible: Int64
        }

        var frames: [Frame] = []
        var lock: ObjectIdentifier?
        var isSpoilt = false
        var receivesFrom: Int64 = 0

        mutating func look(at now: Int64, window: Int64) -> [String] {
            var outcomes: [String] = []
            for frame in frames where frame.visible <= now {
                let id = ObjectIdentifier(frame.air)
                if let lock, lock != id, let locked = frames.first(where: { ObjectIdentifier($0.air) == lock }) {
                    let overlap = frame.air.start < locked.air.end && locked.air.start < frame.air.end
                    if overlap, Int(frame.snr) > Int(locked.snr) - 24 { isSpoilt = true }
                }
                if frame.air.end <= now {
                    if lock == id {
                        outcomes.append("\(frame.air.lineage)@\(now)\(isSpoilt ? "crc" : "ok")")
                        lock = nil
                    }
                    frames.removeAll { ObjectIdentifier($0.air) == id }
                    continue
                }
                if receivesFrom <= now, lock == nil, now <= frame.air.start + window {
                    lock = id
                    isSpoilt = false
                }
            }
            return outcomes
        }
    }

    @Test(arguments: 1...40) func `the receiver misses no change between its looks`(seed: UInt64) {
        var generator = Prng(seed: seed)
        var plain = PlainReceiver()
        var receiver = Receiver(isExclusive: true)
        receiver.startReceiving(from: 0)
        var (expected, got, sensed): ([String], [String], Int) = ([], [], 0)
        var sending: Int64?
        for now in Int64(0)..<3_000 {
            expected += plain.look(at: now, window: 78)
            receiver.look(at: now, window: 78) { frame, outcome in
                switch outcome {
                case .received: got.append("\(frame.transmission.lineage)@\(now)ok")
                case .damaged: got.append("\(frame.transmission.lineage)@\(now)crc")
                case .missed: break
                }
            }
            let busy = plain.frames.contains {
                ObjectIdentifier($0.air) == plain.lock && now >= $0.air.start + 32 && now < $0.air.end
            }
            if receiver.senses(at: now, delay: 32) != busy { got.append("sense@\(now)") }
            sensed += busy ? 1 : 0
            if sending == now {
                sending = nil
                plain.receivesFrom = now + 1
                receiver.startReceiving(from: now + 1)
            } else if sending == nil, generator.chance(Ratio(1, in: 400)) {
                sending = now + Int64(50 + generator.index(below: 200))
                plain.receivesFrom = .max
                plain.lock = nil
                receiver.startTransmitting()
            }
            if generator.chance(Ratio(1, in: 80)) {
                let air = Transmission(
                    sender: 1 + generator.index(below: 3), senderName: "n", start: now,
                    end: now + Int64(20 + generator.index(below: 300)), airtimeMicros: 0, bytes: [],
                    parameters: .firmwareDefault, lineage: UInt64(now), event: EventID(1))
                let snr = Int8(generator.index(below: 60))
                let visible = (now + 9) / 10 * 10 + 1
                let order = (visible, air.sender ?? 0)
                let place = plain.frames.firstIndex { ($0.visible, $0.air.sender ?? 0) > order }
                plain.frames.insert(
                    PlainReceiver.Frame(air: air, snr: snr, visible: visible), at: place ?? plain.frames.count)
                receiver.hear(
                    HeardFrame(transmission: air, snrQuarterDB: snr, rssi: -60, visible: visible, impossible: nil))
            }
        }
        #expect(got == expected)
        #expect(!expected.isEmpty && sensed > 0)
    }

    /// A node with one packet always due: when may it start, looking every millisecond or only when woken?
    @Test(arguments: [0.25, 1, 1.5, 9, 99] as [Float]) func `the duty budget counts the waiting it slept through`(
        factor: Float
    ) {
        func starts(everyMillisecond: Bool) -> [Int64] {
            var budget = DutyBudget(bootedAt: 0, factor: factor)
            // Spend what a fresh node has.
            budget.finished(duration: 1_800_000, at: 10)
            var starts: [Int64] = []
            var now: Int64 = 11
            while starts.count < 5, now < 4_000_000 {
                if budget.allowsStart(at: now, half: 700, dueSince: 11) {
                    starts.append(now)
                    now += 400
                    budget.finished(duration: 400, at: now)
                } else if !everyMillisecond {
                    now = max(now, budget.nextStart)
                }
                now += 1
            }
            return starts
        }
        let plain = starts(everyMillisecond: true)
        #expect(plain.count == 5)
        #expect(starts(everyMillisecond: false) == plain)
    }

    @Test func `the recorder's generator gives the published bytes`() {
        var random = NodeRandom.recorder(seed: 301)
        #expect(random.bytes(4) == [0x91, 0xCC, 0x7E, 0xE2])
        var other = NodeRandom.recorder(seed: 302)
        _ = other.bytes(16)
        #expect(other.number(from: 0, below: 261) == 243)
    }

    /// As published: 160 entries.
    @Test func `the ring of a node holds 160 packets`() throws {
        #expect(FirmwareProfile.v1171.duplicateRing == 160)
        var ring = DuplicateRing(size: FirmwareProfile.v1171.duplicateRing)
        for value: UInt64 in 1...160 { ring.insert(PacketHash(value: value)) }
        #expect(ring.contains(PacketHash(value: 1)))
        ring.insert(PacketHash(value: 161))
        #expect(!ring.contains(PacketHash(value: 1)) && ring.contains(PacketHash(value: 2)))
    }

    @Test func `the duplicate ring forgets the oldest`() {
        var ring = DuplicateRing(size: 3)
        for value: UInt64 in 1...3 { ring.insert(PacketHash(value: value)) }
        ring.insert(PacketHash(value: 2))
        #expect(!ring.contains(PacketHash(value: 1)))
        ring.insert(PacketHash(value: 4))
        #expect(ring.contains(PacketHash(value: 2)))
        ring.remove(PacketHash(value: 2))
        #expect(!ring.contains(PacketHash(value: 2)) && ring.contains(PacketHash(value: 4)))
    }

    /// Six tenths of 32 or 16 symbols of 2^SF / bandwidth, and eight of them, in whole milliseconds.
    @Test(arguments: [
        (UInt8(8), UInt32(62_500), Int64(78), Int64(32)), (7, 62_500, 39, 16), (10, 250_000, 39, 32),
    ])
    func `windows of the receiver come out as by hand`(factor: UInt8, bandwidth: UInt32, lock: Int64, sense: Int64)
        throws
    {
        let radio = try #require(
            RadioParameters(
                checkingKHz: 869_618, bandwidthHz: bandwidth, spreadingFactor: factor, codingRate: 5))
        #expect(Receiver.lockWindow(radio) == lock)
        #expect(Receiver.senseDelay(radio) == sense)
    }
}
