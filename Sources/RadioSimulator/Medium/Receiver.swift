internal import MeshProtocol

/// A frame as one receiver hears it.
struct HeardFrame {
    let transmission: Transmission
    let snrQuarterDB: Int8
    let rssi: Int8
    /// First millisecond in which the receiver may notice it.
    let visible: Int64
    /// Set when it can never be received, whatever the receiver does; it then disturbs nobody either.
    let impossible: MissReason?
    /// False when carrier sense overlooks it.
    var isNoticed = true
    var isLocked = false
    var isSpoilt = false
    /// The best explanation so far for not being locked.
    var missed: MissReason = .tooLate
    /// The frame that spoilt it or kept the receiver from it.
    var disturber: Transmission?
}

/// What became of a frame at one receiver.
enum ReceptionOutcome {
    case received
    /// Locked, but spoilt by another frame.
    case damaged
    case missed(MissReason)
}

/// The receiving half of one radio: locks, collisions and carrier sense by the rules of "The recorder's air" (README of
/// the recordings), driven by the few milliseconds in which anything can change.
struct Receiver {
    /// Known and coming frames, in the order in which they are looked at.
    private(set) var frames: [HeardFrame] = []
    /// The next millisecond that can change anything.
    private(set) var nextLook: Int64 = .max
    /// First millisecond in which a frame can be locked; `.max` while transmitting or off.
    private var receivesFrom: Int64 = .max
    private var isTransmitting = false
    /// What it is sending, for the record of what it misses meanwhile.
    private var own: Transmission?
    /// Only one lock at a time, and frames spoil each other.
    let isExclusive: Bool

    init(isExclusive: Bool) { self.isExclusive = isExclusive }

    /// Milliseconds after its start in which a frame can still be locked: six tenths of the preamble.
    static func lockWindow(_ radio: RadioParameters) -> Int64 {
        Int64(radio.preambleSymbols * radio.symbolMicros / 1_000 * 6 / 10)
    }

    /// Milliseconds after which a locked frame makes the channel busy: eight symbols.
    static func senseDelay(_ radio: RadioParameters) -> Int64 { Int64(8 * radio.symbolMicros / 1_000) }

    mutating func hear(_ frame: HeardFrame) {
        let key = (frame.visible, frame.transmission.sender ?? .max)
        let place = frames.lastIndex { ($0.visible, $0.transmission.sender ?? .max) <= key }
        frames.insert(frame, at: place.map { $0 + 1 } ?? 0)
        nextLook = min(nextLook, max(frame.visible, frame.transmission.start))
    }

    /// Receiving begins: at boot or after a transmission.
    mutating func startReceiving(from millisecond: Int64) {
        isTransmitting = false
        receivesFrom = millisecond
        if !frames.isEmpty { nextLook = min(nextLook, millisecond) }
    }

    /// A transmission begins: what was being received is given up.
    mutating func startTransmitting(_ transmission: Transmission? = nil) {
        receivesFrom = .max
        isTransmitting = true
        own = transmission
        for index in frames.indices where frames[index].isLocked {
            frames[index].isLocked = false
            frames[index].isSpoilt = false
            frames[index].missed = .halfDuplex
            frames[index].disturber = own
        }
    }

    /// The radio is switched off; what is in the air is not heard any more.
    mutating func switchOff() {
        startTransmitting()
        isTransmitting = false
        for index in frames.indices {
            frames[index].missed = .radioOff
            frames[index].disturber = nil
        }
    }

    /// Forgets frames that began before `millisecond`, as a node does that started then.
    mutating func forget(startedBefore millisecond: Int64) {
        frames.removeAll { $0.transmission.start < millisecond }
    }

    /// Whether a frame is being received that has lasted long enough to be noticed.
    func senses(at now: Int64, delay: Int64) -> Bool {
        frames.contains {
            $0.isLocked && $0.isNoticed && now >= $0.transmission.start + delay && now < $0.transmission.end
        }
    }

    /// Strongest signal on the air in dBm, locked or not: that of the first frame in the list, else the noise floor.
    func signalStrength(at now: Int64) -> Int {
        for frame in frames where frame.visible <= now && now < frame.transmission.end { return Int(frame.rssi) }
        return -110
    }

    /// The radio's part of one millisecond; reports each frame that ended.
    mutating func look(
        at now: Int64, window: Int64, finished: (HeardFrame, ReceptionOutcome) -> Void
    ) {
        guard nextLook <= now else { return }
        var changed = false
        var index = 0
        while index < frames.count {
            let frame = frames[index]
            guard frame.visible <= now, frame.transmission.start <= now else {
                index += 1
                continue
            }
            if isExclusive, frame.impossible == nil, spoilLock(with: index) { changed = true }
            if frame.transmission.end <= now {
                let ended = frames.remove(at: index)
                finished(ended, outcome(of: ended))
                changed = true
                continue
            }
            if lock(index, at: now, window: window) { changed = true }
            index += 1
        }
        scheduleLook(after: now, changed: changed)
    }

    private func outcome(of frame: HeardFrame) -> ReceptionOutcome {
        if let reason = frame.impossible { return .missed(reason) }
        if frame.isLocked { return frame.isSpoilt ? .damaged : .received }
        return .missed(frame.missed)
    }

    /// Rule 1: a frame at most 6 dB weaker than the locked one spoils it.
    private mutating func spoilLock(with index: Int) -> Bool {
        guard let locked = frames.firstIndex(where: \.isLocked), locked != index, !frames[locked].isSpoilt else {
            return false
        }
        let (mine, other) = (frames[locked], frames[index])
        guard other.transmission.start < mine.transmission.end, mine.transmission.start < other.transmission.end,
            Int(other.snrQuarterDB) > Int(mine.snrQuarterDB) - 24
        else { return false }
        frames[locked].isSpoilt = true
        frames[locked].disturber = other.transmission
        return true
    }

    /// Rule 3: a free receiver locks a frame that is not too old.
    private mutating func lock(_ index: Int, at now: Int64, window: Int64) -> Bool {
        let frame = frames[index]
        guard !frame.isLocked, frame.impossible == nil, now <= frame.transmission.start + window else { return false }
        guard receivesFrom <= now else {
            frames[index].missed = isTransmitting ? .halfDuplex : .radioOff
            frames[index].disturber = isTransmitting ? own : nil
            return false
        }
        if isExclusive, let locked = frames.first(where: \.isLocked) {
            frames[index].missed = .receiverBusy
            frames[index].disturber = locked.transmission
            return false
        }
        frames[index].isLocked = true
        return true
    }

    private mutating func scheduleLook(after now: Int64, changed: Bool) {
        nextLook = .max
        for frame in frames {
            let visible = max(frame.visible, frame.transmission.start)
            nextLook = min(nextLook, visible > now ? visible : max(frame.transmission.end, now + 1))
        }
        guard !frames.isEmpty else { return }
        // A lone locked frame can meet nothing before its end.
        if changed, isExclusive, frames.count > 1 || !frames[0].isLocked { nextLook = min(nextLook, now + 1) }
        if receivesFrom > now, receivesFrom != .max { nextLook = min(nextLook, receivesFrom) }
    }
}
