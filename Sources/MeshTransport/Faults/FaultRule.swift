public import CompanionProtocol
public import RigBase

/// One thing that goes wrong on a link: when, in which direction, and what.
public struct FaultRule: Sendable {
    /// Names the rule in events and in `FaultControl`; its random choices come from a stream of this name.
    public var id: String
    public var direction: LinkDirection
    public var trigger: FaultTrigger
    public var action: FaultAction
    /// How often it acts at most; nil for no limit.
    public var limit: Int?

    public init(
        id: String, direction: LinkDirection, trigger: FaultTrigger, action: FaultAction, limit: Int? = nil
    ) {
        self.id = id
        self.direction = direction
        self.trigger = trigger
        self.action = action
        self.limit = limit
    }
}

/// When a rule acts. Counting begins when the rule is added and goes on over reconnects.
public enum FaultTrigger: Sendable {
    case frame(FrameMatch)
    /// When the byte with this number (from 0) of the rule's direction passes, whatever it belongs to.
    case byte(Int)
    /// At this instant; an action that needs a frame takes the first from then on. Acts once.
    case at(SimInstant)
}

/// Which frames a rule is about. Every frame that fits is counted, also when another rule takes it away.
public struct FrameMatch: Sendable {
    /// First bytes of frames; empty for every frame.
    public var codes: [UInt8]
    /// Which of the frames that fit, counted from 1; nil for all.
    public var nth: ClosedRange<Int>?
    /// First byte of the command that must be the latest one before the frame; nil for any.
    public var afterCommand: UInt8?
    /// How likely each of those is taken.
    public var chance: Ratio
    /// A condition on the frame without its envelope.
    public var condition: (@Sendable ([UInt8]) -> Bool)?

    public init(
        codes: [UInt8] = [], nth: ClosedRange<Int>? = nil, afterCommand: UInt8? = nil, chance: Ratio = .always,
        where condition: (@Sendable ([UInt8]) -> Bool)? = nil
    ) {
        self.codes = codes
        self.nth = nth
        self.afterCommand = afterCommand
        self.chance = chance
        self.condition = condition
    }

    func fits(_ frame: [UInt8], after command: UInt8?) -> Bool {
        (codes.isEmpty || codes.contains(frame[0])) && (afterCommand == nil || afterCommand == command)
            && (condition?(frame) ?? true)
    }
}

/// A place in the bytes of a frame, its envelope included: 0 is the start byte, 1 and 2 the length, 3 the code.
public enum BytePosition: Sendable, Hashable {
    /// Negative numbers count from the end; a number outside means the nearest byte.
    case offset(Int)
    case random
    /// The byte the rule's trigger names; the first byte when it names none.
    case trigger
}

/// Where something happens, seen from the frame it happens to.
public enum FaultPlacement: Sendable, Hashable {
    case before
    case after
    /// Before the byte at that position.
    case inside(BytePosition)
}

/// What a rule does to the frame (or run of other bytes) that triggered it.
public enum FaultAction: Sendable, Hashable {
    /// The frame never arrives.
    case drop
    /// One byte is exchanged; `flip` is xor-ed to it, nil draws a random change.
    case corrupt(at: BytePosition, flip: UInt8?)
    /// The frame arrives 1 + `copies` times.
    case duplicate(copies: Int)
    /// The frame arrives later: with everything behind it, or overtaken by what comes meanwhile.
    case delay(Duration, overtaken: Bool)
    case insert([UInt8], FaultPlacement)
    /// Every byte arrives as a chunk of its own, that far apart.
    case splitIntoBytes(gap: Duration)
    /// Two chunks, that far apart.
    case split(at: BytePosition, gap: Duration)
    /// The frame waits for the next one, or for the next with that first byte, and both arrive in one chunk; frames in
    /// between pass it.
    case hold(until: UInt8?)
    case loseLink(LinkLoss, FaultPlacement)
    /// The bytes from there to the end of the frame never arrive.
    case truncate(from: BytePosition)
    /// This frame and those that follow are swallowed, for a time, a number of frames, or while the rule is there; replies
    /// only, or pushes as well.
    case mute(for: Duration?, frames: Int?, repliesOnly: Bool)

    /// So many bytes from there on never arrive.
    case dropBytes(at: BytePosition, count: Int)
    /// So many bytes that mean nothing.
    case insertRandom(Int, FaultPlacement)
    /// The envelope says another length, by so many bytes.
    case misstateLength(by: Int)
    /// Another frame arrives in an envelope of its own.
    case replace([UInt8])
    /// So many frames that the rule takes wait for each other and arrive in one chunk.
    case merge(frames: Int)
    /// The frame arrives behind others that come after it, in a chunk of its own.
    case reorder(behind: Place)
    /// The link seems up, but nothing passes any more in either direction until the next connection.
    case halfOpen
    /// Another client takes the radio, which closes the link behind the frame.
    case steal

    /// Behind which frames one arrives.
    public enum Place: Sendable, Hashable {
        case frames(Int)
        /// The next with that first byte.
        case code(UInt8)
    }

    var isMerge: Bool { if case .merge = self { true } else { false } }

    /// As scenario files and events name it.
    public var name: String {
        switch self {
        case .drop: "drop"
        case .corrupt: "corrupt"
        case .duplicate: "duplicate"
        case .delay(_, let overtaken): overtaken ? "delay" : "stall"
        case .insert: "insert"
        case .splitIntoBytes: "split-bytes"
        case .split: "split"
        case .hold: "hold"
        case .loseLink: "lose-link"
        case .truncate: "truncate"
        case .mute: "mute"
        case .dropBytes: "drop-bytes"
        case .insertRandom: "insert"
        case .misstateLength: "wrong-length"
        case .replace: "replace"
        case .merge: "merge"
        case .reorder: "reorder"
        case .halfOpen: "half-open"
        case .steal: "steal"
        }
    }

    /// Whether it can act without a frame passing by.
    var needsNoFrame: Bool {
        switch self {
        case .insert, .insertRandom, .loseLink, .halfOpen, .steal: true
        default: false
        }
    }
}
