internal import MeshProtocol
internal import RunRecord

/// A packet inside a node, with what the node remembers of it that is not on the wire (mesh-protocol §1.7).
struct HeldPacket {
    var packet: Packet
    /// SNR × 4 at reception.
    var snrQuarterDB: Int8 = 0
    /// Given to the packet at its origin and kept by every copy of it.
    var lineage: UInt64
    /// The journal event that brought it here.
    var cause: EventID?
    /// Consumed: from now on it reads as a direct packet of another type and is not passed on.
    var isConsumed = false
    /// An imported card: it is processed as if received, but never sent on.
    var isLoopedBack = false
    /// What is known about this payload; nil where nobody has asked yet.
    var facts: PayloadFacts?

    /// The firmware overwrites the header of a consumed packet, which then reads as direct.
    var isFlood: Bool { !isConsumed && packet.route.isFlood }
}

/// Packets that wait in a node for their time, in the order in which they came.
struct PacketQueue {
    struct Entry {
        var packet: HeldPacket
        var priority: UInt8
        /// Millisecond from which it may leave.
        var due: Int64
    }

    private(set) var entries: [Entry] = []

    var count: Int { entries.count }
    /// When the first entry becomes due; `.max` for an empty queue.
    private(set) var earliestDue: Int64 = .max

    mutating func add(_ packet: HeldPacket, priority: UInt8, due: Int64) {
        entries.append(Entry(packet: packet, priority: priority, due: due))
        earliestDue = min(earliestDue, due)
    }

    /// Where the due entry of the lowest priority number stands, of equal ones the one that came first. Priority 255
    /// never leaves.
    private func place(at now: Int64) -> Int? {
        var best: Int?
        for (index, entry) in entries.enumerated()
        where entry.due <= now && entry.priority < best.map({ entries[$0].priority }) ?? 255 { best = index }
        return best
    }

    /// What leaves next, if it may by now.
    func next(at now: Int64) -> Entry? { place(at: now).map { entries[$0] } }

    mutating func takeNext(at now: Int64) -> Entry? {
        guard let best = place(at: now) else { return nil }
        let entry = entries.remove(at: best)
        earliestDue = entries.reduce(.max) { min($0, $1.due) }
        return entry
    }
}
