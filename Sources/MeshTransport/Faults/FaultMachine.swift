internal import CompanionProtocol
internal import RigBase
internal import RunRecord

/// Decides what becomes of the bytes of one link under a list of rules; for each frame the first rule that fits acts.
///
/// While no rule of a direction can act, its chunks pass as they came. Otherwise frames are passed on when they are
/// complete, and frames that came in one chunk stay in one.
struct FaultMachine: Sendable {
    enum Effect: Sendable, Equatable {
        /// Passes bytes on as one chunk, not before `at`, and after everything passed on before.
        case pass([UInt8], at: SimInstant)
        /// Passes bytes on at that instant, whatever else is under way.
        case passAside([UInt8], at: SimInstant)
        case lose(LinkLoss, at: SimInstant)
        case report(Fields)
    }

    private struct Rule: Sendable {
        var rule: FaultRule
        var random: Prng
        /// Frames that fitted.
        var seen = 0
        var acted = 0
        /// Number of the first byte that is counted.
        var firstByte: Int

        var canAct: Bool { acted < rule.limit ?? .max && !(acted > 0 && rule.isInstant) }
    }

    private struct Mute: Sendable {
        var rule: String
        var until: SimInstant?
        var frames: Int?
        var repliesOnly: Bool
    }

    private struct Side: Sendable {
        var splitter: FrameSplitter
        /// How many of the splitter's held bytes were passed on already.
        var heldPassed = 0
        /// Bytes of whole units since the first connection.
        var byteCount = 0
        /// Held back to arrive with the next frame, or the next of that code.
        var coalescing: [(bytes: [UInt8], code: UInt8?)] = []
        /// Nothing may be passed on earlier.
        var notBefore = SimInstant.zero
        var mutes: [Mute] = []
    }

    private var rules: [Rule] = []
    private var toRadio = Side(splitter: FrameSplitter(.toRadio))
    private var fromRadio = Side(splitter: FrameSplitter(.fromRadio))
    /// First byte of the newest command.
    private var lastCommand: UInt8?

    // MARK: Rules

    mutating func add(_ rule: FaultRule, random: Prng) {
        precondition(!rules.contains { $0.rule.id == rule.id }, "two fault rules are named \(rule.id)")
        let side = self[rule.direction]
        rules.append(
            Rule(rule: rule, random: random, firstByte: side.byteCount + side.splitter.held.count))
    }

    mutating func remove(_ id: String) {
        rules.removeAll { $0.rule.id == id }
        for direction in LinkDirection.allCases { self[direction].mutes.removeAll { $0.rule == id } }
    }

    var ruleIDs: [String] { rules.map(\.rule.id) }
    func direction(of id: String) -> LinkDirection? { rules.first { $0.rule.id == id }?.rule.direction }
    func acted(_ id: String) -> Int? { rules.first { $0.rule.id == id }?.acted }
    func seen(_ id: String) -> Int? { rules.first { $0.rule.id == id }?.seen }

    // MARK: Events

    mutating func onConnect(now: SimInstant) {
        for direction in LinkDirection.allCases {
            self[direction].byteCount += self[direction].splitter.reset().count
            self[direction].heldPassed = 0
            self[direction].coalescing = []
            self[direction].notBefore = now
        }
    }

    mutating func onBytes(_ bytes: [UInt8], _ direction: LinkDirection, now: SimInstant) -> [Effect] {
        var out = Output(now: now, notBefore: self[direction].notBefore)
        let isQuiet = isQuiet(direction, now)
        let heldBefore = self[direction].splitter.held
        let units = self[direction].splitter.receive(bytes)
        let unpassed = Array(heldBefore[self[direction].heldPassed...]) + bytes
        var passed = self[direction].heldPassed
        for unit in units {
            defer { self[direction].byteCount += unit.bytes.count }
            if passed > 0 {
                // Its beginning is out already; faults only take whole frames.
                let skipped = min(passed, unit.bytes.count)
                passed -= skipped
                count(unit, direction)
                out.gather(Array(unit.bytes[skipped...]))
            } else if isQuiet {
                count(unit, direction)
                out.gather(unit.bytes)
            } else {
                handle(unit, direction, &out)
            }
        }
        if isQuiet {
            self[direction].heldPassed = self[direction].splitter.held.count
            return unpassed.isEmpty ? [] : [.pass(unpassed, at: max(now, self[direction].notBefore))]
        }
        self[direction].heldPassed = passed
        out.flush()
        self[direction].notBefore = out.notBefore
        return out.effects
    }

    /// A rule whose instant has come, for actions that need no frame.
    mutating func onInstant(of id: String, now: SimInstant) -> [Effect] {
        guard let index = rules.firstIndex(where: { $0.rule.id == id }), rules[index].canAct,
            rules[index].rule.action.needsNoFrame
        else { return [] }
        let direction = rules[index].rule.direction
        var out = Output(now: now, notBefore: self[direction].notBefore)
        rules[index].acted += 1
        switch rules[index].rule.action {
        case .insert(let bytes, _):
            out.report(rules[index].rule, nil, ["bytes": FieldValue(bytes.count)])
            out.gather(bytes)
        case .loseLink(let loss, _):
            out.report(rules[index].rule, nil, ["reason": FieldValue(loss.description)])
            out.lose(loss)
        default: break
        }
        out.flush()
        self[direction].notBefore = out.notBefore
        return out.effects
    }

    // MARK: One unit

    private subscript(direction: LinkDirection) -> Side {
        get { direction == .toRadio ? toRadio : fromRadio }
        set {
            switch direction {
            case .toRadio: toRadio = newValue
            case .fromRadio: fromRadio = newValue
            }
        }
    }

    private func isQuiet(_ direction: LinkDirection, _ now: SimInstant) -> Bool {
        self[direction].coalescing.isEmpty && self[direction].mutes.allSatisfy { $0.until ?? .distantFuture <= now }
            && !rules.contains { $0.rule.direction == direction && $0.canAct }
    }

    /// Keeps the counters of rules right for a unit no rule may touch.
    private mutating func count(_ unit: FrameSplitter.Unit, _ direction: LinkDirection) {
        guard let frame = unit.frame else { return }
        if direction == .toRadio { lastCommand = frame[0] }
        for index in rules.indices where rules[index].rule.direction == direction {
            if case .frame(let match) = rules[index].rule.trigger, match.fits(frame, after: lastCommand) {
                rules[index].seen += 1
            }
        }
    }

    private mutating func handle(_ unit: FrameSplitter.Unit, _ direction: LinkDirection, _ out: inout Output) {
        if direction == .toRadio, let frame = unit.frame { lastCommand = frame[0] }
        var chosen: (index: Int, position: Int)?
        for index in rules.indices where rules[index].rule.direction == direction {
            let position = fires(index, unit, out.now)
            if chosen == nil, let position, rules[index].canAct { chosen = (index, position) }
        }
        if let frame = unit.frame {
            let held = self[direction].coalescing
            let joins = held.map { $0.code == nil || $0.code == frame[0] }
            for (held, joins) in zip(held, joins) where joins { out.gather(held.bytes) }
            self[direction].coalescing = zip(held, joins).compactMap { $0.1 ? nil : $0.0 }
        }
        if isSwallowed(unit, direction, &out) { return }
        guard let chosen else { return out.gather(unit.bytes) }
        rules[chosen.index].acted += 1
        act(chosen.index, unit, triggeredAt: chosen.position, &out)
    }

    /// Whether the rule's trigger fits, with the offset in the unit that it names; counts and draws in every case.
    private mutating func fires(_ index: Int, _ unit: FrameSplitter.Unit, _ now: SimInstant) -> Int? {
        switch rules[index].rule.trigger {
        case .frame(let match):
            guard let frame = unit.frame, match.fits(frame, after: lastCommand) else { return nil }
            rules[index].seen += 1
            if let nth = match.nth, !nth.contains(rules[index].seen) { return nil }
            if match.chance == .always { return 0 }
            return rules[index].random.chance(match.chance) ? 0 : nil
        case .byte(let number):
            let offset = rules[index].firstByte + number - self[rules[index].rule.direction].byteCount
            guard unit.bytes.indices.contains(offset) else { return nil }
            rules[index].seen += 1
            return offset
        case .at(let instant):
            return unit.isFrame && now >= instant && !rules[index].rule.action.needsNoFrame ? 0 : nil
        }
    }

    private mutating func isSwallowed(
        _ unit: FrameSplitter.Unit, _ direction: LinkDirection, _ out: inout Output
    ) -> Bool {
        guard let frame = unit.frame else { return false }
        let now = out.now
        self[direction].mutes.removeAll { $0.until ?? .distantFuture <= now || $0.frames == 0 }
        let isPush = direction == .fromRadio && RadioCode(rawValue: frame[0]).isPush
        guard let index = self[direction].mutes.firstIndex(where: { !($0.repliesOnly && isPush) }) else { return false }
        let mute = self[direction].mutes[index]
        self[direction].mutes[index].frames = mute.frames.map { $0 - 1 }
        guard let rule = rules.first(where: { $0.rule.id == mute.rule }) else { return false }
        out.report(rule.rule, unit, [:])
        return true
    }

    private mutating func act(
        _ index: Int, _ unit: FrameSplitter.Unit, triggeredAt trigger: Int, _ out: inout Output
    ) {
        let rule = rules[index].rule
        let bytes = unit.bytes
        func place(_ position: BytePosition) -> Int {
            position.offset(in: bytes.count, trigger: trigger, random: &rules[index].random)
        }
        func cut(_ placement: FaultPlacement) -> Int {
            switch placement {
            case .before: 0
            case .after: bytes.count
            case .inside(let position): place(position)
            }
        }
        switch rule.action {
        case .drop: out.report(rule, unit, [:])
        case .corrupt(let position, let flip):
            let offset = place(position)
            let change = flip ?? UInt8(1 + rules[index].random.index(below: 255))
            out.report(rule, unit, ["offset": FieldValue(offset), "flip": FieldValue(change)])
            var damaged = bytes
            damaged[offset] ^= change
            out.gather(damaged)
        case .duplicate(let copies):
            out.report(rule, unit, ["copies": FieldValue(copies)])
            for _ in 0...max(0, copies) { out.gather(bytes) }
        case .delay(let duration, let overtaken):
            out.report(rule, unit, ["by": FieldValue(duration), "overtaken": FieldValue(overtaken)])
            overtaken ? out.passAside(bytes, after: duration) : out.gather(bytes, after: duration)
        case .insert(let more, let placement):
            let offset = cut(placement)
            out.report(rule, unit, ["offset": FieldValue(offset), "bytes": FieldValue(more.count)])
            out.gather(bytes[..<offset] + more + bytes[offset...])
        case .splitIntoBytes(let gap):
            out.report(rule, unit, ["chunks": FieldValue(bytes.count), "gap": FieldValue(gap)])
            out.chunks(bytes.map { [$0] }, gap)
        case .split(let position, let gap):
            let offset = place(position)
            out.report(rule, unit, ["offset": FieldValue(offset), "gap": FieldValue(gap)])
            out.chunks([Array(bytes[..<offset]), Array(bytes[offset...])], gap)
        case .hold(let code):
            out.report(rule, unit, [:])
            self[rule.direction].coalescing.append((bytes, code))
        case .loseLink(let loss, let placement):
            let offset = cut(placement)
            out.report(rule, unit, ["offset": FieldValue(offset), "reason": FieldValue(loss.description)])
            out.gather(bytes[..<offset])
            out.lose(loss)
        case .truncate(let position):
            let offset = place(position)
            out.report(rule, unit, ["offset": FieldValue(offset)])
            out.gather(bytes[..<offset])
        case .mute(let duration, let frames, let repliesOnly):
            let until = duration.map(out.now.advanced(by:))
            self[rule.direction].mutes.append(
                Mute(rule: rule.id, until: until, frames: frames, repliesOnly: repliesOnly))
            if !isSwallowed(unit, rule.direction, &out) { out.gather(bytes) }
        }
    }
}

extension BytePosition {
    fileprivate func offset(in count: Int, trigger: Int, random: inout Prng) -> Int {
        switch self {
        case .offset(let offset): min(max(0, offset < 0 ? count + offset : offset), count - 1)
        case .random: random.index(below: count)
        case .trigger: trigger
        }
    }
}

extension FaultRule {
    fileprivate var isInstant: Bool {
        if case .at = trigger { return true }
        return false
    }
}

/// Collects effects: bytes that are not cut apart by a fault stay one chunk.
private struct Output {
    let now: SimInstant
    var notBefore: SimInstant
    var effects: [FaultMachine.Effect] = []
    private var gathered: [UInt8] = []
    private var isLost = false

    init(now: SimInstant, notBefore: SimInstant) {
        self.now = now
        self.notBefore = notBefore
    }

    mutating func gather(_ bytes: some Sequence<UInt8>) { gathered += bytes }

    mutating func gather(_ bytes: [UInt8], after delay: Duration) {
        flush()
        notBefore = max(now, notBefore).advanced(by: delay)
        gather(bytes)
    }

    mutating func chunks(_ chunks: [[UInt8]], _ gap: Duration) {
        for (index, chunk) in chunks.enumerated() {
            flush()
            if index > 0, gap > .zero { notBefore = max(now, notBefore).advanced(by: gap) }
            gather(chunk)
        }
        flush()
    }

    mutating func passAside(_ bytes: [UInt8], after delay: Duration) {
        guard !isLost else { return }
        effects.append(.passAside(bytes, at: now.advanced(by: delay)))
    }

    mutating func lose(_ loss: LinkLoss) {
        flush()
        if !isLost { effects.append(.lose(loss, at: max(now, notBefore))) }
        isLost = true
    }

    mutating func flush() {
        if !gathered.isEmpty, !isLost { effects.append(.pass(gathered, at: max(now, notBefore))) }
        gathered = []
    }

    /// The fault's own event: the rule, the action and the frame as it was before.
    mutating func report(_ rule: FaultRule, _ unit: FrameSplitter.Unit?, _ details: Fields) {
        var fields: Fields = [
            "rule": FieldValue(rule.id), "action": FieldValue(rule.action.name),
            "direction": FieldValue(rule.direction.rawValue),
        ]
        if let frame = unit?.frame {
            fields["name"] = FieldValue(FrameNames.name(of: frame, rule.direction))
            fields["code"] = FieldValue(frame[0])
            fields["frame"] = .bytes(Redaction.mask(frame, rule.direction))
        } else if let unit {
            fields["length"] = FieldValue(unit.bytes.count)
        }
        effects.append(.report(fields.merging(details)))
    }
}
