internal import RigBase
internal import RunRecord

/// Tells how two records of runs differ, for people and as JSON.
package struct DiffText: Sendable {
    private let pairing: RunPairing
    /// What the two sides are called.
    private let names: (left: String, right: String)
    /// So many differing runs are told in full; of more only that they differ.
    package static let detailLimit = 10

    package init(_ pairing: RunPairing, left: String, right: String) {
        self.pairing = pairing
        names = (PlainText.printable(left), PlainText.printable(right))
    }

    package var lines: [String] {
        var lines: [String] = []
        var told = 0
        for pair in pairing.pairs {
            let difference = pair.difference
            lines.append(head(pair))
            if !difference.started.isEmpty { lines += ["  started differently:"] + difference.started.map(part) }
            guard !difference.isSame else { continue }
            told += 1
            if told <= Self.detailLimit { lines += detail(difference) }
        }
        lines += pairing.onlyLeft.map { "\(PlainText.printable($0.id)), seed \($0.seed): only in \(names.left)" }
        lines += pairing.onlyRight.map { "\(PlainText.printable($0.id)), seed \($0.seed): only in \(names.right)" }
        let same = pairing.pairs.count { $0.difference.isSame }
        let lone = pairing.onlyLeft.count + pairing.onlyRight.count
        lines.append(
            "\(same) the same, \(pairing.pairs.count - same) different" + (lone > 0 ? ", \(lone) on one side only" : "")
        )
        return lines
    }

    private func head(_ pair: RunPairing.Pair) -> String {
        let (left, right) = pair.seeds
        let seed = left == right ? "seed \(left)" : "seeds \(left) and \(right)"
        let start = "\(PlainText.printable(pair.id)), \(seed): "
        guard !pair.difference.isSame else { return start + "the same, \(PlainText.count(pair.counts.left, "event"))" }
        let common = pair.difference.common.map { Int($0.id.number) } ?? 0
        return start + "different after \(PlainText.count(common, "common event"))"
            + " (of \(pair.counts.left) and \(pair.counts.right))"
    }

    private func detail(_ difference: RunDifference) -> [String] {
        var lines: [String] = []
        if let common = difference.common { lines += ["  last in common:", event(common)] }
        for (name, first) in [(names.left, difference.left), (names.right, difference.right)] {
            lines += ["  then in \(name):", first.map(event) ?? "    nothing more"]
        }
        if !difference.parts.isEmpty { lines += ["  what differs:"] + difference.parts.map(part) }
        if difference.leftChain == difference.rightChain {
            if !difference.leftChain.isEmpty { lines += ["  what led there in both:"] + chain(difference.leftChain) }
            return lines
        }
        for (name, chain) in [(names.left, difference.leftChain), (names.right, difference.rightChain)]
        where !chain.isEmpty {
            lines += ["  what led there in \(name):"] + self.chain(chain)
        }
        return lines
    }

    private func chain(_ events: [RunEvent]) -> [String] {
        guard events.count > FailureText.chainLimit else { return events.map(event) }
        let half = FailureText.chainLimit / 2
        return events.prefix(half).map(event) + ["    … \(events.count - 2 * half) more events …"]
            + events.suffix(half).map(event)
    }

    private func event(_ event: RunEvent) -> String {
        "    " + PlainText.rightAligned(event.id.description, 7) + EventText.line(event)
    }

    private func part(_ part: RunDifference.Part) -> String {
        "    " + PlainText.printable(part.name) + ": " + Self.value(part.left) + " · " + Self.value(part.right)
    }

    private static func value(_ value: FieldValue?) -> String {
        guard let value else { return "not there" }
        let text = PlainText.printable(value.plainText)
        return text.isEmpty ? "nothing" : text.count > valueLimit ? text.prefix(valueLimit - 1) + "…" : text
    }

    /// Values of fields are cut behind this many characters.
    private static let valueLimit = 120

    /// One object: `same`, `runs` with the first divergence of each, and what only one side has.
    package var json: String {
        var json = JSONText()
        json.object { json in
            json.key("same")
            json.bool(pairing.isSame)
            json.key("left")
            json.string(names.left)
            json.key("right")
            json.string(names.right)
            json.key("runs")
            json.array { json in for pair in pairing.pairs { write(pair, &json) } }
            for (key, lone) in [("only-left", pairing.onlyLeft), ("only-right", pairing.onlyRight)] {
                json.key(key)
                json.array { json in
                    for item in lone {
                        json.object { json in
                            json.key("id")
                            json.string(item.id)
                            json.key("seed")
                            json.integer(item.seed)
                        }
                    }
                }
            }
        }
        return json.text
    }

    private func write(_ pair: RunPairing.Pair, _ json: inout JSONText) {
        json.object { json in
            json.key("id")
            json.string(pair.id)
            json.key("seeds")
            json.array { json in
                json.integer(pair.seeds.left)
                json.integer(pair.seeds.right)
            }
            json.key("events")
            json.array { json in
                json.integer(pair.counts.left)
                json.integer(pair.counts.right)
            }
            json.key("same")
            json.bool(pair.difference.isSame)
            if !pair.difference.started.isEmpty {
                json.key("started")
                write(pair.difference.started, &json)
            }
            guard !pair.difference.isSame else { return }
            let difference = pair.difference
            for (key, event) in [
                ("common", difference.common), ("left", difference.left), ("right", difference.right),
            ] {
                json.key(key)
                if let event { json.event(event, withHostFacts: false) } else { json.null() }
            }
            json.key("differences")
            write(difference.parts, &json)
            for (key, chain) in [("left-chain", difference.leftChain), ("right-chain", difference.rightChain)] {
                json.key(key)
                json.array { json in for event in chain { json.event(event, withHostFacts: false) } }
            }
        }
    }

    private func write(_ parts: [RunDifference.Part], _ json: inout JSONText) {
        json.array { json in
            for part in parts {
                json.object { json in
                    json.key("field")
                    json.string(part.name)
                    for (key, value) in [("left", part.left), ("right", part.right)] {
                        json.key(key)
                        if let value { json.value(value) } else { json.null() }
                    }
                }
            }
        }
    }
}
