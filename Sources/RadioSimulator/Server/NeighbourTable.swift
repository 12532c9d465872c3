internal import MeshProtocol
internal import RigBase

/// Repeaters a repeater hears itself (remote-nodes §5.4).
struct NeighbourTable {
    struct Neighbour {
        var key: PublicKey
        /// By the neighbour's clock.
        var advertTime: UInt32
        /// By this node's clock.
        var heard: UInt32
        var snrQuarterDB: Int8
    }

    static let capacity = 50

    private(set) var entries: [Neighbour] = []

    /// Adds or refreshes a neighbour; a full table gives up the one heard longest ago.
    mutating func heard(_ neighbour: Neighbour) {
        if let index = entries.firstIndex(where: { $0.key == neighbour.key }) {
            entries[index] = neighbour
        } else if entries.count < Self.capacity {
            entries.append(neighbour)
        } else if let oldest = entries.indices.min(by: { entries[$0].heard < entries[$1].heard }) {
            entries[oldest] = neighbour
        }
    }

    mutating func remove(prefix: [UInt8]) { entries.removeAll { $0.key.matches(prefix: prefix) } }

    /// 0 newest, 1 oldest, 2 strongest, 3 weakest first, else as they stand.
    func sorted(by order: UInt8) -> [Neighbour] {
        func ranked(_ precedes: (Neighbour, Neighbour) -> Bool) -> [Neighbour] {
            entries.enumerated().sorted {
                precedes($0.element, $1.element)
                    || (!precedes($1.element, $0.element) && $0.offset < $1.offset)
            }.map(\.element)
        }
        return switch order {
        case 0: ranked { $0.heard > $1.heard }
        case 1: ranked { $0.heard < $1.heard }
        case 2: ranked { $0.snrQuarterDB > $1.snrQuarterDB }
        case 3: ranked { $0.snrQuarterDB < $1.snrQuarterDB }
        default: entries
        }
    }
}
