internal import MeshProtocol
internal import RunRecord

/// One frame on the air, from the first symbol to the last.
final class Transmission {
    /// Index of the sending node; nil for a frame a test put on the air.
    let sender: Int?
    let senderName: String
    /// First and last millisecond: on the air from `start` until `end`.
    let start: Int64
    let end: Int64
    let airtimeMicros: Int
    let bytes: [UInt8]
    let parameters: RadioParameters
    let lineage: UInt64
    /// The journal's `packet-sent`.
    let event: EventID
    /// The bytes as every receiver reads them; nil for bytes that are no packet.
    private(set) lazy var packet: Packet? = try? Packet(parsing: bytes)
    private var facts: PayloadFacts?

    init(
        sender: Int?, senderName: String, start: Int64, end: Int64, airtimeMicros: Int, bytes: [UInt8],
        parameters: RadioParameters, lineage: UInt64, event: EventID
    ) {
        self.sender = sender
        self.senderName = senderName
        self.start = start
        self.end = end
        self.airtimeMicros = airtimeMicros
        self.bytes = bytes
        self.parameters = parameters
        self.lineage = lineage
        self.event = event
    }

    /// The same on the air at another time, with other bytes or with another event to speak for it.
    func copy(start: Int64? = nil, bytes: [UInt8]? = nil, event: EventID) -> Transmission {
        let begin = start ?? self.start
        let copy = Transmission(
            sender: sender, senderName: senderName, start: begin, end: begin + (end - self.start),
            airtimeMicros: airtimeMicros, bytes: bytes ?? self.bytes, parameters: parameters, lineage: lineage,
            event: event)
        if bytes == nil { copy.facts = facts }
        return copy
    }

    /// What is known about the payload, shared with the sender's copy when that is the same.
    func facts(of packet: Packet, _ work: WorkCounter) -> PayloadFacts {
        if let facts { return facts }
        let made = PayloadFacts(packet, work: work)
        facts = made
        return made
    }

    func share(_ known: PayloadFacts?) {
        guard let known, let packet, known.describe(packet) else { return }
        facts = known
    }
}

/// Why a linked node did not get a frame.
enum MissReason: String {
    /// It was transmitting itself.
    case halfDuplex = "half-duplex"
    /// It was locked on another frame.
    case receiverBusy = "receiver-busy"
    /// Another frame spoilt it.
    case collision
    /// Below what the spreading factor demodulates.
    case tooWeak = "too-weak"
    /// The link lost it.
    case linkLoss = "link-loss"
    /// Tuned to something else.
    case otherSettings = "other-settings"
    /// The node was off, or started while the frame was on the air.
    case radioOff = "radio-off"
    /// The receiver became free too late to catch the preamble.
    case tooLate = "too-late"
    /// A fault of the scenario took it.
    case fault
}
