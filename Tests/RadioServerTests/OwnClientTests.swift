import ClientServices
import ClientStore
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

    @Test func `syncs, sends and is confirmed over TCP, and again after the server cut the link`() async throws {
        let server = try await RunningServer.start(Valley.configuration(pace: 20))
        let runtime = Runtime.realTime(seed: 1, journal: Journal(), defects: [])
        let port = server.port(of: "alice")
        let store = try PersistenceStore(.memory)
        let client = ConnectionManager(
            runtime: runtime, store: store,
            makeTransport: {
                let link = TCPTransport(host: "127.0.0.1", port: port)
                return RecordingTransport(link, runtime: runtime, subject: "alice", causes: nil)
            }, name: "alice")
        try await client.connect()
        #expect(await client.state == .ready)
        let container = try #require(await client.container)
        let first = try await container.messages.sendDirect(text: "over a real socket", to: .name("bob"))
        #expect(await container.messages.waitForOutcome(first) == .delivered)

        // A second client takes the radio, as on a Wi-Fi board; ours loses its link and comes back.
        let states = client.states()
        let thief = TCPTransport(host: "127.0.0.1", port: port)
        try await thief.connect()
        for await state in states where state == .ready { break }
        await thief.disconnect()
        let again = try #require(await client.container)
        let second = try await again.messages.sendDirect(text: "and once more", to: .name("bob"))
        #expect(await again.messages.waitForOutcome(second) == .delivered)
        #expect(try await store.contacts(radio: again.radioID).count == 2)
        await client.disconnect()
        await server.stop()
    }
}
