internal import CompanionProtocol
internal import RigBase
internal import RunRecord

/// Collects effects: bytes that are not cut apart by a fault stay one chunk.
struct FaultOutput {
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
