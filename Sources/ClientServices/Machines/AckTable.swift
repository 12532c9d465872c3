internal import RigBase

/// Which confirmation codes are awaited for which sent message, and until when (client-stack §3.2).
///
/// A message keeps the codes of all its attempts, so that a late confirmation of an early one still counts.
struct AckTable: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var message: UUID128
        var contact: UUID128
        /// One for each attempt, oldest first.
        var codes: [UInt32]
        /// When the last attempt was handed over.
        var sentAt: SimInstant
        /// How long the last attempt waits.
        var timeout: Duration
        /// A confirmation came; the entry only waits for the row to be written.
        var isDelivered = false
    }

    /// How long after the last attempt a message is given up, unless that attempt waits longer.
    let giveUpAfter: Duration
    /// False forgets the codes of earlier attempts.
    let keepsEarlierCodes: Bool
    private var table = OrderedTable<UUID128, Entry>()

    init(giveUpAfter: Duration = .seconds(30), keepsEarlierCodes: Bool = true) {
        self.giveUpAfter = giveUpAfter
        self.keepsEarlierCodes = keepsEarlierCodes
    }

    static func == (left: AckTable, right: AckTable) -> Bool { left.entries == right.entries }

    /// Oldest message first.
    var entries: [Entry] { table.values }

    subscript(message: UUID128) -> Entry? { table[message] }

    /// Awaits one more code for a message and starts its clock again.
    mutating func expect(code: UInt32, message: UUID128, contact: UUID128, timeout: Duration, now: SimInstant) {
        var entry =
            table[message] ?? Entry(message: message, contact: contact, codes: [], sentAt: now, timeout: timeout)
        if !keepsEarlierCodes { entry.codes = [] }
        if !entry.codes.contains(code) { entry.codes.append(code) }
        entry.sentAt = now
        entry.timeout = timeout
        table[message] = entry
    }

    /// Takes over what an earlier link left.
    mutating func restore(_ entry: Entry) { table[entry.message] = entry }

    /// The first message that awaits this code; it is marked, so that one confirmation resolves one message.
    mutating func confirm(code: UInt32) -> Entry? {
        for entry in table.values where !entry.isDelivered && entry.codes.contains(code) {
            table[entry.message]?.isDelivered = true
            return entry
        }
        return nil
    }

    mutating func remove(_ message: UUID128) { table[message] = nil }

    /// Takes out the messages whose time is over: more than 30 s, and more than their own wait, after the last attempt.
    mutating func expire(now: SimInstant) -> [Entry] {
        let expired = table.values.filter { entry in
            !entry.isDelivered && entry.sentAt.duration(to: now) > max(giveUpAfter, entry.timeout)
        }
        for entry in expired { table[entry.message] = nil }
        return expired
    }

    /// Takes out everything that is not delivered.
    mutating func removeAll() -> [Entry] {
        let left = table.values.filter { !$0.isDelivered }
        for entry in left { table[entry.message] = nil }
        return left
    }
}
