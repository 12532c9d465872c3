package import RigBase
package import RunRecord

/// What a run's messages cost, read from its journal.
package struct RunFigures: Sendable, Hashable {
    /// One message that the client sent or got.
    package struct Message: Sendable, Hashable {
        package var id: String
        package var isOutgoing: Bool
        /// The contact or channel.
        package var peer: String
        package var text: String
        package var stored: SimInstant
        /// Statuses in their order, with the time of the last.
        package var statuses: [String]
        package var changed: SimInstant
        /// Commands that sent it.
        package var attempts: Int
        /// Peers that it reached.
        package var arrivals: Int
    }

    package var messages: [Message] = []
    /// Duplicates that the client noticed, and messages of the client that reached a peer once more.
    package var duplicates = 0
    /// Frames on the client's host link, both ways.
    package var frames = 0
    /// By node, in the order of first sending.
    package var airtime: [NodeAirtime] = []

    /// What one node had on the air.
    package struct NodeAirtime: Sendable, Hashable {
        package var node: String
        package var micros: Int64 = 0
        package var packets = 0
    }

    package var sent: Int { messages.count { $0.isOutgoing } }
    /// Messages of the client that reached somebody.
    package var delivered: Int { messages.count { $0.isOutgoing && $0.arrivals > 0 } }
    /// Messages whose delivery the client knows of.
    package var acked: Int { messages.count { $0.isOutgoing && $0.statuses.contains("delivered") } }
    package var attempts: Int { messages.reduce(0) { $0 + $1.attempts } }
    /// Transmissions of all nodes.
    package var packets: Int { airtime.reduce(0) { $0 + $1.packets } }
    package var airtimeMicros: Int64 { airtime.reduce(0) { $0 + $1.micros } }

    package init(_ events: [RunEvent]) {
        var byEvent: [EventID: Int] = [:]
        var byID: [String: Int] = [:]
        var nodes: [String: Int] = [:]
        var reached: Set<[String]> = []
        /// The message that an event came of; causes stand before what they cause.
        var origin: [EventID: Int] = [:]
        for event in events {
            let parent = event.cause.flatMap { byEvent[$0] ?? origin[$0] }
            if let parent { origin[event.id] = parent }
            switch event.kind {
            case .messageStored:
                byEvent[event.id] = messages.count
                byID[event["id"]?.plainText ?? ""] = messages.count
                messages.append(Message(event))
            case .messageStatus:
                guard let place = byID[event["id"]?.plainText ?? ""] else { continue }
                messages[place].statuses.append(event["status"]?.plainText ?? "")
                messages[place].changed = event.at
            case .messageDuplicate: duplicates += 1
            case .frameFromRadio: frames += 1
            case .frameToRadio:
                frames += 1
                guard let parent, Self.sending.contains(event["name"]?.plainText ?? "") else { continue }
                messages[parent].attempts += 1
            case .messageQueued:
                guard let parent, messages[parent].isOutgoing else { continue }
                let isFirst = reached.insert(["\(parent)", event.subject]).inserted
                if isFirst { messages[parent].arrivals += 1 } else { duplicates += 1 }
            case .packetSent:
                guard let micros = event["airtime"]?.number else { continue }
                let place = nodes[event.subject] ?? airtime.count
                if place == airtime.count { airtime.append(NodeAirtime(node: event.subject)) }
                nodes[event.subject] = place
                airtime[place].micros += micros
                airtime[place].packets += 1
            default: continue
            }
        }
    }

    private static let sending = ["send-text", "send-channel-text"]
}

extension RunFigures.Message {
    fileprivate init(_ event: RunEvent) {
        id = event["id"]?.plainText ?? ""
        isOutgoing = event["direction"] == "outgoing"
        let contact = event["contact"] ?? event["sender"] ?? ""
        peer = event["channel"].map { $0.plainText } ?? contact.plainText
        text = event["text"]?.plainText ?? ""
        stored = event.at
        statuses = []
        changed = event.at
        attempts = 0
        arrivals = 0
    }
}
