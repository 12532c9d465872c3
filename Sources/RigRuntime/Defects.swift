/// A fault that is built into the client on purpose, so that the catalogue can show it would notice.
public enum Defect: String, Sendable, Hashable, CaseIterable {
    case lastContactLost = "last-contact-lost"
    case sinceIgnored = "since-ignored"
    case contactsCapped = "contacts-capped"
    case confirmationsIgnored = "confirmations-ignored"
    case alwaysFlood = "always-flood"
    case noFloodFallback = "no-flood-fallback"
    case earlierCodesForgotten = "earlier-codes-forgotten"
    case codeRegisteredLate = "code-registered-late"
    case duplicatesStored = "duplicates-stored"
    case channelNameDoubled = "channel-name-doubled"
    case channelsSkipped = "channels-skipped"
    case oneMessagePerNotice = "one-message-per-notice"
    case noReconnect = "no-reconnect"
    case codesDieWithLink = "codes-die-with-link"
    case noResynchronisation = "no-resynchronisation"
    case chunkIsFrame = "chunk-is-frame"
    case lateReplyTaken = "late-reply-taken"
    case noReplyTimeout = "no-reply-timeout"

    /// What the client then does wrong.
    public var summary: String {
        switch self {
        case .lastContactLost: "the last contact of a listing is thrown away"
        case .sinceIgnored: "every contact sync asks for everything"
        case .contactsCapped: "only 256 contacts of a listing are kept"
        case .confirmationsIgnored: "confirmations from the radio are not listened to"
        case .alwaysFlood: "the stored path is reset before every direct message"
        case .noFloodFallback: "the path is never given up: the fifth attempt goes direct too"
        case .earlierCodesForgotten: "only the confirmation code of the newest attempt counts"
        case .codeRegisteredLate: "the confirmation code is registered only after SENT was handled"
        case .duplicatesStored: "incoming messages are stored without a look at what is stored already"
        case .channelNameDoubled: "the node's name is put before channel text although the radio does that"
        case .channelsSkipped: "channels are not read during a sync"
        case .oneMessagePerNotice: "one message is fetched for each notice, not all"
        case .noReconnect: "a lost link is not rebuilt"
        case .codesDieWithLink: "awaited confirmation codes die with the link"
        case .noResynchronisation: "the frame decoder does not look for the next start byte"
        case .chunkIsFrame: "each chunk of bytes is taken for one whole frame"
        case .lateReplyTaken: "a late reply is given to the next command"
        case .noReplyTimeout: "a command without a reply waits for ever"
        }
    }
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
