internal import CompanionProtocol
internal import RigBase
internal import RunRecord

extension FaultMachine {
    /// Does to a unit what the rule says.
    mutating func act(
        _ index: Int, _ unit: FrameSplitter.Unit, triggeredAt trigger: Int, _ out: inout FaultOutput
    ) {
        let rule = rules[index].rule
        let bytes = unit.bytes
        switch rule.action {
        case .drop, .corrupt, .duplicate, .insert, .dropBytes, .insertRandom, .misstateLength, .replace, .truncate:
            alter(index, unit, triggeredAt: trigger, &out)
        case .delay(let duration, let overtaken):
            out.report(rule, unit, ["by": FieldValue(duration), "overtaken": FieldValue(overtaken)])
            overtaken ? out.passAside(bytes, after: duration) : out.gather(bytes, after: duration)
        case .splitIntoBytes(let gap):
            out.report(rule, unit, ["chunks": FieldValue(bytes.count), "gap": FieldValue(gap)])
            out.chunks(bytes.map { [$0] }, gap)
        case .split(let position, let gap):
            let offset = place(position, in: bytes, index, trigger)
            out.report(rule, unit, ["offset": FieldValue(offset), "gap": FieldValue(gap)])
            out.chunks([Array(bytes[..<offset]), Array(bytes[offset...])], gap)
        case .hold(let code):
            out.report(rule, unit, [:])
            self[rule.direction].coalescing.append((bytes, code))
        case .loseLink(let loss, let placement):
            let offset = cut(placement, in: bytes, index, trigger)
            out.report(rule, unit, ["offset": FieldValue(offset), "reason": FieldValue(loss.description)])
            out.gather(bytes[..<offset])
            out.lose(loss)
        case .merge(let frames):
            out.report(rule, unit, [:])
            self[rule.direction].merged += bytes
            self[rule.direction].mergedCount += 1
            guard self[rule.direction].mergedCount >= frames else { return }
            out.gather(self[rule.direction].merged)
            (self[rule.direction].merged, self[rule.direction].mergedCount) = ([], 0)
        case .reorder(let behind):
            out.report(rule, unit, [:])
            self[rule.direction].overtaken.append(Overtaken(bytes: bytes, behind: behind))
        case .halfOpen:
            out.report(rule, unit, [:])
            out.flush()
            halfOpenBy = rule.id
        case .steal:
            out.report(rule, unit, [:])
            out.gather(bytes)
            out.lose(.closedByPeer)
        case .mute(let duration, let frames, let repliesOnly):
            let until = duration.map(out.now.advanced(by:))
            self[rule.direction].mutes.append(
                Mute(rule: rule.id, until: until, frames: frames, repliesOnly: repliesOnly))
            if !isSwallowed(unit, rule.direction, &out) { out.gather(bytes) }
        }
    }

    /// Passes on what the rule makes of the unit's bytes.
    private mutating func alter(
        _ index: Int, _ unit: FrameSplitter.Unit, triggeredAt trigger: Int, _ out: inout FaultOutput
    ) {
        let rule = rules[index].rule
        let bytes = unit.bytes
        func envelope(_ length: UInt16) -> [UInt8] {
            [bytes[0], UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
        }
        switch rule.action {
        case .drop: out.report(rule, unit, [:])
        case .corrupt(let position, let flip):
            let offset = place(position, in: bytes, index, trigger)
            let change = flip ?? UInt8(1 + rules[index].random.index(below: 255))
            out.report(rule, unit, ["offset": FieldValue(offset), "flip": FieldValue(change)])
            var damaged = bytes
            damaged[offset] ^= change
            out.gather(damaged)
        case .duplicate(let copies):
            out.report(rule, unit, ["copies": FieldValue(copies)])
            for _ in 0...max(0, copies) { out.gather(bytes) }
        case .insert(let more, let placement):
            let offset = cut(placement, in: bytes, index, trigger)
            out.report(rule, unit, ["offset": FieldValue(offset), "bytes": FieldValue(more.count)])
            out.gather(bytes[..<offset] + more + bytes[offset...])
        case .truncate(let position):
            let offset = place(position, in: bytes, index, trigger)
            out.report(rule, unit, ["offset": FieldValue(offset)])
            out.gather(bytes[..<offset])
        case .dropBytes(let position, let count):
            let offset = place(position, in: bytes, index, trigger)
            let end = min(bytes.count, offset + count)
            out.report(rule, unit, ["offset": FieldValue(offset), "bytes": FieldValue(end - offset)])
            out.gather(bytes[..<offset] + bytes[end...])
        case .insertRandom(let count, let placement):
            let offset = cut(placement, in: bytes, index, trigger)
            out.report(rule, unit, ["offset": FieldValue(offset), "bytes": FieldValue(count)])
            out.gather(bytes[..<offset] + rules[index].random.bytes(count) + bytes[offset...])
        case .misstateLength(let by):
            guard unit.isFrame else { return out.gather(bytes) }
            let length = UInt16(truncatingIfNeeded: bytes.count - 3 + by)
            out.report(rule, unit, ["length": FieldValue(length)])
            out.gather(envelope(length) + bytes[3...])
        case .replace(let frame):
            guard unit.isFrame else { return out.gather(bytes) }
            out.report(rule, unit, ["with": .bytes(frame)])
            let length = UInt16(truncatingIfNeeded: frame.count)
            out.gather(envelope(length) + frame)
        default: out.gather(bytes)
        }
    }

    private mutating func place(_ position: BytePosition, in bytes: [UInt8], _ index: Int, _ trigger: Int) -> Int {
        position.offset(in: bytes.count, trigger: trigger, random: &rules[index].random)
    }

    private mutating func cut(_ placement: FaultPlacement, in bytes: [UInt8], _ index: Int, _ trigger: Int) -> Int {
        switch placement {
        case .before: 0
        case .after: bytes.count
        case .inside(let position): place(position, in: bytes, index, trigger)
        }
    }
}

extension BytePosition {
    func offset(in count: Int, trigger: Int, random: inout Prng) -> Int {
        switch self {
        case .offset(let offset): min(max(0, offset < 0 ? count + offset : offset), count - 1)
        case .random: random.index(below: count)
        case .trigger: trigger
        }
    }
}

extension FaultRule {
    var isInstant: Bool {
        if case .at = trigger { return true }
        return false
    }
}
