internal import RigBase

/// Decides which contacts are fetched after pushes named them (client-stack §5.3).
///
/// One request at a time, each key once, nothing while a contact sync runs. A key that is deleted meanwhile is forgotten, and
/// so is what its request brings.
struct ContactFetchQueue: Sendable, Equatable {
    enum Reason: Int, Sendable, Comparable {
        case path = 0
        case advert = 1
        static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
    }

    private var waiting = OrderedTable<[UInt8], Reason>()
    private(set) var inFlight: [UInt8]?
    private var inFlightReason = Reason.path
    private var inFlightWasDeleted = false
    private(set) var isDeferred = false
    /// Keys the end of a deferral still waits for.
    private var barrier: [[UInt8]] = []

    static func == (left: ContactFetchQueue, right: ContactFetchQueue) -> Bool {
        left.waiting.keys == right.waiting.keys && left.inFlight == right.inFlight
            && left.isDeferred == right.isDeferred
    }

    /// The pass the end of a deferral began is through.
    var isPassDone: Bool { barrier.isEmpty }

    /// Names a key; an advert outranks a path update. Repeats change nothing else.
    mutating func add(_ key: [UInt8], _ reason: Reason) {
        if key == inFlight, !inFlightWasDeleted {
            inFlightReason = max(inFlightReason, reason)
            return
        }
        waiting[key] = max(reason, waiting[key] ?? reason)
    }

    /// The key to ask for next, nil when nothing may start.
    mutating func next() -> [UInt8]? {
        guard !isDeferred, inFlight == nil, let first = waiting.entries.first else { return nil }
        waiting[first.key] = nil
        inFlight = first.key
        inFlightReason = first.value
        inFlightWasDeleted = false
        return first.key
    }

    /// The request ended; its reason when what it brought is to be kept, nil when the contact was deleted meanwhile.
    mutating func finish(_ key: [UInt8]) -> Reason? {
        guard key == inFlight else { return nil }
        inFlight = nil
        barrier.removeAll { $0 == key }
        return inFlightWasDeleted ? nil : inFlightReason
    }

    mutating func delete(_ key: [UInt8]) {
        waiting[key] = nil
        barrier.removeAll { $0 == key && key != inFlight }
        if key == inFlight { inFlightWasDeleted = true }
    }

    mutating func beginDeferral() { isDeferred = true }

    /// Lets requests start again; `isPassDone` tells when those that waited by now are through.
    mutating func endDeferral() {
        isDeferred = false
        barrier = waiting.keys + (inFlight.map { [$0] } ?? [])
    }

    mutating func removeAll() {
        waiting.removeAll()
        barrier = []
        if inFlight != nil { inFlightWasDeleted = true }
    }
}
