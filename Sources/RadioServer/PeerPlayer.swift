internal import CompanionProtocol
internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import RunRecord

/// Plays the scripts of the companions that have no client, the way a patient person would: an answer takes a moment, and a
/// direct text that is not confirmed in the time the radio advises is sent again.
struct PeerPlayer {
    /// Seen events the journal may hold before they are let go; nothing else in a served world reads them.
    static let keptEvents = 4_096
    /// How long a peer takes to answer. Long enough for the confirmation, and what it causes, to clear the air.
    static let answerDelay = Duration.seconds(2)
    static let maxAttempts = 4

    private struct Sending {
        var node: String
        var text: String
        var destination: PeerScript.Destination
        var next: SimInstant
        var every: Duration?
    }

    /// A direct text that goes out when it is due.
    private struct Direct {
        var node: String
        var to: PublicKey
        var text: String
        var due: SimInstant
        /// Set with the first attempt and kept by the others.
        var timestamp: UInt32?
        var attempt: UInt8 = 0
        var cause: EventID?
        var ack: [UInt8] = []
    }

    private var sendings: [Sending] = []
    private var echoing: Set<String> = []
    /// Texts that wait for their time.
    private var waiting: [Direct] = []
    /// Texts handed to their radio, which has not answered yet; its answers come in the same order.
    private var handedOver: [Direct] = []
    /// Texts on the air; `due` is when they are given up.
    private var unconfirmed: [Direct] = []
    /// Events of the journal that were looked at.
    private var cursor = 0
    /// Events of the journal that were let go.
    private var discarded = 0

    init(_ scripts: [PeerScript]) {
        for script in scripts {
            switch script.action {
            case .echo: echoing.insert(script.node)
            case .send(let text, let destination, let first, let every):
                sendings.append(
                    Sending(
                        node: script.node, text: text, destination: destination,
                        next: SimInstant.zero.advanced(by: first), every: every))
            }
        }
    }

    /// When something is to be done next.
    var nextDue: SimInstant? {
        (sendings.map(\.next) + waiting.map(\.due) + unconfirmed.map(\.due)).min()
    }

    /// Does what is due now and looks at what has happened.
    mutating func play(in world: World) {
        startSendings(world)
        for text in waiting where text.due <= world.now { hand(text, to: world) }
        waiting.removeAll { $0.due <= world.now }
        for event in newEvents(world) {
            switch event.kind {
            case .peerMessage: received(event, world)
            case .peerCommand: answered(event, world)
            default: break
            }
        }
        retryUnconfirmed(world)
    }

    private mutating func startSendings(_ world: World) {
        for index in sendings.indices where sendings[index].next <= world.now {
            let sending = sendings[index]
            switch sending.destination {
            case .node(let other):
                let key = world.publicKey(of: other)
                waiting.append(Direct(node: sending.node, to: key, text: sending.text, due: world.now))
            case .channel(let slot): world.sendChannelText(as: sending.node, channel: slot, sending.text)
            }
            sendings[index].next = sending.every.map { sending.next.advanced(by: $0) } ?? .distantFuture
        }
        sendings.removeAll { $0.next == .distantFuture }
    }

    private mutating func hand(_ text: Direct, to world: World) {
        // A radio that is off answers nothing, now or later.
        guard world.inspect(text.node).isOn else { return }
        var text = text
        let timestamp = text.timestamp ?? world.clock(of: text.node)
        text.timestamp = timestamp
        handedOver.append(text)
        world.sendText(
            as: text.node, to: text.to, text.text, attempt: text.attempt, timestamp: timestamp, cause: text.cause)
    }

    private mutating func newEvents(_ world: World) -> [RunEvent] {
        let events = world.journal.events(from: cursor)
        cursor += events.count
        if cursor - discarded >= Self.keptEvents {
            world.journal.discard(before: cursor)
            discarded = cursor
        }
        return events
    }

    private mutating func received(_ event: RunEvent, _ world: World) {
        guard echoing.contains(event.subject), case .bytes(let frame) = event["frame"],
            case .directMessage(let message) = RadioFrame.decode(frame), message.type == .plain,
            let sender = Self.contact(message.senderPrefix, of: event.subject, in: world)
        else { return }
        let text = Self.cut("echo: " + message.text.string, to: SendTextCommand.maxTextSize)
        waiting.append(
            Direct(
                node: event.subject, to: sender, text: text, due: world.now.advanced(by: Self.answerDelay),
                cause: event.id))
    }

    /// The radio's answer to a text: SENT with the confirmation's code and the time to wait for it, or an error.
    private mutating func answered(_ event: RunEvent, _ world: World) {
        guard event["code"] == .int(Int64(CommandCode.sendText.rawValue)),
            let index = handedOver.firstIndex(where: { $0.node == event.subject })
        else { return }
        var text = handedOver.remove(at: index)
        guard case .list(let answers) = event["answers"], case .bytes(let frame) = answers.first,
            case .sent(let sent) = RadioFrame.decode(frame)
        else { return }
        text.ack = sent.tag
        text.due = world.now.advanced(by: .milliseconds(Int64(sent.suggestedTimeoutMillis) * 6 / 5))
        unconfirmed.append(text)
    }

    private mutating func retryUnconfirmed(_ world: World) {
        for var text in unconfirmed where text.due <= world.now {
            let isAwaited = world.inspect(text.node).companion?.expectedAcks.contains(text.ack) ?? false
            guard isAwaited, text.attempt + 1 < Self.maxAttempts else { continue }
            text.attempt += 1
            hand(text, to: world)
        }
        unconfirmed.removeAll { $0.due <= world.now }
    }

    private static func contact(_ prefix: [UInt8], of node: String, in world: World) -> PublicKey? {
        world.inspect(node).companion?.contacts.first { $0.key.matches(prefix: prefix) }?.key
    }

    /// At most so many bytes, without half a character.
    static func cut(_ text: String, to limit: Int) -> String {
        var cut = text
        while cut.utf8.count > limit { cut.removeLast() }
        return cut
    }
}
