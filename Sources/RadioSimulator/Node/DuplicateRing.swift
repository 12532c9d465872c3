internal import MeshProtocol

/// The packets a node has seen or sent, the oldest forgotten first (mesh-protocol §4.13).
struct DuplicateRing {
    private var entries: [UInt64]
    private var cursor = 0
    /// How often each hash stands in the ring, so that a look-up need not scan.
    private var counts: [UInt64: Int] = [:]

    init(size: Int) {
        entries = Array(repeating: 0, count: size)
        counts[0] = size
    }

    func contains(_ hash: PacketHash) -> Bool { counts[hash.value] != nil }

    mutating func insert(_ hash: PacketHash) {
        replace(cursor, with: hash.value)
        cursor = (cursor + 1) % entries.count
    }

    /// Forgets a hash wherever it stands, as an import does before it processes the card.
    mutating func remove(_ hash: PacketHash) {
        for place in entries.indices where entries[place] == hash.value { replace(place, with: 0) }
    }

    private mutating func replace(_ place: Int, with value: UInt64) {
        let old = entries[place]
        if let count = counts[old] { counts[old] = count > 1 ? count - 1 : nil }
        entries[place] = value
        counts[value, default: 0] += 1
    }
}
