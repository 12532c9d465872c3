internal import RigBase
package import RunRecord

/// Where two journals of one case part: what they still had in common, and what came instead of what.
package struct RunDifference: Sendable {
    /// A part of an event that is not the same on both sides; nil where a side does not have it.
    package struct Part: Sendable, Hashable {
        /// `time`, `who`, `kind`, `cause`, `packet`, or the name of a field.
        package var name: String
        package var left: FieldValue?
        package var right: FieldValue?

        package init(name: String, left: FieldValue?, right: FieldValue?) {
            self.name = name
            self.left = left
            self.right = right
        }
    }

    /// What the runs were started with, where that differs; it is no divergence by itself.
    package var started: [Part] = []
    /// The last event that both have.
    package var common: RunEvent?
    /// The first event that differs; nil on the side that has no more events.
    package var left: RunEvent?
    package var right: RunEvent?
    package var parts: [Part] = []
    /// What led to each of the two, oldest first, the event itself left out.
    package var leftChain: [RunEvent] = []
    package var rightChain: [RunEvent] = []

    /// No event differs.
    package var isSame: Bool { left == nil && right == nil }

    /// Host facts are not compared, and neither is how a run was started (`run-started`).
    package init(_ one: [RunEvent], _ other: [RunEvent]) {
        let shared = min(one.count, other.count)
        var index = 0
        while index < shared {
            let (a, b) = (one[index], other[index])
            if a.jsonLine(withHostFacts: false) != b.jsonLine(withHostFacts: false) {
                guard a.kind == .runStarted, b.kind == .runStarted else { break }
                started += Self.parts(a, b)
            }
            index += 1
        }
        guard index < max(one.count, other.count) else { return }
        common = index > 0 ? one[index - 1] : nil
        left = index < one.count ? one[index] : nil
        right = index < other.count ? other[index] : nil
        if let left, let right { parts = Self.parts(left, right) }
        leftChain = Self.chain(to: left, in: one)
        rightChain = Self.chain(to: right, in: other)
    }

    private static func parts(_ a: RunEvent, _ b: RunEvent) -> [Part] {
        var names: [String] = []
        for entry in a.fields.entries + b.fields.entries where !names.contains(entry.name) { names.append(entry.name) }
        var parts = [
            Part(name: "time", left: .text(a.at.description), right: .text(b.at.description)),
            Part(name: "who", left: .text(a.subject), right: .text(b.subject)),
            Part(name: "kind", left: .text(a.kind.rawValue), right: .text(b.kind.rawValue)),
            Part(
                name: "cause", left: a.cause.map { .int(number($0.number)) },
                right: b.cause.map { .int(number($0.number)) }),
            Part(name: "packet", left: a.packet.map { .int(number($0)) }, right: b.packet.map { .int(number($0)) }),
        ]
        if a.at != b.at, parts[0].left == parts[0].right {
            parts[0] = Part(name: "time (ns)", left: .int(a.at.nanoseconds), right: .int(b.at.nanoseconds))
        }
        // The fields of different kinds of events have nothing to do with each other.
        if a.kind == b.kind { parts += names.map { Part(name: $0, left: a.fields[$0], right: b.fields[$0]) } }
        return parts.filter { text($0.left) != text($0.right) }
    }

    private static func number(_ value: UInt64) -> Int64 { Int64(clamping: value) }

    /// Bytes and their hex text are one and the same: a file does not tell them apart.
    private static func text(_ value: FieldValue?) -> String? {
        value.map { value in
            var json = JSONText()
            json.value(value)
            return json.text
        }
    }

    private static func chain(to event: RunEvent?, in events: [RunEvent]) -> [RunEvent] {
        guard let event else { return [] }
        let positions = Dictionary(
            events.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        var chain: [RunEvent] = []
        var next = event.cause
        while let id = next, let position = positions[id] {
            chain.append(events[position])
            next = events[position].cause.flatMap { $0 < id ? $0 : nil }
        }
        return chain.reversed()
    }
}
