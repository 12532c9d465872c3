package import CompanionProtocol
package import MeshTransport
package import RigBase
package import RigRuntime
internal import Synchronization

/// A link in memory whose far end is a script: it records what is written and answers as the test says.
package final class ScriptedTransport: Transport {
    /// A frame the client wrote.
    package struct Write: Sendable, Hashable {
        package var at: SimInstant
        /// Without envelope.
        package var frame: [UInt8]
    }

    /// One chunk for the client, some time after the write that caused it.
    package struct Reply: Sendable {
        package var after: Duration
        package var bytes: [UInt8]

        package init(after delay: Duration = .zero, bytes: [UInt8]) {
            after = delay
            self.bytes = bytes
        }

        /// Frames in one chunk, each in its envelope.
        package static func frames(after delay: Duration = .zero, _ frames: [UInt8]...) -> Reply {
            Reply(after: delay, bytes: frames.flatMap { FrameEncoder.encode($0, .fromRadio) })
        }

        package static func payload(_ payload: some RadioPayload, after delay: Duration = .zero) -> Reply {
            .frames(after: delay, payload.encoded)
        }
    }

    /// Told each frame and how many of its code have been written before.
    package typealias Script = @Sendable (_ frame: [UInt8], _ earlier: Int) -> [Reply]

    private struct State {
        var script: Script
        var writes: [Write] = []
        var connects = 0
        var connection: LinkFront.Connection = 0
        var connectError: TransportError?
        var writesBeforeFailure: Int?
    }

    package let name: String
    package let allowsPipelining: Bool
    private let runtime: Runtime
    private let front = LinkFront()
    private let state: Mutex<State>

    package init(
        _ runtime: Runtime, name: String = "script", allowsPipelining: Bool = true, script: @escaping Script
    ) {
        self.runtime = runtime
        self.name = name
        self.allowsPipelining = allowsPipelining
        state = Mutex(State(script: script))
    }

    // MARK: The test's side

    /// Frames written so far, in order.
    package var writes: [Write] { state.withLock { $0.writes } }
    /// Frames with that code written so far.
    package func writes(of code: CommandCode) -> [Write] { writes.filter { $0.frame.first == code.rawValue } }
    /// How often the link was brought up.
    package var connects: Int { state.withLock { $0.connects } }
    package var isUp: Bool { front.isUp }

    package func setScript(_ script: @escaping Script) { state.withLock { $0.script = script } }
    /// Lets every later `connect` fail, or succeed again when nil.
    package func failConnecting(_ error: TransportError?) { state.withLock { $0.connectError = error } }
    /// Lets every write fail once `count` more have succeeded.
    package func failWrites(after count: Int) { state.withLock { $0.writesBeforeFailure = count } }

    /// Hands a chunk to the client now.
    package func deliver(_ bytes: [UInt8]) { front.deliver(bytes, on: state.withLock { $0.connection }) }
    /// Hands frames to the client now, in one chunk.
    package func push(_ payloads: any RadioPayload...) {
        deliver(payloads.flatMap { FrameEncoder.encode($0.encoded, .fromRadio) })
    }
    package func lose(_ loss: LinkLoss = .closedByPeer) { front.down(loss) }

    // MARK: Transport

    package func connect() async throws {
        if front.isUp { return }
        guard front.beginConnecting() else { throw TransportError.connectFailed("another attempt is under way") }
        if let error = state.withLock({ $0.connectError }) {
            front.connectingFailed(.failed(error.description))
            throw error
        }
        guard let connection = front.up() else { throw TransportError.connectFailed("given up") }
        state.withLock { state in
            state.connects += 1
            state.connection = connection
        }
    }

    package func disconnect() async { front.down(.closedHere) }

    package func write(_ bytes: [UInt8]) async throws {
        guard front.isUp else { throw TransportError.notConnected }
        try state.withLock { state in
            guard let left = state.writesBeforeFailure else { return }
            guard left > 0 else { throw TransportError.writeFailed("the script says so") }
            state.writesBeforeFailure = left - 1
        }
        // The session writes whole frames, so each write is looked at alone.
        var decoder = SerialFirmwareDecoder()
        decoder.receive(bytes)
        var replies: [Reply] = []
        while let frame = decoder.nextFrame() {
            let (script, earlier) = state.withLock { state in
                defer { state.writes.append(Write(at: runtime.now(), frame: frame)) }
                return (state.script, state.writes.count { $0.frame.first == frame.first })
            }
            replies += script(frame, earlier)
        }
        for reply in replies {
            if reply.after == .zero {
                deliver(reply.bytes)
                continue
            }
            let runtime = runtime
            runtime.spawn("scripted reply") { [self] in
                try? await runtime.sleep(for: reply.after)
                deliver(reply.bytes)
            }
        }
    }

    package func received() async -> AsyncStream<[UInt8]> { front.received() }
    package func states() async -> AsyncStream<LinkState> { front.states() }
}
