import CompanionProtocol
import RigBase
import RigRuntime
import RunRecord
import Testing

@testable import MeshTransport

/// Recording, faults and pacing in front of a simulated port, in their order.
@Suite struct `Decorated link` {
    let run = VirtualRun()
    let port = SimulatedPort(name: "alice")
    let control: FaultControl
    let causes = FrameCauses()

    init() { control = FaultControl(runtime: run.runtime, subject: "alice") }

    /// Connects the whole stack and takes the port's connect event.
    func connect(pacing: LinkPacing? = nil) -> any Transport {
        var base: any Transport = SimulatedTransport(port: port, runtime: run.runtime)
        if let pacing { base = PacedTransport(base, runtime: run.runtime, pacing: pacing) }
        base = FaultyTransport(base, runtime: run.runtime, control: control)
        let link = RecordingTransport(base, runtime: run.runtime, subject: "alice", causes: causes)
        let outcome = run.start { try await link.connect() }
        run.drain()
        #expect(outcome.value != nil)
        #expect(port.takeTransitions() == [.connected])
        return link
    }

    func write(_ bytes: [UInt8], to link: any Transport) {
        let outcome = run.start { try await link.write(bytes) }
        run.drain()
        #expect(outcome.value != nil)
    }

    static let query = FrameEncoder.encode([0x16, 3], .toRadio)

    @Test func `frames are posted with their causes, both ways`() {
        let link = connect()
        let chunks = run.collect(link)
        write(Self.query, to: link)
        let sent = run.events(.frameToRadio)
        #expect(sent.map(\.fields["frame"]) == [.bytes([0x16, 3])])
        #expect(port.takeEvents() == [.written(Self.query, cause: sent.first?.id)])
        let world = run.journal.post(.note, "alice", at: .zero, [:])
        causes.sent([0x0D, 13], because: world)
        port.deliver([0x0A] + fromRadio(0x0D, 13) + fromRadio(0x83))
        run.drain()
        let seen = run.events(.frameFromRadio)
        #expect(seen.map(\.fields["code"]) == [0x0D, 0x83])
        #expect(seen.map(\.cause) == [world, nil])
        #expect(run.events(.noise).map(\.fields["length"]) == [1])
        #expect(chunks.elements == [[0x0A] + fromRadio(0x0D, 13) + fromRadio(0x83)])
    }

    @Test func `link up and down are posted once, with a cut frame as noise`() {
        let link = connect()
        port.deliver([0x3E, 9, 0, 1])
        run.drain()
        port.lose(.failed("unplugged"))
        run.drain()
        let user = run.start { await link.disconnect() }
        run.drain()
        #expect(user.isSet)
        let kinds = run.journal.events().map(\.kind)
        #expect(kinds == [.linkUp, .noise, .linkDown])
        #expect(run.events(.linkDown).first?["reason"] == "unplugged")
        #expect(run.runtime.tasks.running.isEmpty)
    }

    @Test func `a fault shows what the radio said and the recorder what the client saw`() {
        let link = connect()
        let chunks = run.collect(link)
        control.add(
            FaultRule(
                id: "flip", direction: .fromRadio, trigger: .frame(FrameMatch(codes: [5])),
                action: .corrupt(at: .offset(4), flip: 1)))
        port.deliver(fromRadio(5, 8))
        run.drain()
        #expect(chunks.elements == [fromRadio(5, 9)])
        #expect(run.events(.fault).map(\.fields["frame"]) == [.bytes([5, 8])])
        #expect(run.events(.frameFromRadio).map(\.fields["frame"]) == [.bytes([5, 9])])
        #expect(control.acted("flip") == 1)
        control.remove("flip")
        port.deliver(fromRadio(5, 8))
        run.drain()
        #expect(chunks.elements.last == fromRadio(5, 8))
    }

    @Test func `frames to the radio can be dropped and delayed, and keep their cause`() {
        let link = connect()
        control.add(
            FaultRule(
                id: "lost", direction: .toRadio, trigger: .frame(FrameMatch(nth: 1...1)), action: .drop))
        control.add(
            FaultRule(
                id: "late", direction: .toRadio, trigger: .frame(FrameMatch(nth: 2...2)),
                action: .delay(.milliseconds(40), overtaken: false)))
        write(Self.query, to: link)
        write(Self.query, to: link)
        write([0x3C, 1, 0, 5], to: link)
        #expect(port.takeWritten().isEmpty)
        run.run()
        #expect(run.clock.now == SimInstant(milliseconds: 40))
        #expect(port.takeWritten() == Self.query + [0x3C, 1, 0, 5])
        #expect(run.events(.fault).map(\.cause) == run.events(.frameToRadio).prefix(2).map(\.id))
    }

    @Test func `a fault that cuts the link is a loss for the client and a disconnect for the radio`() {
        let link = connect()
        let states = run.collectStates(link)
        let chunks = run.collect(link)
        control.add(
            FaultRule(
                id: "cut", direction: .fromRadio, trigger: .frame(FrameMatch(codes: [5])),
                action: .loseLink(.failed("cable"), .inside(.offset(4)))))
        port.deliver(fromRadio(5, 8, 9))
        run.drain()
        #expect(chunks.elements == [[0x3E, 3, 0, 5]])
        #expect(chunks.hasEnded)
        #expect(states.elements == [.up, .down(.failed("cable"))])
        #expect(port.takeTransitions() == [.disconnected(.closedHere)])
        let again = run.start { try await link.connect() }
        run.drain()
        #expect(again.value != nil)
        #expect(port.isConnected)
    }

    @Test func `a rule of an instant acts without a frame`() {
        let link = connect()
        let chunks = run.collect(link)
        let text = Array("E (42) wifi: lost\r\n".utf8)
        control.add(
            FaultRule(
                id: "log", direction: .fromRadio, trigger: .at(SimInstant(milliseconds: 30)),
                action: .insert(text, .before)))
        control.add(
            FaultRule(
                id: "cut", direction: .fromRadio, trigger: .at(SimInstant(milliseconds: 50)),
                action: .loseLink(.closedByPeer, .before)))
        run.run()
        #expect(chunks.elements == [text])
        #expect(chunks.hasEnded)
        #expect(run.events(.fault).map(\.at.milliseconds) == [30, 50])
        #expect(run.events(.noise).map(\.fields["length"]) == [FieldValue(text.count)])
    }

    @Test func `a removed timer leaves nothing running`() {
        control.add(
            FaultRule(
                id: "cut", direction: .fromRadio, trigger: .at(SimInstant(milliseconds: 50)),
                action: .loseLink(.closedByPeer, .before)))
        run.drain()
        control.removeAll()
        run.drain()
        #expect(run.runtime.tasks.running.isEmpty)
        #expect(control.rules.isEmpty)
        #expect(control.acted("cut") == nil)
    }

    @Test func `every kind of link names where its numbers come from`() {
        #expect(LinkPreset.catalogue.map(\.name).count == Set(LinkPreset.catalogue.map(\.name)).count)
        #expect(LinkPreset.catalogue.allSatisfy { !$0.source.isEmpty })
        #expect(LinkPacing.bleESP32.frameInterval == .milliseconds(60))
        #expect(LinkPacing.named.map(\.name) == LinkPreset.catalogue.map(\.name))
    }

    @Test func `pacing at 115200 baud takes 87 µs a byte and a millisecond of latency`() {
        let link = connect(pacing: .usbUART115200)
        let chunks = run.collect(link)
        port.deliver([UInt8](repeating: 1, count: 128))
        run.drain()
        #expect(chunks.elements.isEmpty)
        run.run()
        #expect(chunks.elements.map(\.count) == [64, 64])
        // 128 bytes of ten bits at 115,200 a second and 1 ms: 12.111 ms.
        #expect(run.clock.now.microseconds == 12_111)
        let written = run.start { try await link.write([UInt8](repeating: 2, count: 64)) }
        run.run()
        #expect(written.value != nil)
        #expect(run.clock.now.microseconds == 18_666)
        #expect(port.takeWritten().count == 64)
    }

    @Test func `frames of a Bluetooth radio are 60 ms apart`() {
        let link = connect(pacing: .bleESP32)
        let arrivals = Collected<Int64>()
        let clock = run.clock
        run.runtime.spawn("arrivals") {
            for await _ in await link.received() { arrivals.add(clock.now.milliseconds) }
        }
        port.deliver(fromRadio(1, 1) + fromRadio(2, 2) + fromRadio(3, 3))
        run.run()
        #expect(arrivals.elements == [15, 75, 135])
    }

    @Test func `what was under way when the peer closed still arrives`() {
        let link = connect(pacing: .usbCDC)
        let chunks = run.collect(link)
        port.deliver([UInt8](repeating: 1, count: 640))
        port.lose(.closedByPeer)
        run.run()
        #expect(chunks.elements.map(\.count) == [Int](repeating: 64, count: 10))
        #expect(chunks.hasEnded)
        #expect(run.runtime.tasks.running.isEmpty)
    }

    @Test func `two runs of one seed are the same, event for event`() {
        func digest(seed: UInt64) -> String {
            let run = VirtualRun(seed: seed)
            let port = SimulatedPort(name: "alice")
            let control = FaultControl(runtime: run.runtime, subject: "alice")
            let chance = FaultTrigger.frame(FrameMatch(chance: Ratio(1, in: 3)))
            control.add(
                FaultRule(
                    id: "noise", direction: .fromRadio, trigger: chance, action: .corrupt(at: .random, flip: nil)))
            let link = RecordingTransport(
                FaultyTransport(
                    SimulatedTransport(port: port, runtime: run.runtime), runtime: run.runtime, control: control),
                runtime: run.runtime, subject: "alice", causes: nil)
            _ = run.start { try await link.connect() }
            run.drain()
            for value in UInt8(0)..<50 {
                port.deliver(fromRadio(6, value, 7, 7))
                run.drain()
            }
            return run.journal.digest
        }
        #expect(digest(seed: 4) == digest(seed: 4))
        #expect(digest(seed: 4) != digest(seed: 5))
    }
}
