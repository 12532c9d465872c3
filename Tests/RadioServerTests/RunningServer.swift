import CompanionProtocol
import Glibc
import MeshTransport
import RadioSimulator
import RigBase
import Synchronization
import Testing

@testable import RadioServer

/// Alice and Carol have doors, Bob is alone; all hear each other.
enum Valley {
    static func world() -> WorldSpec {
        func contacts(_ names: String...) -> [ContactSpec] { names.map { ContactSpec(.node($0)) } }
        return WorldSpec(
            nodes: [
                NodeSpec(name: "alice", contacts: contacts("bob", "carol")),
                NodeSpec(name: "bob", contacts: contacts("alice")),
                NodeSpec(name: "carol", contacts: contacts("alice")),
            ],
            links: LinkSpec.both("alice", "bob") + LinkSpec.both("alice", "carol"))
    }

    static func configuration(
        peers: [PeerScript] = [], terminals: String? = nil, pace: Int64 = 1, stateFile: String? = nil, port: UInt16 = 0
    ) -> ServeConfiguration {
        ServeConfiguration(
            world: world(), companions: ["alice", "carol"], peers: peers, address: "127.0.0.1", port: port,
            terminalDirectory: terminals, paceWorld: pace, paceReal: 1, stateFile: stateFile)
    }
}

/// A server on a thread of its own, which ends when `stop` is called.
final class RunningServer: Sendable {
    typealias Addresses = [(name: String, port: UInt16, terminal: String?)]

    private let flag = StopFlag()
    private let lines = Mutex<[String]>([])
    private let ended: AsyncStream<Void>
    let addresses: Addresses

    private init(_ addresses: Addresses, _ ended: AsyncStream<Void>) {
        self.addresses = addresses
        self.ended = ended
    }

    static func start(_ configuration: ServeConfiguration) async throws -> RunningServer {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        return try await withCheckedThrowingContinuation { continuation in
            let started = PlatformThread.start {
                let sink = Sink()
                do throws(ServeError) {
                    let server = try RadioServer(configuration, print: { sink.take($0) })
                    let running = RunningServer(server.addresses, ended)
                    sink.server.withLock { $0 = running }
                    continuation.resume(returning: running)
                    server.run(until: running.flag)
                } catch {
                    continuation.resume(throwing: error)
                }
                end.finish()
            }
            precondition(started)
        }
    }

    private final class Sink: Sendable {
        let server = Mutex<RunningServer?>(nil)
        func take(_ line: String) {
            let server = server.withLock { $0 }
            server?.lines.withLock { $0.append(line) }
        }
    }

    func hasPrinted(_ text: String) -> Bool {
        lines.withLock { lines in lines.contains { $0.contains(text) } }
    }

    func stop() async {
        flag.set()
        for await _ in ended {}
    }

    func port(of name: String) -> UInt16 { addresses.first { $0.name == name }?.port ?? 0 }
    func terminal(of name: String) -> String { addresses.first { $0.name == name }?.terminal ?? "" }

    func client(of name: String) async throws -> Client {
        try await Client(TCPTransport(host: "127.0.0.1", port: port(of: name)))
    }
}

/// A client that writes frames and waits for frames.
final class Client {
    let transport: any Transport
    private var iterator: AsyncStream<[UInt8]>.Iterator
    private var decoder = ClientFrameDecoder()
    private var waiting: [[UInt8]] = []

    init(_ transport: any Transport) async throws {
        self.transport = transport
        try await transport.connect()
        iterator = await transport.received().makeAsyncIterator()
    }

    func send(_ frame: [UInt8]) async throws { try await transport.write(FrameEncoder.encode(frame, .toRadio)) }

    /// The very next frame; nil when the link has ended.
    func nextFrame() async -> [UInt8]? {
        while waiting.isEmpty {
            guard let chunk = await iterator.next(isolation: #isolation) else { return nil }
            for case .frame(let frame) in decoder.receive(chunk) { waiting.append(frame) }
        }
        return waiting.removeFirst()
    }

    /// The next frame with one of those codes; frames before it are thrown away. Nil when the link has ended.
    func frame(_ codes: RadioCode...) async -> [UInt8]? {
        while let frame = await nextFrame() {
            if codes.contains(where: { $0.rawValue == frame.first }) { return frame }
        }
        return nil
    }

    func startApp() async throws -> SelfInfoReply? {
        try await send([CommandCode.appStart.rawValue, 3] + Array(repeating: 0x20, count: 6) + Array("test".utf8))
        guard let frame = await frame(.selfInfo), case .selfInfo(let info) = RadioFrame.decode(frame) else {
            return nil
        }
        return info
    }

    /// The next direct text that waits or comes.
    func directMessage() async throws -> DirectMessageReply? {
        while true {
            try await send([CommandCode.syncNextMessage.rawValue])
            guard let frame = await frame(.directMessage, .directMessageV3, .noMoreMessages) else { return nil }
            if case .directMessage(let message) = RadioFrame.decode(frame) { return message }
            guard await self.frame(.messageWaiting) != nil else { return nil }
        }
    }
}

/// A new folder below /tmp, removed with what is in it when the value goes.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/meshrig-test-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
    }

    deinit {
        if let entries = opendir(path) {
            while let entry = readdir(entries) {
                let name = withUnsafePointer(to: entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { unlink(path + "/" + name) }
            }
            closedir(entries)
        }
        rmdir(path)
    }

    func exists(_ name: String) -> Bool {
        var info = stat()
        return lstat(path + "/" + name, &info) == 0
    }

    func read(_ name: String) -> String {
        let descriptor = open(path + "/" + name, O_RDONLY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while let more = readAvailable(descriptor, 65_536) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }
}
