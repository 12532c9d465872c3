internal import MeshProtocol
internal import RigBase

/// Who hears whom, by node index.
struct LinkTable {
    struct Link {
        var to: Int
        var snrQuarterDB: Int8
        var rssi: Int8
        var loss: Ratio
        var bursts: BurstLoss?
        var isBad = false
        /// Draws what this link loses.
        var losses: Prng

        /// Whether the next frame is lost.
        mutating func draws() -> Bool {
            var isLost = loss.numerator > 0 && losses.chance(loss)
            if let bursts {
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
    private let names: [String]
    private let root: Prng

    init(names: [String], root: Prng) {
        self.names = names
        self.root = root
        outgoing = Array(repeating: [], count: names.count)
    }

    /// Makes or changes a link; the stream of a link goes on where it was.
    mutating func set(from: Int, to: Int, snrQuarterDB: Int8, rssi: Int8, loss: Ratio, bursts: BurstLoss?) {
        if let place = outgoing[from].firstIndex(where: { $0.to == to }) {
            outgoing[from][place].snrQuarterDB = snrQuarterDB
            outgoing[from][place].rssi = rssi
            outgoing[from][place].loss = loss
            outgoing[from][place].bursts = bursts
        } else {
            outgoing[from].append(
                Link(
                    to: to, snrQuarterDB: snrQuarterDB, rssi: rssi, loss: loss, bursts: bursts,
                    losses: root.fork("link", names[from], names[to])))
            outgoing[from].sort { $0.to < $1.to }
        }
    }

    mutating func cut(from: Int, to: Int) { outgoing[from].removeAll { $0.to == to } }

    func count(from: Int) -> Int { outgoing[from].count }

    /// Where a link leads and how well, without the rest of it.
    func reach(from: Int, place: Int) -> (to: Int, snrQuarterDB: Int8, rssi: Int8) {
        let link = outgoing[from][place]
        return (link.to, link.snrQuarterDB, link.rssi)
    }

    func link(from: Int, to: Int) -> Link? { outgoing[from].first { $0.to == to } }

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
