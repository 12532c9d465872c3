internal import CompanionProtocol
internal import RigBase
package import RunRecord

/// Says what an event was in one line: `12.345s  alice  → radio  send-text attempt=0 …`.
package enum EventText {
    /// Time, subject and what happened.
    package static func line(_ event: RunEvent) -> String {
        let time = PlainText.rightAligned(event.at.description, 10)
        let who = PlainText.padded(PlainText.printable(event.subject.isEmpty ? "·" : event.subject), 8)
        return time + "  " + who + "  " + what(event)
    }

    /// What happened, without time and subject.
    package static func what(_ event: RunEvent) -> String {
        switch event.kind {
        case .frameToRadio: "→ radio  " + frame(event)
        case .frameFromRadio: "← radio  " + frame(event)
        case .noise: "noise on the link  " + details(event.fields.entries)
        default:
            PlainText.padded(event.kind.rawValue, 16) + "  " + details(event)
                + (event.packet.map { "  packet \($0)" } ?? "")
        }
    }

    private static func frame(_ event: RunEvent) -> String {
        guard case .bytes(let bytes)? = event["frame"] else { return details(event.fields.entries) }
        let direction: LinkDirection = event.kind == .frameToRadio ? .toRadio : .fromRadio
        let line = PlainText.printable(FrameDescription.line(bytes, direction))
        let rest = event.fields.entries.filter { !["frame", "name", "code"].contains($0.name) }
        let more = rest.isEmpty ? "" : "  " + details(rest)
        return (line.count > frameLimit ? line.prefix(frameLimit - 1) + "…" : line) + more
    }

    /// A frame's fields are cut behind this many characters.
    private static let frameLimit = 160

    /// An SNR is told in dB, although the record keeps quarters of one.
    private static func details(_ event: RunEvent) -> String {
        let entries = event.fields.entries.map { entry in
            var entry = entry
            if entry.name == "snr", let text = event.plainText(of: "snr") { entry.value = .text(text + "dB") }
            return entry
        }
        return details(entries)
    }

    private static func details(_ entries: [Fields.Entry]) -> String {
        entries.map { PlainText.printable($0.name) + "=" + value($0.value) }.joined(separator: " ")
    }

    private static func value(_ value: FieldValue) -> String {
        switch value {
        case .int(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .bytes(let bytes): hex(bytes)
        case .list(let values): "[" + values.map(Self.value).joined(separator: ",") + "]"
        case .text(let text): quotedWhenNeeded(text)
        }
    }

    private static func quotedWhenNeeded(_ text: String) -> String {
        let clean = PlainText.printable(text)
        let short = clean.count > 60 ? clean.prefix(59) + "…" : clean
        return short.isEmpty || short.contains(" ") ? "\"" + short + "\"" : short
    }

    /// The first 24 bytes in hex, and how many there are when there are more.
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.count <= 24 ? Hex.encode(bytes) : Hex.encode(bytes.prefix(24)) + "… (\(bytes.count) bytes)"
    }
}
