internal import MeshProtocol

/// The packets a node has seen or sent, the oldest forgotten first (mesh-protocol §4.13).
struct DuplicateRing {
    private var entries: [UInt64]
    private var cursor = 0

    init(size: Int) { entries = Array(repeating: 0, count: size) }

    /// Looks at every entry without stopping early, which a processor does several entries at a time.
    func contains(_ hash: PacketHash) -> Bool {
        let value = hash.value
        var found = false
        for entry in entries { found = found || entry == value }
        return found
    }

    mutating func insert(_ hash: PacketHash) {
        entries[cursor] = hash.value
        cursor = cursor + 1 == entries.count ? 0 : cursor + 1
    }

    /// Forgets a hash wherever it stands, as an import does before it processes the card.
    mutating func remove(_ hash: PacketHash) {
        for place in entries.indices where entries[place] == hash.value { entries[place] = 0 }
    }
}
