import CompanionProtocol
import MeshCoreClient
import MeshTransport
import RadioSimulator
import RigBase
import RigRuntime
import RunRecord
import Testing

@testable import RadioServer

/// The product's own client on real links, with every frame recorded.
@Suite(.timeLimit(.minutes(1)), .serialized) struct `Own client on real links` {
    private static func configuration(_ folder: ScratchFolder) -> ServeConfiguration {
        var configuration = Valley.configuration(terminals: folder.path)
        configuration.world.nodes[0].contacts.append(ContactSpec(.generated(count: 300, prefix: "Peer")))
        return configuration
    }

    enum Link: String, CaseIterable { case tcp, terminal }

    @Test(arguments: Link.allCases)
    func `lists hundreds of contacts and asks for more`(link: Link) async throws {
        let folder = ScratchFolder()
        let server = try await RunningServer.start(Self.configuration(folder))
        let runtime = Runtime.realTime(seed: 1, journal: Journal(), defects: [])
        let base: any Transport =
            switch link {
            case .tcp: TCPTransport(host: "127.0.0.1", port: server.port(of: "alice"))
            case .terminal: DescriptorTransport(ttyAt: server.terminal(of: "alice"))
            }
        let recorded = RecordingTransport(base, runtime: runtime, subject: "alice", causes: nil)
        let session = MeshCoreSession(transport: recorded, runtime: runtime, name: "alice")
        try await session.start()
        #expect(await session.selfInfo?.name.string == "alice")
        #expect(try await session.getContacts().contacts.count == 302)
        #expect(try await session.getBattery().millivolts > 2_500)
        await session.stop()
        await server.stop()
        let frames = runtime.journal.events().filter { $0.kind == .frameFromRadio }
        #expect(frames.count { $0["name"] == "contact" } == 302)
        #expect(!runtime.journal.events().contains { $0.kind == .noise })
        #expect(runtime.journal.events().last?.kind == .linkDown)
    }
}
