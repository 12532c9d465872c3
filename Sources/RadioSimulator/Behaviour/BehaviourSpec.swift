/// What a companion without a client does by itself: the friendly and the hostile neighbours of a mesh.
public enum BehaviourSpec: Sendable, Hashable {
    /// Answers direct texts of contacts once each, so many milliseconds after they were fetched; at most so many.
    case autoReply(text: String, delay: Int64, limit: Int)
    case chatter(Chatter)
    /// Answers every direct text it overhears that its own first key byte does not name with an acknowledgement of a made-up code.
    case forgedAck(delay: Int64)
    /// Sends again what it overhears, byte for byte, so much later; at most so many packets.
    case replay(delay: Int64, limit: Int)
    /// Adverts of nodes that do not exist, each with a key of its own and rightly signed.
    case advertFlood(every: Int64, limit: Int)

    /// Texts at a pace of its own.
    public struct Chatter: Sendable, Hashable {
        public enum Destination: Sendable, Hashable {
            case node(String)
            /// A slot of the sender's channels.
            case channel(UInt8)
        }

        public var to: Destination
        /// What is said; a number is put behind it.
        public var text: String
        /// Milliseconds between two texts, on average when it is `random`.
        public var every: Int64
        /// Intervals as of a Poisson process, not even ones.
        public var isRandom: Bool
        public var limit: Int

        public init(to: Destination, text: String, every: Int64, isRandom: Bool, limit: Int) {
            self.to = to
            self.text = text
            self.every = every
            self.isRandom = isRandom
            self.limit = limit
        }
    }

    /// Its name in scenario files and in the journal.
    public var name: String {
        switch self {
        case .autoReply: "auto-reply"
        case .chatter: "chatter"
        case .forgedAck: "forged-ack"
        case .replay: "replay"
        case .advertFlood: "advert-flood"
        }
    }
}
