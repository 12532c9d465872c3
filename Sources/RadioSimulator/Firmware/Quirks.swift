/// Named switches of firmware behaviour. Those of the first group are true to the firmware and on; those of the
/// second are faults to test a client with, and off.
public struct Quirks: Sendable, Hashable {
    // What the real firmware does.
    /// Channel text commands shorter than their header crash the node (companion-protocol §3.4).
    public var shortChannelTextCrashes = true
    /// Removing a transient contact shifts the whole array (companion-protocol §11 no. 17).
    public var transientRemovalShiftsContacts = true
    /// Short commands read what the previous ones left in the receive buffer (companion-protocol §2.2).
    public var keepsCommandBytes = true

    // Faults.
    /// MSG_WAITING is never pushed.
    public var losesMessageWaiting = false
    /// SEND_CONFIRMED is never pushed.
    public var losesSendConfirmed = false
    /// SEND_CONFIRMED is pushed twice.
    public var confirmsTwice = false
    /// SENT carries four zero bytes instead of its acknowledgement or tag.
    public var sendsWithoutTag = false
    /// Received texts are never acknowledged.
    public var neverAcknowledges = false
    /// Every received text enters the offline queue twice.
    public var queuesTextsTwice = false
    /// SYNC_NEXT_MESSAGE returns the oldest message but keeps it.
    public var keepsFetchedMessages = false
    /// A listing stops without END_OF_CONTACTS.
    public var losesContactsEnd = false
    /// A listing ignores its `since` filter.
    public var ignoresSince = false
    /// The clock can be set back.
    public var acceptsEarlierTime = false
    /// A listing is abandoned after so many contacts.
    public var listingStopsAfter: Int?
    /// Microseconds a contact for which the whole loop stands still when contacts are saved; real boards have been
    /// seen to take 16 ms a contact.
    public var contactSaveMicros = 0

    public init() {}

    /// The switches by the names a scenario uses.
    public static let switches: [(name: String, path: any WritableKeyPath<Quirks, Bool> & Sendable)] = [
        ("short-channel-text-crashes", \.shortChannelTextCrashes),
        ("transient-removal-shifts-contacts", \.transientRemovalShiftsContacts),
        ("keeps-command-bytes", \.keepsCommandBytes),
        ("loses-message-waiting", \.losesMessageWaiting),
        ("loses-send-confirmed", \.losesSendConfirmed),
        ("confirms-twice", \.confirmsTwice),
        ("sends-without-tag", \.sendsWithoutTag),
        ("never-acknowledges", \.neverAcknowledges),
        ("queues-texts-twice", \.queuesTextsTwice),
        ("keeps-fetched-messages", \.keepsFetchedMessages),
        ("loses-contacts-end", \.losesContactsEnd),
        ("ignores-since", \.ignoresSince),
        ("accepts-earlier-time", \.acceptsEarlierTime),
    ]

    /// Sets a switch by its name; false for a name that does not exist.
    public mutating func set(_ name: String, to value: Bool) -> Bool {
        guard let entry = Self.switches.first(where: { $0.name == name }) else { return false }
        self[keyPath: entry.path] = value
        return true
    }
}
