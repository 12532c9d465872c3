internal import MeshProtocol
internal import RigBase

/// Who hears whom, by node index.
struct LinkTable {
    struct Link {
        var to: Int
        var snrQuarterDB: Int8
        var rssi: Int8
        var loss: Ratio
        /// Draws what this link loses.
        var losses: Prng
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
    mutating func set(from: Int, to: Int, snrQuarterDB: Int8, rssi: Int8, loss: Ratio) {
        if let place = outgoing[from].firstIndex(where: { $0.to == to }) {
            outgoing[from][place].snrQuarterDB = snrQuarterDB
            outgoing[from][place].rssi = rssi
            outgoing[from][place].loss = loss
        } else {
            outgoing[from].append(
                Link(
                    to: to, snrQuarterDB: snrQuarterDB, rssi: rssi, loss: loss,
                    losses: root.fork("link", names[from], names[to])))
            outgoing[from].sort { $0.to < $1.to }
        }
    }

    mutating func cut(from: Int, to: Int) { outgoing[from].removeAll { $0.to == to } }

    func links(from: Int) -> [Link] { outgoing[from] }

    func link(from: Int, to: Int) -> Link? { outgoing[from].first { $0.to == to } }

    mutating func planLoss(from: Int, to: Int, bytes: [UInt8]?) {
        planned.append(PlannedLoss(from: from, to: to, bytes: bytes))
    }

    /// Whether this frame is lost on this link; draws from the link's stream if it has a loss, and uses up a planned one.
    mutating func loses(_ bytes: [UInt8], from: Int, place: Int, drawing: Bool) -> Bool {
        let to = outgoing[from][place].to
        if let match = planned.firstIndex(where: {
            $0.from == from && $0.to == to && ($0.bytes == nil || $0.bytes == bytes)
        }) {
            planned.remove(at: match)
            return true
        }
        guard drawing, outgoing[from][place].loss.numerator > 0 else { return false }
        return outgoing[from][place].losses.chance(outgoing[from][place].loss)
    }
}
