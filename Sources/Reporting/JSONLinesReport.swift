package import RunRecord

/// The results as JSON, one object a line: a `case` line, its `expectation` and `fault` lines, then its events.
///
/// Holds no host facts, no wall times and nothing that depends on how many cases ran at once, so that two runs of one
/// build with one seed give the same bytes.
package enum JSONLinesReport {
    /// Version of the lines' meaning.
    package static let version = 1

    package static func header(seeds: [UInt64]) -> String {
        var json = JSONText()
        json.object { json in
            json.key("kind")
            json.string("run")
            json.key("version")
            json.integer(version)
            json.key("seeds")
            json.array { for seed in seeds { $0.integer(seed) } }
        }
        return json.text + "\n"
    }

    /// All lines of one case; `number` counts the cases of the run from 1.
    package static func lines(_ result: CaseResult, number: Int) -> String {
        var text = caseLine(result, number)
        for expectation in result.expectations { text += expectationLine(expectation, number) }
        for fault in result.faults { text += faultLine(fault, number) }
        for event in result.journal?.events() ?? [] {
            text += "{\"kind\":\"event\",\"case\":\(number),\"event\":" + event.jsonLine(withHostFacts: false) + "}\n"
        }
        return text
    }

    private static func caseLine(_ result: CaseResult, _ number: Int) -> String {
        var json = JSONText()
        json.object { json in
            json.key("kind")
            json.string("case")
            json.key("case")
            json.integer(number)
            json.key("id")
            json.string(result.id)
            json.key("title")
            json.string(result.title)
            json.key("tags")
            json.array { for tag in result.tags { $0.string(tag) } }
            json.key("seed")
            json.integer(result.seed)
            json.key("verdict")
            json.string(result.verdict.rawValue)
            if !result.reason.isEmpty {
                json.key("reason")
                json.string(result.reason)
            }
            json.key("virtual-ms")
            json.integer(PlainText.milliseconds(result.virtualTime))
            json.key("events")
            json.integer(result.eventCount)
            json.key("digest")
            json.string(result.digest)
            json.key("replay")
            json.string(result.replayCommand)
        }
        return json.text + "\n"
    }

    private static func expectationLine(_ expectation: ExpectationResult, _ number: Int) -> String {
        var json = JSONText()
        json.object { json in
            json.key("kind")
            json.string("expectation")
            json.key("case")
            json.integer(number)
            json.key("name")
            json.string(expectation.name)
            json.key("verdict")
            json.string(expectation.verdict.rawValue)
            json.key("expected")
            json.string(expectation.expected)
            if !expectation.seen.isEmpty {
                json.key("seen")
                json.string(expectation.seen)
            }
            json.key("spot")
            json.string(expectation.spot)
            if let evidence = expectation.evidence {
                json.key("evidence")
                json.integer(evidence.number)
            }
        }
        return json.text + "\n"
    }

    private static func faultLine(_ fault: FaultCount, _ number: Int) -> String {
        var json = JSONText()
        json.object { json in
            json.key("kind")
            json.string("fault")
            json.key("case")
            json.integer(number)
            for (key, text) in [("name", fault.name), ("seam", fault.seam), ("action", fault.action)] {
                json.key(key)
                json.string(text)
            }
            for (key, count) in [("armed", fault.armed), ("observed", fault.observed), ("fired", fault.fired)] {
                json.key(key)
                json.integer(count)
            }
        }
        return json.text + "\n"
    }
}
