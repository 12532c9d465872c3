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

    struct Rule: Sendable {
        var rule: FaultRule
        var random: Prng
        /// Frames that fitted.
        var seen = 0
        var acted = 0
        /// Number of the first byte that is counted.
        var firstByte: Int

        var canAct: Bool { acted < rule.limit ?? .max && !(acted > 0 && rule.isInstant) }
    }

    struct Mute: Sendable {
        var rule: String
        var until: SimInstant?
        var frames: Int?
        var repliesOnly: Bool
    }

    struct Side: Sendable {
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
        /// Waiting to arrive in one chunk with those that follow.
        var merged: [UInt8] = []
        var mergedCount = 0
        /// Waiting to arrive behind others.
        var overtaken: [Overtaken] = []
    }

    struct Overtaken: Sendable {
        var bytes: [UInt8]
        var behind: FaultAction.Place
    }

    var rules: [Rule] = []
    var toRadio = Side(splitter: FrameSplitter(.toRadio))
    var fromRadio = Side(splitter: FrameSplitter(.fromRadio))
    /// The rule under which nothing passes any more until the next connection.
    var halfOpenBy: String?
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
        if halfOpenBy == id { halfOpenBy = nil }
    }

    var ruleIDs: [String] { rules.map(\.rule.id) }
    func direction(of id: String) -> LinkDirection? { rules.first { $0.rule.id == id }?.rule.direction }
    func acted(_ id: String) -> Int? { rules.first { $0.rule.id == id }?.acted }
    func seen(_ id: String) -> Int? { rules.first { $0.rule.id == id }?.seen }

    // MARK: Events

    mutating func onConnect(now: SimInstant) {
        halfOpenBy = nil
        for direction in LinkDirection.allCases {
            self[direction].byteCount += self[direction].splitter.reset().count
            self[direction].heldPassed = 0
            self[direction].coalescing = []
            self[direction].overtaken = []
            (self[direction].merged, self[direction].mergedCount) = ([], 0)
            self[direction].notBefore = now
        }
    }

    mutating func onBytes(_ bytes: [UInt8], _ direction: LinkDirection, now: SimInstant) -> [Effect] {
        if halfOpenBy != nil { return [] }
        var out = FaultOutput(now: now, notBefore: self[direction].notBefore)
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
        var out = FaultOutput(now: now, notBefore: self[direction].notBefore)
        rules[index].acted += 1
        switch rules[index].rule.action {
        case .insert(let bytes, _):
            out.report(rules[index].rule, nil, ["bytes": FieldValue(bytes.count)])
            out.gather(bytes)
        case .insertRandom(let count, _):
            out.report(rules[index].rule, nil, ["bytes": FieldValue(count)])
            out.gather(rules[index].random.bytes(count))
        case .halfOpen:
            out.report(rules[index].rule, nil, [:])
            halfOpenBy = id
        case .steal:
            out.report(rules[index].rule, nil, [:])
            out.lose(.closedByPeer)
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

    subscript(direction: LinkDirection) -> Side {
        get { direction == .toRadio ? toRadio : fromRadio }
        set {
            switch direction {
            case .toRadio: toRadio = newValue
            case .fromRadio: fromRadio = newValue
            }
        }
    }

    private func isQuiet(_ direction: LinkDirection, _ now: SimInstant) -> Bool {
        self[direction].coalescing.isEmpty && self[direction].merged.isEmpty && self[direction].overtaken.isEmpty
            && self[direction].mutes.allSatisfy { $0.until ?? .distantFuture <= now }
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

    private mutating func handle(_ unit: FrameSplitter.Unit, _ direction: LinkDirection, _ out: inout FaultOutput) {
        if halfOpenBy != nil { return }
        let waiting = self[direction].overtaken.count
        decide(unit, direction, &out)
        if let frame = unit.frame { release(waiting, behind: frame[0], direction, &out) }
    }

    /// Passes on what waited to arrive behind this frame; the first `count` did.
    private mutating func release(
        _ count: Int, behind code: UInt8, _ direction: LinkDirection, _ out: inout FaultOutput
    ) {
        var kept: [Overtaken] = []
        for (index, entry) in self[direction].overtaken.enumerated() {
            guard index < count else {
                kept.append(entry)
                continue
            }
            switch entry.behind {
            case .frames(let more) where more > 1:
                kept.append(Overtaken(bytes: entry.bytes, behind: .frames(more - 1)))
            case .code(let awaited) where awaited != code: kept.append(entry)
            case .frames, .code:
                out.flush()
                out.gather(entry.bytes)
            }
        }
        self[direction].overtaken = kept
    }

    private mutating func decide(_ unit: FrameSplitter.Unit, _ direction: LinkDirection, _ out: inout FaultOutput) {
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
        if chosen.map({ !rules[$0.index].rule.action.isMerge }) ?? true, !self[direction].merged.isEmpty {
            out.gather(self[direction].merged)
            (self[direction].merged, self[direction].mergedCount) = ([], 0)
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

    mutating func isSwallowed(
        _ unit: FrameSplitter.Unit, _ direction: LinkDirection, _ out: inout FaultOutput
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
}
