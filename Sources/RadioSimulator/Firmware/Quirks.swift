/// Named switches of firmware behaviour. Those of the first group are what the firmware does where it could do better:
/// on in every release, off in the profile `ideal`. Those of the second are faults to test a client with, and off.
public struct Quirks: Sendable, Hashable {
    // What the real firmware does.
    /// Channel text commands shorter than their header crash the node.
    public var shortChannelTextCrashes = true
    /// Short commands read what the previous ones left in the receive buffer.
    public var keepsCommandBytes = true
    /// A serial frame of more than 176 bytes is cut and executed; off: skipped.
    public var truncatesOversizeFrames = true
    /// CHANNEL_INFO shows bytes of earlier frames behind the name.
    public var leavesBytesBehindNames = true
    /// The default scope's field keeps bytes of earlier names behind the new one.
    public var leavesBytesBehindScopes = true
    /// A look-up of the all-zero key finds a transient slot that was never used.
    public var findsEmptySlots = true
    /// Removing a transient contact shifts the whole array and hides the first real one.
    public var transientRemovalShiftsContacts = true
    /// ADD_UPDATE on the key of a transient slot changes that slot, which no listing shows until the next restart.
    public var updatesTransientsInPlace = true
    /// A newer advert of an ordinary contact of type 0 leaves an all-zero entry behind.
    public var leavesZeroContacts = true
    /// The fifth byte of an acknowledgement is left-over memory when the text fills its last block; off: zero.
    public var ackTakesUndefinedByte = true
    /// A direct text that is too long answers ERR(3); off: ERR(6).
    public var callsLongTextsTableFull = true
    /// A channel text without a free buffer answers ERR(2); off: ERR(3).
    public var callsChannelFailuresNotFound = true
    /// A raw packet of priority 255 is never sent and keeps its buffer; off: it goes last.
    public var losesPriority255 = true
    /// ADD_UPDATE takes path lengths that are no valid encoding, and texts along them vanish; off: ERR(6).
    public var takesInvalidPaths = true
    /// A new contact added without a position gets one from memory nobody wrote; off: zero.
    public var leavesPositionsUndefined = true
    /// A contact modified at time 0 is in no listing; off: it is in a full one.
    public var hidesTimelessContacts = true
    /// Names and channel texts are cut at a byte; off: before the character.
    public var cutsCharacters = true
    /// Channel slots nobody set send and receive with the zero key; off: ERR(2), and they receive nothing.
    public var usesUnsetChannels = true
    /// MSG_WAITING is pushed for a message the full queue has discarded.
    public var announcesDiscardedMessages = true
    /// Settings pass through binary fractions, so that some read back one lower.
    public var roundsSettings = true
    /// A trace of 64 hops is given the time of none.
    public var countsFullTraceAsNone = true
    /// SET_RADIO_PARAMS without the repeat byte ends client repeat.
    public var endsRepeatWithoutByte = true
    /// The 64th entry of a path empties it; off: such a packet is not passed on.
    public var overflowsFullPaths = true
    /// An acknowledgement that is both for this node and to be passed on goes out as junk; off: not at all.
    public var sendsJunkAcks = true
    /// Four zero bytes acknowledge a text nobody sent.
    public var matchesZeroAcks = true
    /// An answer with tag 0 is delivered although nothing is pending.
    public var matchesZeroTags = true
    /// An acknowledgement that came by flood does not make the node return a path, although it was meant to.
    public var neverRepairsAckPaths = true
    /// At boot the clock is set by the newest contact.
    public var takesTimeFromContacts = true
    /// CONTACTS_START counts contacts the filter will leave out.
    public var countsFilteredContacts = true
    /// END_OF_CONTACTS is 0 when nothing was listed; off: the filter's time.
    public var endsEmptyListingsWithZero = true
    /// Flooded self-adverts ignore the scope of the session.
    public var advertsIgnoreSessionScope = true
    /// Answers that do not fit a frame are lost; off: cut.
    public var losesLongAnswers = true
    /// Importing a key loses contact changes that are not saved yet.
    public var importLosesChanges = true

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
    /// Microseconds a contact for which the whole loop stands still when contacts are saved, where that is more than
    /// the board's own.
    public var contactSaveMicros = 0

    public init() {}

    /// The firmware as one might wish it: every switch of the first group off.
    public static let ideal: Quirks = {
        var quirks = Quirks()
        for entry in switches where entry.section != nil { quirks[keyPath: entry.path] = false }
        return quirks
    }()

    /// Sets a switch by its name; false for a name that does not exist.
    public mutating func set(_ name: String, to value: Bool) -> Bool {
        guard let entry = Self.switches.first(where: { $0.name == name }) else { return false }
        self[keyPath: entry.path] = value
        return true
    }
}

extension Quirks {
    /// A switch by the name a scenario uses.
    public struct Switch: Sendable {
        public var name: String
        public var path: any WritableKeyPath<Quirks, Bool> & Sendable
        /// Where the reference describes what the real firmware does; nil for a fault.
        public var section: String?

        init(_ name: String, _ path: any WritableKeyPath<Quirks, Bool> & Sendable, _ section: String? = nil) {
            self.name = name
            self.path = path
            self.section = section
        }
    }

    public static let switches: [Switch] = [
        Switch("short-channel-text-crashes", \.shortChannelTextCrashes, "companion-protocol §3.4"),
        Switch("keeps-command-bytes", \.keepsCommandBytes, "companion-protocol §2.2, §15.5"),
        Switch("truncates-oversize-frames", \.truncatesOversizeFrames, "companion-protocol §1.2"),
        Switch("leaves-bytes-behind-names", \.leavesBytesBehindNames, "companion-protocol §4.6, §15.6"),
        Switch("leaves-bytes-behind-scopes", \.leavesBytesBehindScopes, "companion-protocol §3.43"),
        Switch("finds-empty-slots", \.findsEmptySlots, "companion-protocol §11 no. 16"),
        Switch(
            "transient-removal-shifts-contacts", \.transientRemovalShiftsContacts, "companion-protocol §11 no. 17"),
        Switch("updates-transients-in-place", \.updatesTransientsInPlace, "companion-protocol §11 no. 17"),
        Switch("leaves-zero-contacts", \.leavesZeroContacts, "companion-protocol §6.3"),
        Switch("ack-takes-undefined-byte", \.ackTakesUndefinedByte, "companion-protocol §15.6, mesh-protocol §3.2"),
        Switch("calls-long-texts-table-full", \.callsLongTextsTableFull, "companion-protocol §11 no. 6"),
        Switch("calls-channel-failures-not-found", \.callsChannelFailuresNotFound, "companion-protocol §11 no. 5"),
        Switch("loses-priority-255", \.losesPriority255, "companion-protocol §3.47"),
        Switch("takes-invalid-paths", \.takesInvalidPaths, "companion-protocol §6.4, §11 no. 20"),
        Switch("leaves-positions-undefined", \.leavesPositionsUndefined, "companion-protocol §3.8, §11 no. 19"),
        Switch("hides-timeless-contacts", \.hidesTimelessContacts, "companion-protocol §6.2, §11 no. 14"),
        Switch("cuts-characters", \.cutsCharacters, "companion-protocol §7.5"),
        Switch("uses-unset-channels", \.usesUnsetChannels, "companion-protocol §3.4, mesh-protocol §2.5"),
        Switch("announces-discarded-messages", \.announcesDiscardedMessages, "companion-protocol §11 no. 26"),
        Switch("rounds-settings", \.roundsSettings, "companion-protocol §7.2, §7.3, §3.20"),
        Switch("counts-full-trace-as-none", \.countsFullTraceAsNone, "companion-protocol §11 no. 40"),
        Switch("ends-repeat-without-byte", \.endsRepeatWithoutByte, "companion-protocol §11 no. 36"),
        Switch("overflows-full-paths", \.overflowsFullPaths, "mesh-protocol §4.6"),
        Switch("sends-junk-acks", \.sendsJunkAcks, "mesh-protocol §8.6"),
        Switch("matches-zero-acks", \.matchesZeroAcks, "mesh-protocol §3.3"),
        Switch("matches-zero-tags", \.matchesZeroTags, "companion-protocol §6.6"),
        Switch("never-repairs-ack-paths", \.neverRepairsAckPaths, "mesh-protocol §4.9"),
        Switch("takes-time-from-contacts", \.takesTimeFromContacts, "companion-protocol §6.14, §11 no. 38"),
        Switch("counts-filtered-contacts", \.countsFilteredContacts, "companion-protocol §11 no. 12"),
        Switch("ends-empty-listings-with-zero", \.endsEmptyListingsWithZero, "companion-protocol §11 no. 13"),
        Switch("adverts-ignore-session-scope", \.advertsIgnoreSessionScope, "companion-protocol §11 no. 41"),
        Switch("loses-long-answers", \.losesLongAnswers, "companion-protocol §5"),
        Switch("import-loses-changes", \.importLosesChanges, "companion-protocol §11 no. 22"),
        Switch("loses-message-waiting", \.losesMessageWaiting),
        Switch("loses-send-confirmed", \.losesSendConfirmed),
        Switch("confirms-twice", \.confirmsTwice),
        Switch("sends-without-tag", \.sendsWithoutTag),
        Switch("never-acknowledges", \.neverAcknowledges),
        Switch("queues-texts-twice", \.queuesTextsTwice),
        Switch("keeps-fetched-messages", \.keepsFetchedMessages),
        Switch("loses-contacts-end", \.losesContactsEnd),
        Switch("ignores-since", \.ignoresSince),
        Switch("accepts-earlier-time", \.acceptsEarlierTime),
    ]
}
