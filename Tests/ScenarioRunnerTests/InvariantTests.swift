import CompanionProtocol
import RigBase
import RunRecord
import Testing

@testable import ScenarioRunner

@Suite struct `What watches every run` {
    /// Posts events one millisecond apart and names the invariants that are broken.
    private func broken(_ events: [(kind: EventKind, who: String, fields: Fields)]) -> [String] {
        let journal = Journal()
        for (number, event) in events.enumerated() {
            journal.post(event.kind, event.who, at: SimInstant(milliseconds: Int64(number)), event.fields)
        }
        return InvariantCatalog.breaches(in: journal).map(\.name)
    }

    private func status(_ id: String, _ status: String) -> (EventKind, String, Fields) {
        (.messageStatus, "alice", ["id": .text(id), "status": .text(status)])
    }

    private func received(_ text: String, at timestamp: Int64) -> (EventKind, String, Fields) {
        (
            .messageStored, "alice",
            ["direction": "incoming", "contact": "bob", "text": .text(text), "timestamp": .int(timestamp)]
        )
    }

    private func to(_ code: CommandCode) -> (EventKind, String, Fields) {
        (.frameToRadio, "alice", ["code": FieldValue(code.rawValue)])
    }

    private func from(_ code: RadioCode) -> (EventKind, String, Fields) {
        (.frameFromRadio, "alice", ["code": FieldValue(code.rawValue)])
    }

    @Test func `a delivered message stays delivered`() {
        let confirmed = from(.sendConfirmed)
        #expect(broken([status("a", "sent"), confirmed, status("a", "delivered")]) == [])
        #expect(
            broken([confirmed, status("a", "delivered"), status("b", "failed"), status("b", "pending")]) == [])
        #expect(
            broken([confirmed, status("a", "delivered"), status("a", "failed")])
                == ["invariant: status-never-goes-back"])
        #expect(broken([status("a", "failed"), status("a", "sent")]) == ["invariant: status-never-goes-back"])
    }

    @Test func `delivered takes a confirmation`() {
        #expect(broken([status("a", "delivered")]) == ["invariant: delivered-means-confirmed"])
        #expect(
            broken([from(.sendConfirmed), status("a", "delivered"), status("b", "delivered")])
                == ["invariant: delivered-means-confirmed"])
    }

    @Test func `a received message is stored once`() {
        #expect(broken([received("x", at: 1), received("x", at: 2), received("y", at: 1)]) == [])
        #expect(broken([received("x", at: 1), received("x", at: 1)]) == ["invariant: shown-once"])
    }

    @Test func `one command at a time`() {
        #expect(broken([to(.deviceQuery), from(.messageWaiting), from(.deviceInfo), to(.getContacts)]) == [])
        #expect(broken([to(.deviceQuery), to(.getContacts)]) == ["invariant: one-exchange-in-flight"])
        #expect(
            broken([to(.getContacts), from(.contactsStart), from(.contact), to(.getDeviceTime)])
                == ["invariant: one-exchange-in-flight"])
        #expect(broken([to(.getContacts), from(.contactsStart), from(.contactsEnd), to(.getDeviceTime)]) == [])
        #expect(broken([to(.deviceQuery), (.linkDown, "alice", [:]), to(.appStart)]) == [])
        #expect(broken([to(.reboot), to(.appStart)]) == [])
    }

    @Test func `no storm of links`() {
        #expect(broken(Array(repeating: (.linkUp, "alice", [:]), count: 12)) == [])
        #expect(
            broken(Array(repeating: (.linkUp, "alice", [:]), count: 13)) == ["invariant: no-reconnect-storm"])
    }

    @Test func `nobody receives while sending`() {
        func heard(ownStart: Int64) -> [String] {
            let journal = Journal()
            let sent = journal.post(.packetSent, "bob", at: SimInstant(milliseconds: 10))
            journal.post(.packetSent, "alice", at: SimInstant(milliseconds: ownStart))
            journal.post(.packetReceived, "alice", at: SimInstant(milliseconds: 300), cause: sent)
            return InvariantCatalog.breaches(in: journal).map(\.name)
        }
        #expect(heard(ownStart: 5) == [])
        #expect(heard(ownStart: 100) == ["invariant: half-duplex"])
        #expect(heard(ownStart: 300) == [])
    }
}
