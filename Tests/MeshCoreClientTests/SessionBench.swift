import CompanionProtocol
import MeshCoreClient
import RigBase
import RigRuntime
import RigTestKit

/// A session over a scripted radio that answers the handshake by itself.
struct SessionBench {
    static let selfInfo = SelfInfoReply.samples[0]
    static let key = [UInt8](repeating: 7, count: 32)
    static let prefix = [UInt8](repeating: 7, count: 6)

    let run: SimulatedRun
    let transport: ScriptedTransport
    let session: MeshCoreSession
    var runtime: Runtime { run.runtime }

    init(
        defects: Defects = [], pipelining: Bool = true,
        _ script: @escaping ScriptedTransport.Script = { _, _ in [] }
    ) {
        run = SimulatedRun(defects: defects)
        transport = ScriptedTransport(run.runtime, allowsPipelining: pipelining) { frame, earlier in
            frame.first == CommandCode.appStart.rawValue ? [.payload(Self.selfInfo)] : script(frame, earlier)
        }
        session = MeshCoreSession(transport: transport, runtime: run.runtime, name: "alice")
    }

    /// Runs `body` with a started session.
    @discardableResult
    func started<Result: Sendable>(
        _ body: @escaping @Sendable (MeshCoreSession, ScriptedTransport, Runtime) async throws -> Result
    ) throws -> Result {
        let (session, transport, runtime) = (session, transport, runtime)
        return try run.run {
            try await session.start()
            return try await body(session, transport, runtime)
        }
    }

    /// Frames written after the handshake.
    var written: [ScriptedTransport.Write] {
        transport.writes.filter { $0.frame.first != CommandCode.appStart.rawValue }
    }
}

/// The error an operation throws, nil when it succeeds.
func failure(_ body: () async throws -> Void) async -> SessionError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? SessionError
    }
}
