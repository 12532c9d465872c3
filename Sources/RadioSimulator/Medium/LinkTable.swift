internal import MeshProtocol
internal import RigBase

/// Who hears whom, by node index.
struct LinkTable {
    struct Link {
        var to: Int
        var spec: LinkSpec
        private var isBad = false
        private var fade = FadingState()
        /// Draws what this link loses.
        private var losses: Prng
        private var fades: Prng
        private var margins: Prng
        private var senses: Prng

        init(to: Int, spec: LinkSpec, root: Prng) {
            self.to = to
            self.spec = spec
            losses = root.fork("link", spec.from, spec.to)
            fades = root.fork("fading", spec.from, spec.to)
            margins = root.fork("margin", spec.from, spec.to)
            senses = root.fork("sense", spec.from, spec.to)
        }

        /// How far its strength is off its mean now, in quarters of a decibel.
        mutating func fading(at now: Int64) -> Int {
            spec.fading.map { fade.offset(at: now, $0, &fades) } ?? 0
        }

        /// Whether a frame comes through that lies so far above what can be demodulated.
        mutating func passes(margin: Int) -> Bool { SignalMargin.passes(margin, &margins) }

        /// Whether carrier sense overlooks a frame of that SNR.
        mutating func overlooks(_ miss: SenseMiss, snrQuarterDB: Int) -> Bool {
            senses.next() >> 32 < miss.probability(snrQuarterDB: snrQuarterDB)
        }

        /// Whether the next frame is lost.
        mutating func draws() -> Bool {
            var isLost = spec.loss.numerator > 0 && losses.chance(spec.loss)
            if let bursts = spec.bursts {
                if losses.chance(isBad ? bursts.end : bursts.begin) { isBad.toggle() }
                if isBad, losses.chance(bursts.loss) { isLost = true }
            }
            return isLost
        }
    }

    /// A frame that will not reach one node, once.
    private struct PlannedLoss {
        var from: Int
        var to: Int
        /// Nil takes the next frame, whatever it is.
        var bytes: [UInt8]?
    }

    private var outgoing: [[Link]]
    private var planned: [PlannedLoss] = []
    private let root: Prng

    init(count: Int, root: Prng) {
        self.root = root
        outgoing = Array(repeating: [], count: count)
    }

    /// Makes or changes a link; the streams of a link go on where they were.
    mutating func set(from: Int, to: Int, _ spec: LinkSpec) {
        if let place = place(from: from, to: to) {
            outgoing[from][place].spec = spec
        } else {
            outgoing[from].append(Link(to: to, spec: spec, root: root))
            outgoing[from].sort { $0.to < $1.to }
        }
    }

    mutating func cut(from: Int, to: Int) { outgoing[from].removeAll { $0.to == to } }

    func count(from: Int) -> Int { outgoing[from].count }

    /// Where a link leads.
    func end(from: Int, place: Int) -> Int { outgoing[from][place].to }

    /// How well a frame that begins now is heard over a link.
    mutating func strength(
        from: Int, place: Int, at now: Int64, fading: Bool
    ) -> (snrQuarterDB: Int8, rssi: Int8) {
        let spec = outgoing[from][place].spec
        guard fading, spec.fading != nil else { return (spec.snrQuarterDB, spec.rssi) }
        let offset = outgoing[from][place].fading(at: now)
        return (Int8(clamping: Int(spec.snrQuarterDB) + offset), Int8(clamping: Int(spec.rssi) + offset / 4))
    }

    /// Whether a frame comes through that lies so many quarters of a decibel above what can be demodulated.
    mutating func passes(from: Int, place: Int, margin: Int) -> Bool {
        outgoing[from][place].passes(margin: margin)
    }

    /// Whether the node at the end of a link will overlook a frame when it listens before it talks.
    mutating func overlooks(_ miss: SenseMiss, from: Int, place: Int, snrQuarterDB: Int8) -> Bool {
        outgoing[from][place].overlooks(miss, snrQuarterDB: Int(snrQuarterDB))
    }

    func spec(from: Int, to: Int) -> LinkSpec? { place(from: from, to: to).map { outgoing[from][$0].spec } }

    private func place(from: Int, to: Int) -> Int? { outgoing[from].firstIndex { $0.to == to } }

    mutating func planLoss(from: Int, to: Int, bytes: [UInt8]?) {
        planned.append(PlannedLoss(from: from, to: to, bytes: bytes))
    }

    /// Whether this frame is lost on this link; draws from the link's stream if it has a loss, and uses up a planned one.
    mutating func loses(_ bytes: [UInt8], from: Int, place: Int, drawing: Bool) -> Bool {
        if planned.isEmpty { return drawing && outgoing[from][place].draws() }
        let to = outgoing[from][place].to
        if let match = planned.firstIndex(where: {
            $0.from == from && $0.to == to && ($0.bytes == nil || $0.bytes == bytes)
        }) {
            planned.remove(at: match)
            return true
        }
        return drawing && outgoing[from][place].draws()
    }
}
