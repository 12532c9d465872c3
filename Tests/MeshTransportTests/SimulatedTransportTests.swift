import RigBase
import RigRuntime
import RunRecord
import Testing

@testable import MeshTransport

@Suite struct `Simulated link` {
    let run = VirtualRun()
    let port = SimulatedPort(name: "alice")

    func connected(_ limits: LinkLimits = .standard) -> SimulatedTransport {
        let transport = SimulatedTransport(port: port, runtime: run.runtime, limits: limits)
        let outcome = run.start { try await transport.connect() }
        run.drain()
        #expect(outcome.value != nil)
        return transport
    }

    @Test func `carries bytes both ways, one delivery a chunk`() {
        let transport = connected()
        let chunks = run.collect(transport)
        let written = run.start { try await transport.write([0x3C, 1, 0, 5]) }
        run.drain()
        #expect(written.value != nil)
        #expect(port.takeWritten() == [0x3C, 1, 0, 5])
        #expect(port.takeWritten().isEmpty)
        port.deliver([1, 2])
        port.deliver([3])
        run.drain()
        #expect(chunks.elements == [[1, 2], [3]])
        #expect(!chunks.hasEnded)
    }

    @Test func `keeps comings, goings and writes in order, each write with its cause`() {
        let transport = connected()
        _ = run.start {
            try await SeamCause.$current.withValue(EventID(7)) { try await transport.write([9]) }
            await transport.disconnect()
            await transport.disconnect()
            try await transport.connect()
            try await transport.write([8])
        }
        run.drain()
        #expect(
            port.takeEvents() == [
                .connected, .written([9], cause: EventID(7)), .disconnected(.closedHere), .connected,
                .written([8], cause: nil),
            ])
        #expect(port.isConnected)
    }

    @Test func `tells a loss once, before the chunks end, and keeps what came before it`() {
        let transport = connected()
        let states = run.collectStates(transport)
        port.deliver([1])
        port.lose(.closedByPeer)
        port.lose(.failed("again"))
        let chunks = run.collect(transport)
        #expect(chunks.elements == [[1]])
        #expect(chunks.hasEnded)
        let user = run.start { await transport.disconnect() }
        run.drain()
        #expect(user.isSet)
        #expect(states.elements == [.up, .down(.closedByPeer)])
        let late = run.start { try await transport.write([1]) }
        run.drain()
        #expect(late.error as? TransportError == .notConnected)
    }

    @Test func `a second connect opens nothing`() {
        let transport = connected()
        let again = run.start { try await transport.connect() }
        run.drain()
        #expect(again.value != nil)
        #expect(port.takeTransitions() == [.connected])
    }

    @Test func `the newest transport takes the port over`() {
        let first = connected()
        let states = run.collectStates(first)
        let chunks = run.collect(first)
        let second = connected()
        let newer = run.collect(second)
        port.deliver([5])
        run.drain()
        #expect(states.elements == [.up, .down(.closedByPeer)])
        #expect(chunks.hasEnded && chunks.elements.isEmpty)
        #expect(newer.elements == [[5]])
        _ = run.start { await first.disconnect() }
        run.drain()
        #expect(port.isConnected)
    }

    @Test func `a refusal fails at once and a silent peer after ten seconds`() {
        port.refuseConnections(true)
        let transport = SimulatedTransport(port: port, runtime: run.runtime)
        let refused = run.start { try await transport.connect() }
        run.drain()
        #expect(refused.error as? TransportError == .connectFailed("connection refused"))
        port.setConnectBehaviour(.stall)
        let stalled = run.start { try await transport.connect() }
        run.run(until: SimInstant(milliseconds: 9_999))
        #expect(!stalled.isSet)
        run.run()
        #expect(stalled.error as? TransportError == .connectTimedOut)
        #expect(run.clock.now == SimInstant(milliseconds: 10_000))
    }

    @Test func `a write that nobody takes times out after five seconds, and goes on when somebody does`() {
        let transport = connected()
        port.stallWrites(true)
        let late = run.start { try await transport.write([1]) }
        run.run()
        #expect(late.error as? TransportError == .writeTimedOut)
        #expect(run.clock.now == SimInstant(milliseconds: 5_000))
        let patient = run.start { try await transport.write([2]) }
        run.drain()
        #expect(!patient.isSet)
        port.stallWrites(false)
        run.drain()
        #expect(patient.value != nil)
        #expect(port.takeWritten() == [2])
    }

    @Test func `bytes for nobody are counted and lost`() {
        port.deliver([1, 2, 3])
        let transport = connected()
        let chunks = run.collect(transport)
        #expect(chunks.elements.isEmpty)
        #expect(port.undeliveredBytes == 3)
        #expect(run.runtime.tasks.running == ["collector"])
    }
}
