/// A fault that is built into the client on purpose, so that the catalogue can show it would notice.
public enum Defect: String, Sendable, Hashable, CaseIterable {
    /// The last contact of a listing is thrown away.
    case lastContactLost = "last-contact-lost"
    /// Every contact sync asks for everything.
    case sinceIgnored = "since-ignored"
    /// Only 256 contacts of a listing are kept.
    case contactsCapped = "contacts-capped"
    /// Confirmations from the radio are not listened to.
    case confirmationsIgnored = "confirmations-ignored"
    /// The stored path is reset before every direct message.
    case alwaysFlood = "always-flood"
    /// The path is never given up: the fifth attempt goes direct too.
    case noFloodFallback = "no-flood-fallback"
    /// Only the confirmation code of the newest attempt counts.
    case earlierCodesForgotten = "earlier-codes-forgotten"
    /// The confirmation code is registered only after SENT was handled.
    case codeRegisteredLate = "code-registered-late"
    /// Incoming messages are stored without a look at what is stored already.
    case duplicatesStored = "duplicates-stored"
    /// The node's name is put before channel text although the radio does that.
    case channelNameDoubled = "channel-name-doubled"
    /// Channels are not read during a sync.
    case channelsSkipped = "channels-skipped"
    /// One message is fetched for each notice, not all.
    case oneMessagePerNotice = "one-message-per-notice"
    /// A lost link is not rebuilt.
    case noReconnect = "no-reconnect"
    /// Awaited confirmation codes die with the link.
    case codesDieWithLink = "codes-die-with-link"
    /// The frame decoder does not look for the next start byte.
    case noResynchronisation = "no-resynchronisation"
    /// Each chunk of bytes is taken for one whole frame.
    case chunkIsFrame = "chunk-is-frame"
    /// A late reply is given to the next command.
    case lateReplyTaken = "late-reply-taken"
    /// A command without a reply waits for ever.
    case noReplyTimeout = "no-reply-timeout"
}

/// The defects switched on in a run; empty in ordinary use.
public struct Defects: Sendable, Hashable, ExpressibleByArrayLiteral {
    private var active: Set<Defect>

    public init(_ defects: [Defect]) { active = Set(defects) }
    public init(arrayLiteral elements: Defect...) { active = Set(elements) }

    public func contains(_ defect: Defect) -> Bool { active.contains(defect) }
    /// In order of declaration.
    public var all: [Defect] { Defect.allCases.filter(active.contains) }
}
