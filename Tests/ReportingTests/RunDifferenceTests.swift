import Reporting
import RigBase
import RunRecord
import Testing

@Suite struct RunDifferenceTests {
    /// A short run; `change` may spoil the events before they are kept.
    private func events(_ change: (inout RunEvent) -> Void = { _ in }) -> [RunEvent] {
        let journal = Journal()
        journal.post(.runStarted, "", at: .zero, ["seed": "1", "defects": .list([])])
        let step = journal.post(.stepStarted, "", at: .zero, ["step": "send"])
        let frame = journal.post(
            .frameToRadio, "alice", at: SimInstant(milliseconds: 5), cause: step,
            ["name": "send-text", "frame": .bytes([2, 0, 1])])
        journal.post(.packetSent, "alice", at: SimInstant(milliseconds: 9), cause: frame, packet: 1, ["airtime": 250])
        journal.post(.runEnded, "", at: SimInstant(milliseconds: 20))
        return journal.events().map { event in
            var event = event
            change(&event)
            return event
        }
    }

    private func pairing(_ left: [RunEvent], _ right: [RunEvent]) -> RunPairing {
        RunPairing(
            [RunFile.Case(number: 1, id: "a", seed: 1, events: left)],
            [RunFile.Case(number: 4, id: "a", seed: 1, events: right)])
    }

    @Test func `the same events are the same, whatever the machine`() {
        let other = events { $0.hostFacts = ["pid": .int(Int64($0.id.number))] }
        #expect(RunDifference(events(), other).isSame)
    }

    @Test func `the first event that differs is found, with what differs and what led there`() throws {
        let other = events {
            if $0.kind == .packetSent { ($0.at, $0.fields["airtime"]) = (SimInstant(milliseconds: 10), 251) }
        }
        let difference = RunDifference(events(), other)
        #expect(difference.common?.kind == .frameToRadio)
        #expect(difference.left?.id == EventID(4) && difference.right?.id == EventID(4))
        #expect(difference.parts.map(\.name) == ["time", "airtime"])
        #expect(difference.parts.map(\.right) == ["0.010s", 251])
        #expect(difference.leftChain.map(\.kind) == [.stepStarted, .frameToRadio])
        let text = DiffText(pairing(events(), other), left: "l", right: "r").lines.joined(separator: "\n")
        #expect(text.contains("a, seed 1: different after 3 common events (of 5 and 5)"))
        #expect(text.contains("    airtime: 250 · 251\n"))
        #expect(text.contains("what led there in both:"))
        #expect(text.hasSuffix("\n0 the same, 1 different"))
    }

    @Test func `a difference below a millisecond is shown`() {
        let other = events { if $0.kind == .packetSent { $0.at = SimInstant(nanoseconds: 9_000_001) } }
        #expect(RunDifference(events(), other).parts == [.init(name: "time (ns)", left: 9_000_000, right: 9_000_001)])
    }

    @Test func `bytes equal their hex, as a file has them`() {
        #expect(RunDifference(events(), events { if $0["frame"] != nil { $0.fields["frame"] = "020001" } }).isSame)
    }

    @Test func `a run that ends sooner differs, and how runs were started is told apart`() {
        let other = events { if $0.kind == .runStarted { $0.fields["defects"] = .list([.text("x")]) } }
        let difference = RunDifference(events(), Array(other.dropLast()))
        #expect(difference.started.map(\.name) == ["defects"])
        #expect(difference.left?.kind == .runEnded && difference.right == nil)
        #expect(RunDifference(events(), other).isSame)
    }

    @Test func `cases are paired by id and seed, repeats in order`() {
        func run(_ id: String, _ seed: UInt64, _ airtime: FieldValue = 250) -> RunFile.Case {
            RunFile.Case(
                number: 1, id: id, seed: seed,
                events: events { if $0["airtime"] != nil { $0.fields["airtime"] = airtime } })
        }
        let pairing = RunPairing(
            [run("a", 1), run("a", 2), run("a", 1, 7), run("b", 1)],
            [run("a", 1), run("a", 1, 7), run("a", 2, 9), run("c", 1)])
        #expect(pairing.pairs.map(\.difference.isSame) == [true, false, true])
        #expect(pairing.onlyLeft == [.init(id: "b", seed: 1)])
        #expect(pairing.onlyRight == [.init(id: "c", seed: 1)])
        #expect(RunPairing([run("a", 1)], [run("a", 2)]).pairs.count == 1)
    }

    @Test func `the JSON is JSON and has both events whole`() throws {
        let other = events { if $0.kind == .packetSent { $0.packet = 2 } }
        let text = DiffText(pairing(events(), other), left: "l", right: "r").json
        let value = try JSONReader.read(Array(text.utf8)[...])
        #expect(value["same"] == .bool(false))
        let run = try #require(value["runs"]?.elements?.first)
        #expect(run["left"]?["packet"]?.integer == 1 && run["right"]?["packet"]?.integer == 2)
        #expect(run["differences"]?.elements?.map { $0["field"] } == [.string("packet")])
        #expect(run["left-chain"]?.elements?.count == 2)
    }
}
