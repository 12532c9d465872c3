import CompanionProtocol
import Glibc
import MeshProtocol
import MeshTransport
import RadioSimulator
import RigBase
import RunRecord
import Testing

@testable import RadioServer

/// A real server on loopback sockets and pseudo-terminals; every wait is for a fact.
@Suite(.timeLimit(.minutes(1)), .serialized) struct `Radio server` {
    @Test func `answers a client over TCP as the companion it asked for`() async throws {
        let server = try await RunningServer.start(Valley.configuration())
        for name in ["alice", "carol"] {
            let client = try await server.client(of: name)
            #expect(try await client.startApp()?.name.string == name)
            await client.transport.disconnect()
        }
        await server.stop()
    }

    @Test func `the newest client closes the one before it`() async throws {
        let server = try await RunningServer.start(Valley.configuration())
        let first = try await server.client(of: "alice")
        #expect(try await first.startApp() != nil)
        let second = try await server.client(of: "alice")
        #expect(await first.frame(.ok) == nil)
        #expect(try await second.startApp() != nil)
        await server.stop()
        #expect(await second.frame(.ok) == nil)
        #expect(server.hasPrinted("the client before it is closed"))
    }

    @Test func `a pseudo-terminal and the port are two interfaces of one radio`() async throws {
        let folder = ScratchFolder()
        let server = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        let wireless = try await server.client(of: "alice")
        #expect(try await wireless.startApp() != nil)
        let wired = try await Client(DescriptorTransport(ttyAt: server.terminal(of: "alice")))
        try await wired.send([CommandCode.setAdvertName.rawValue] + Array("Alice 2".utf8))
        #expect(await wired.frame(.ok) == [0])
        #expect(await wireless.frame(.ok) == [0])
        #expect(try await wireless.startApp()?.name.string == "Alice 2")
        await wired.transport.disconnect()
        await server.stop()
    }

    @Test func `whoever opens the terminal finds an empty line`() async throws {
        let folder = ScratchFolder()
        let server = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        let wireless = try await server.client(of: "alice")
        for _ in 0..<2 {
            // Said while nobody has the terminal open.
            for _ in 0..<40 { #expect(try await wireless.startApp() != nil) }
            let wired = try await Client(DescriptorTransport(ttyAt: server.terminal(of: "alice")))
            try await wired.send([CommandCode.getDeviceTime.rawValue])
            #expect(await wired.nextFrame()?.first == RadioCode.deviceTime.rawValue)
            #expect(await wireless.frame(.deviceTime) != nil)
            // Said while it is open, and left unread.
            for _ in 0..<20 { #expect(try await wireless.startApp() != nil) }
            await wired.transport.disconnect()
        }
        await server.stop()
    }

    @Test func `what a client wrote before it closed the terminal is done`() async throws {
        let folder = ScratchFolder()
        let server = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        let wireless = try await server.client(of: "alice")
        let name = FrameEncoder.encode([CommandCode.setAdvertName.rawValue] + Array("from a script".utf8), .toRadio)
        #expect(writeFile(name, to: server.terminal(of: "alice")))
        #expect(await wireless.frame(.ok) != nil)
        #expect(try await wireless.startApp()?.name.string == "from a script")
        await server.stop()
    }

    @Test func `links to terminals are made, replaced when stale, and removed at the end`() async throws {
        let folder = ScratchFolder()
        #expect(symlink("/dev/pts/999999", folder.path + "/alice") == 0)
        let server = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        #expect(folder.exists("alice"))
        #expect(folder.exists("carol"))
        let wired = try await Client(DescriptorTransport(ttyAt: folder.path + "/alice"))
        #expect(try await wired.startApp() != nil)
        await server.stop()
        #expect(!folder.exists("alice"))
        #expect(!folder.exists("carol"))
    }

    @Test func `a file that is no link is left alone`() async {
        let folder = ScratchFolder()
        #expect(writeFile([1], to: folder.path + "/carol"))
        await #expect(throws: ServeError.foreignFile(folder.path + "/carol", reason: "is in the way and no link")) {
            _ = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        }
        #expect(folder.exists("carol"))
        #expect(!folder.exists("alice"))
    }

    @Test func `a link that leads to something else is left alone`() async {
        let folder = ScratchFolder()
        #expect(symlink("/etc/hostname", folder.path + "/alice") == 0)
        let foreign = ServeError.foreignFile(folder.path + "/alice", reason: "is in the way and leads to no terminal")
        await #expect(throws: foreign) {
            _ = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        }
        #expect(folder.exists("alice"))
    }

    @Test func `a second server does not take the first one's terminals`() async throws {
        let folder = ScratchFolder()
        let first = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        let taken = ServeError.foreignFile(folder.path + "/alice", reason: "is in use by a server that is running")
        await #expect(throws: taken) {
            _ = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        }
        let wired = try await Client(DescriptorTransport(ttyAt: folder.path + "/alice"))
        #expect(try await wired.startApp() != nil)
        await first.stop()
        let next = try await RunningServer.start(Valley.configuration(terminals: folder.path))
        await next.stop()
    }

    @Test func `a busy port and an unknown companion are told in one line`() async throws {
        let server = try await RunningServer.start(Valley.configuration())
        let taken = server.port(of: "alice")
        let busy = ServeError.cannotListen("127.0.0.1", port: taken, reason: "the port is in use")
        await #expect(throws: busy) { _ = try await RunningServer.start(Valley.configuration(port: taken)) }
        #expect("\(busy)" == "cannot listen on 127.0.0.1 port \(taken): the port is in use")
        await server.stop()
        var unknown = Valley.configuration()
        unknown.companions = ["dora"]
        await #expect(throws: ServeError.notACompanion("dora")) { _ = try await RunningServer.start(unknown) }
        unknown = Valley.configuration()
        unknown.peers = [
            PeerScript(node: "bob", action: .send("hi", to: .node("dora"), first: .zero, every: nil))
        ]
        await #expect(throws: ServeError.self) { _ = try await RunningServer.start(unknown) }
        unknown = Valley.configuration(port: 65_535)
        await #expect(throws: ServeError.self) { _ = try await RunningServer.start(unknown) }
        unknown = Valley.configuration()
        unknown.address = "localhost"
        await #expect(throws: ServeError.badAddress("localhost")) { _ = try await RunningServer.start(unknown) }
    }

    @Test func `a peer echoes, and a script sends, in the world's own time`() async throws {
        let peers = [
            PeerScript(node: "bob", action: .echo),
            PeerScript(
                node: "carol", action: .send("good morning", to: .node("alice"), first: .seconds(2), every: nil)),
        ]
        let server = try await RunningServer.start(Valley.configuration(peers: peers, pace: 50))
        let client = try await server.client(of: "alice")
        #expect(try await client.startApp() != nil)
        try await client.send([CommandCode.deviceQuery.rawValue, 3])
        #expect(try await client.directMessage()?.text.string == "good morning")
        let world = try World(Valley.world(), journal: .init())
        let text = SendTextCommand(
            timestamp: 1_750_000_100, recipientPrefix: world.publicKey(of: "bob").prefix(6), text: "anybody?")
        try await client.send(text.encoded)
        #expect(await client.frame(.sendConfirmed) != nil)
        #expect(try await client.directMessage()?.text.string == "echo: anybody?")
        await server.stop()
    }

    @Test func `clients that flood, send garbage or never read do not spoil the others`() async throws {
        let server = try await RunningServer.start(Valley.configuration())
        let good = try await server.client(of: "carol")
        #expect(try await good.startApp() != nil)
        let command = FrameEncoder.encode([CommandCode.getDeviceTime.rawValue], .toRadio)
        for round in 0..<20 {
            let limits = LinkLimits(connect: .seconds(10), write: .milliseconds(50))
            let bad = TCPTransport(host: "127.0.0.1", port: server.port(of: "alice"), limits: limits)
            try await bad.connect()
            let bytes =
                round % 2 == 0
                ? (0..<50_000).flatMap { _ in command }
                : [UInt8](repeating: UInt8(round), count: 200_000) + [0x3C, 0xFF, 0xFF]
            try? await bad.write(bytes)
            await bad.disconnect()
            try await good.send([CommandCode.getDeviceTime.rawValue])
            #expect(await good.frame(.deviceTime) != nil)
        }
        let late = try await server.client(of: "alice")
        #expect(try await late.startApp() != nil)
        await server.stop()
    }

    @Test func `the state file says what the world knows`() async throws {
        let folder = ScratchFolder()
        let server = try await RunningServer.start(Valley.configuration(stateFile: folder.path + "/state.json"))
        let client = try await server.client(of: "alice")
        #expect(try await client.startApp() != nil)
        let state = folder.read("state.json")
        #expect(state.contains(#""node":"alice","role":"companion""#))
        #expect(state.contains(#""port":\#(server.port(of: "alice"))"#))
        await server.stop()
        #expect(!folder.exists("state.json.new"))
    }
}
