import MeshProtocol
import Reporting
import RigBase
import RunRecord
import Testing

@Suite struct PacketStoryTests {
    private static let frame = Packet.flood(.ack, [1, 2, 3, 4])

    /// alice sends, hill hears and repeats, bob hears both, carol misses one and dave is not in range.
    private func journal() -> Journal {
        let journal = Journal()
        for name in ["alice", "hill", "bob", "carol", "dave"] { journal.post(.nodeBooted, name, at: .zero) }
        func at(_ millisecond: Int64) -> SimInstant { SimInstant(milliseconds: millisecond) }
        let asked = journal.post(.note, "alice", at: at(1), ["text": "asked"])
        let about: Fields = ["type": "ack", "route": "flood", "hops": 0]
        let queued = journal.post(.packetQueued, "alice", at: at(1), cause: asked, packet: 7, about)
        journal.post(.channelBusy, "alice", at: at(1), packet: 7, ["wait": 240])
        let sent = journal.post(
            .packetSent, "alice", at: at(2), cause: queued, packet: 7,
            about.merging(["bytes": .bytes(Self.frame.encoded), "airtime": 250_400]))
        let heard = journal.post(
            .packetReceived, "hill", at: at(252), cause: sent, packet: 7, ["from": "alice", "snr": 37])
        journal.post(.packetForwarded, "hill", at: at(252), cause: heard, packet: 7, ["delay": 90])
        journal.post(
            .packetMissed, "carol", at: at(252), cause: sent, packet: 7,
            ["from": "alice", "snr": -9, "reason": "collision", "with": "eve", "with-packet": 5])
        journal.post(
            .packetMissed, "frank", at: at(252), cause: sent, packet: 7,
            ["from": "alice", "snr": 4, "reason": "half-duplex", "with": "frank", "with-packet": 6])
        journal.post(
            .packetMissed, "grace", at: at(252), cause: sent, packet: 7,
            ["from": "alice", "snr": 4, "reason": "receiver-busy", "with": "eve", "with-packet": 5])
        let last = journal.post(
            .packetReceived, "bob", at: at(252), cause: sent, packet: 7, ["from": "alice", "snr": 8])
        let answer = journal.post(
            .packetQueued, "bob", at: at(252), cause: last, packet: 8,
            ["type": "path", "route": "direct", "delay": 500])
        let back = journal.post(.packetSent, "bob", at: at(800), cause: answer, packet: 8)
        journal.post(.packetReceived, "hill", at: at(900), cause: back, packet: 8, ["from": "bob", "snr": 8])
        return journal
    }

    @Test func `tells who heard a packet, who did not and why, and what came of it`() throws {
        let text = try PacketStory(journal().events(), packet: "7").lines.joined(separator: "\n")
        #expect(text.hasPrefix("packet 7: ack by flood from alice, hash \(Self.frame.hash)"))
        for part in [
            "because of\n", "text=asked", "sent it, 0 hops, 250 ms on the air",
            "hill      heard it (SNR 9.25 dB): passes it on, to be sent in 90 ms",
            "alice     found the channel busy, looks again in 240 ms",
            "carol     missed it (SNR -2.25 dB): collided with packet 5 from eve",
            "frank     missed it (SNR 1 dB): it was sending itself, packet 6",
            "grace     missed it (SNR 1 dB): it was receiving something else, packet 5 from eve",
            "bob       heard it (SNR 2 dB): it was for this node, which answers with packet 8",
            "out of range: dave", "packet 8: path by direct from bob", "last heard by hill",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `a packet is found by its number, its hash or as the last one`() throws {
        let events = journal().events()
        let hash = Self.frame.hash.description
        #expect(try PacketStory(events, packet: String(hash.prefix(6))).lines[0].hasPrefix("packet 7:"))
        #expect(try PacketStory(events, packet: "last").lines[0].hasPrefix("packet 8:"))
        for unknown in ["9", "zz", "ffff0000ffff"] {
            #expect(throws: PacketStory.Unknown.self) { _ = try PacketStory(events, packet: unknown) }
        }
    }

    @Test func `a run's lines give the same story as its journal`() throws {
        let journal = journal()
        let result = CaseResult(
            id: "x", title: "", tags: [], seed: 1, verdict: .passed, reason: "", expectations: [],
            virtualTime: .zero, hostTime: .zero, eventCount: journal.count, digest: journal.digest, replayCommand: "",
            journal: journal)
        let text = JSONLinesReport.header(seeds: [1]) + JSONLinesReport.lines(result, number: 1)
        let file = try RunFile(reading: Array(text.utf8))
        #expect(file.cases.map(\.id) == ["x"])
        let read = try PacketStory(file.cases[0].events, packet: "7").lines
        #expect(try read == PacketStory(journal.events(), packet: "7").lines)
    }

    @Test(arguments: [
        "", "{\"kind\":\"run\"}", "nonsense", "{\"kind\":\"case\"}",
        "{\"kind\":\"event\",\"case\":1,\"event\":{}}",
    ])
    func `what is no record of a run is refused`(text: String) {
        #expect(throws: RunFileError.self) { _ = try RunFile(reading: Array(text.utf8)) }
    }
}
