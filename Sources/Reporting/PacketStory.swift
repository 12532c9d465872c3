internal import MeshProtocol
internal import RigBase
package import RunRecord

/// The life of one packet, told from the events of a run: why it came to be, who sent it on, who heard it and who did
/// not and why, and what came of it.
package struct PacketStory {
    private let events: [RunEvent]
    private let byID: [EventID: RunEvent]
    private let lineage: UInt64

    /// What cannot be told.
    package struct Unknown: Error, CustomStringConvertible { package var description: String }

    /// `packet` is a lineage number, the beginning of a packet hash in hex (four digits or more), or `last`.
    package init(_ events: [RunEvent], packet: String) throws(Unknown) {
        self.events = events
        byID = Dictionary(events.map { ($0.id, $0) }) { first, _ in first }
        lineage = try Self.find(packet, in: events)
    }

    private static func find(_ packet: String, in events: [RunEvent]) throws(Unknown) -> UInt64 {
        let known = events.filter { $0.kind == .packetQueued || $0.kind == .packetSent }
        guard let last = known.last(where: { $0.packet != nil })?.packet else {
            throw Unknown(description: "no packet went on the air in this case")
        }
        if packet == "last" { return last }
        if let number = UInt64(packet), known.contains(where: { $0.packet == number }) { return number }
        let prefix = packet.lowercased()
        let isHash = prefix.count >= 4 && prefix.allSatisfy(\.isHexDigit)
        var found: [UInt64] = []
        for event in known where isHash {
            guard let lineage = event.packet, !found.contains(lineage), hash(of: event)?.hasPrefix(prefix) == true
            else { continue }
            found.append(lineage)
        }
        switch found.count {
        case 1: return found[0]
        case 0:
            throw Unknown(
                description:
                    "there is no packet \"\(packet)\"; a packet is a number up to \(last), the beginning of a hash"
                    + " or last")
        default:
            let numbers = found.map { "\($0)" }.joined(separator: ", ")
            throw Unknown(description: "the hash \(packet) is that of packets \(numbers); name one by its number")
        }
    }

    private static func hash(of event: RunEvent) -> String? {
        guard let bytes = frame(of: event), let packet = try? Packet(parsing: bytes) else { return nil }
        return packet.hash.description
    }

    /// The frame of a sent packet; a record read from a file holds it as text.
    private static func frame(of event: RunEvent) -> [UInt8]? {
        switch event["bytes"] {
        case .bytes(let bytes)?: bytes
        case .text(let text)?: Hex.decode(text)
        default: nil
        }
    }

    // MARK: Telling

    package var lines: [String] {
        let own = events.filter { $0.packet == lineage }
        let sent = own.filter { $0.kind == .packetSent }
        var lines = [title(own.first { $0.kind == .packetQueued } ?? sent.first, sent)]
        lines += origin(own)
        lines.append("")
        for event in own {
            switch event.kind {
            case .packetQueued: lines.append(row(event, "queued it" + wait(event)))
            case .packetSent: lines += transmission(event)
            case .channelBusy:
                let wait = number(event, "wait").map { ", looks again in \($0) ms" } ?? ""
                lines.append(row(event, "found the channel busy" + wait))
            case .airtimeSpent:
                let wait = number(event, "wait").map { ", waits at least \($0) ms" } ?? ""
                lines.append(row(event, "had used up its share of air time" + wait))
            case .queueDropped:
                lines.append(row(event, "lost a message of it: " + text(event, "reason", or: "queue full")))
            default: continue
            }
        }
        if sent.isEmpty { lines.append("  it was not on the air when the run ended") }
        let children = consequences(of: lineage)
        if !children.isEmpty { lines += ["", "what came of it"] + children }
        return lines
    }

    private func title(_ event: RunEvent?, _ sent: [RunEvent]) -> String {
        guard let event else { return "packet \(lineage)" }
        let kind = [text(event, "type", or: "bytes"), "by", text(event, "route", or: "air")].joined(separator: " ")
        let hash = sent.first.flatMap { Self.hash(of: $0) }.map { ", hash \($0)" } ?? ""
        return "packet \(lineage): \(kind) from \(PlainText.printable(event.subject))\(hash)"
    }

    /// The chain of causes before the packet's first event, oldest first.
    private func origin(_ own: [RunEvent]) -> [String] {
        var chain: [RunEvent] = []
        var next = own.first?.cause
        while let id = next, let event = byID[id], chain.count < 100 {
            chain.append(event)
            next = event.cause.flatMap { $0 < id ? $0 : nil }
        }
        guard !chain.isEmpty else { return ["  nothing in the run caused it"] }
        return ["because of"] + chain.reversed().map { "  " + EventText.line($0) }
    }

    private func transmission(_ sent: RunEvent) -> [String] {
        let reports = events.filter { $0.cause == sent.id && ($0.kind == .packetReceived || $0.kind == .packetMissed) }
        let airtime = number(sent, "airtime").map { ", \(($0 + 500) / 1_000) ms on the air" } ?? ""
        let hops = number(sent, "hops").map { ", \(PlainText.count(Int($0), "hop"))" } ?? ""
        var lines = [row(sent, "sent it" + hops + airtime)]
        for report in reports { lines.append(indented(report, outcome(of: report))) }
        let concerned = Set(reports.map(\.subject)).union([sent.subject])
        var names: [String] = []
        for event in events where event.kind == .nodeBooted {
            if !concerned.contains(event.subject), !names.contains(event.subject) { names.append(event.subject) }
        }
        // A frame that a test put on the air goes to one node only; the others are not out of its range.
        guard !names.isEmpty, sent["to"] == nil else { return lines }
        for name in names {
            guard let change = lastChange(of: sent.subject, to: name, before: sent), change["up"]?.plainText == "false"
            else { continue }
            lines.append(
                String(repeating: " ", count: 12) + PlainText.padded(PlainText.printable(name), 8)
                    + "  its link from there is cut since \(change.at)")
        }
        names.removeAll { name in
            lastChange(of: sent.subject, to: name, before: sent).map { $0["up"]?.plainText == "false" } ?? false
        }
        guard !names.isEmpty else { return lines }
        if endedBefore(sent) {
            lines.append(String(repeating: " ", count: 12) + "the run ended before it was over")
            return lines
        }
        let shown = names.prefix(8).map(PlainText.printable).joined(separator: ", ")
        let more = names.count > 8 ? " and \(names.count - 8) more" : ""
        lines.append(String(repeating: " ", count: 12) + "out of range: " + shown + more)
        return lines
    }

    /// How a link was last changed before a packet went on the air.
    private func lastChange(of sender: String, to name: String, before sent: RunEvent) -> RunEvent? {
        events.last {
            $0.kind == .linkChanged && $0.subject == sender && $0.id < sent.id && $0["to"]?.plainText == name
        }
    }

    /// Every packet of a run on a line of its own, for choosing one.
    package static func list(_ events: [RunEvent]) -> [String] {
        func row(_ columns: [String]) -> String {
            zip(columns, [6, 10, 8, 8, 14, 4, 5]).map { PlainText.padded($0, $1) }.joined(separator: "  ")
        }
        var seen: Set<UInt64> = []
        var lines = [row(["packet", "at", "from", "type", "route", "sent", "heard"])]
        var counts: [UInt64: (sent: Int, heard: Int)] = [:]
        for event in events {
            guard let packet = event.packet else { continue }
            if event.kind == .packetSent { counts[packet, default: (0, 0)].sent += 1 }
            if event.kind == .packetReceived { counts[packet, default: (0, 0)].heard += 1 }
        }
        for event in events where event.kind == .packetQueued || event.kind == .packetSent {
            guard let packet = event.packet, seen.insert(packet).inserted else { continue }
            let count = counts[packet] ?? (0, 0)
            lines.append(
                row([
                    "\(packet)", event.at.description, PlainText.printable(event.subject),
                    event["type"]?.plainText ?? "?", event["route"]?.plainText ?? "?", "\(count.sent)",
                    "\(count.heard)",
                ]))
        }
        return lines
    }

    /// Whether the record ends while the packet is still on the air.
    private func endedBefore(_ sent: RunEvent) -> Bool {
        guard let airtime = number(sent, "airtime"), let last = events.last else { return false }
        return last.at < sent.at.advanced(by: .microseconds(airtime))
    }

    private func outcome(of report: RunEvent) -> String {
        let snr = number(report, "snr").map { " (SNR \(Self.quarters($0)) dB)" } ?? ""
        guard report.kind == .packetReceived else {
            let reason = text(report, "reason", or: "unknown")
            let other = obstacle(report, reason)
            return "missed it\(snr): " + (Self.missed[reason] ?? reason) + other
        }
        // The firmware may hold a packet back by its receive delay, so what it did is not the next event.
        let then = events.filter { $0.cause == report.id }
        var deeds: [String] = []
        for event in then {
            switch event.kind {
            case .packetForwarded where event.packet == lineage: deeds.append("passes it on" + wait(event))
            case .packetIgnored:
                let reason = text(event, "reason", or: "unknown")
                deeds.append(Self.ignored[reason] ?? reason)
            case .packetQueued:
                guard let other = event.packet, other != lineage else { continue }
                deeds.append("it was for this node, which answers with packet \(other)")
            case EventKind("message-queued"): deeds.append("it keeps the message for its app")
            case .queueDropped: deeds.append("its queue for the app was full")
            case .frameFromRadio:
                // What its app logs of every packet says nothing about this one.
                guard let name = text(event, "name"), name != "received-packet-log" else { continue }
                deeds.append("tells its app: " + name)
            case .packetSent, .packetReceived, .packetMissed, .channelBusy, .airtimeSpent: continue
            default: deeds.append(event.kind.rawValue)
            }
        }
        return "heard it\(snr)" + (deeds.isEmpty ? "" : ": " + deeds.joined(separator: "; "))
    }

    /// The packet that stood in the way of another.
    private func obstacle(_ report: RunEvent, _ reason: String) -> String {
        guard let name = text(report, "with") else { return "" }
        let packet = "packet \(number(report, "with-packet").map(String.init) ?? "?")"
        let sender = " from " + PlainText.printable(name)
        return switch reason {
        case "collision": " with " + packet + sender
        case "half-duplex": ", " + packet
        default: ", " + packet + sender
        }
    }

    /// Packets that exist because of one, with what they led to in turn.
    private func consequences(of lineage: UInt64, depth: Int = 1) -> [String] {
        var lines: [String] = []
        for event in events where event.kind == .packetQueued {
            guard let other = event.packet, other != lineage, parent(of: event) == lineage else { continue }
            let last = events.last { $0.packet == other && $0.kind == .packetReceived }
            let reached =
                last.map { ", last heard by \(PlainText.printable($0.subject)) at \($0.at)" } ?? ", heard by nobody"
            lines.append(
                String(repeating: "  ", count: depth)
                    + "packet \(other): \(text(event, "type", or: "?")) by \(text(event, "route", or: "?")) from "
                    + "\(PlainText.printable(event.subject)) at \(event.at)" + reached)
            if depth < 8 { lines += consequences(of: other, depth: depth + 1) }
        }
        return lines
    }

    /// The packet whose arrival led to this event, through whatever lies between.
    private func parent(of event: RunEvent) -> UInt64? {
        var next = event.cause
        while let id = next, let cause = byID[id] {
            if let packet = cause.packet, packet != event.packet { return packet }
            next = cause.cause.flatMap { $0 < id ? $0 : nil }
        }
        return nil
    }

    // MARK: Words

    private static let missed = [
        "half-duplex": "it was sending itself", "receiver-busy": "it was receiving something else",
        "collision": "collided", "too-weak": "too weak to be demodulated", "link-loss": "the link lost it",
        "other-settings": "its radio has other settings", "radio-off": "it was off",
        "too-late": "it began to listen too late", "fading": "the link had faded",
    ]

    private static let ignored = [
        "duplicate": "a duplicate", "not-for-this-node": "not for this node, which does not forward",
        "not-opened": "addressed to it, but it knows nobody whose key opens it",
        "not-next-hop": "another node is the next hop", "hop-limit": "not passed on: hop limit",
        "hop-limit-unscoped": "not passed on: hop limit of floods without a region",
        "hop-limit-adverts": "not passed on: hop limit of adverts", "other-region": "not passed on: not its region",
        "loop": "not passed on: it has been here before", "forwarding-off": "not passed on: forwarding is off",
        "forwarding-refused": "not passed on", "path-full": "not passed on: the path is full",
        "no-buffer": "lost: every packet buffer was in use", "own-advert": "its own advert",
        "bad-signature": "thrown away: the signature is wrong", "malformed": "thrown away: malformed",
        "too-short": "thrown away: too short", "no-channel": "no channel of it opens this",
    ]

    private func row(_ event: RunEvent, _ what: String) -> String {
        PlainText.rightAligned(event.at.description, 10) + "  "
            + PlainText.padded(PlainText.printable(event.subject), 8)
            + "  " + what
    }

    private func indented(_ event: RunEvent, _ what: String) -> String {
        String(repeating: " ", count: 12) + PlainText.padded(PlainText.printable(event.subject), 8) + "  " + what
    }

    private func wait(_ event: RunEvent) -> String {
        number(event, "delay").map { $0 > 0 ? ", to be sent in \($0) ms" : "" } ?? ""
    }

    private func text(_ event: RunEvent, _ name: String) -> String? {
        if case .text(let text)? = event[name] { text } else { nil }
    }

    private func text(_ event: RunEvent, _ name: String, or other: String) -> String { text(event, name) ?? other }

    private func number(_ event: RunEvent, _ name: String) -> Int64? {
        if case .int(let number)? = event[name] { number } else { nil }
    }

    private static func quarters(_ value: Int64) -> String {
        let fraction = ["", ".25", ".5", ".75"][Int(value.magnitude % 4)]
        return (value < 0 ? "-" : "") + "\(value.magnitude / 4)" + fraction
    }
}
