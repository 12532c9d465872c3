import Glibc
import RigBase
import RigRuntime
import RunRecord
import Testing

@testable import MeshTransport

/// A listening socket on a port of the system's choice.
struct Listener: ~Copyable {
    let descriptor: Int32
    let port: UInt16

    /// Without `accepting` the port is bound but nobody listens, so connections are refused.
    init(accepting: Bool = true) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                precondition(bind(descriptor, pointer, size) == 0)
                precondition(!accepting || listen(descriptor, 4) == 0)
                getsockname(descriptor, pointer, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    func accept() -> Int32 { Glibc.accept(descriptor, nil, nil) }
}

@Suite(.timeLimit(.minutes(1))) struct `TCP link` {
    @Test func `carries bytes both ways on the default executor`() async throws {
        let listener = Listener()
        let transport = TCPTransport(host: "127.0.0.1", port: listener.port)
        try await transport.connect()
        try await transport.connect()
        let peer = listener.accept()
        try await transport.write([1, 2, 3])
        #expect(`Descriptor link`.readBytes(peer, 3) == [1, 2, 3])
        var bytes: [UInt8] = [4, 5]
        #expect(write(peer, &bytes, 2) == 2)
        #expect(await `Descriptor link`.take(2, from: transport.received()) == [4, 5])
        await transport.disconnect()
        await transport.disconnect()
        #expect(`Descriptor link`.readBytes(peer, 1).isEmpty)
        close(peer)
    }

    @Test func `carries bytes when its user runs on a paced simulation executor`() {
        let run = VirtualRun()
        let listener = Listener()
        let transport = TCPTransport(host: "127.0.0.1", port: listener.port)
        let connected = run.start { try await transport.connect() }
        wait(run) { connected.isSet }
        #expect(connected.error == nil)
        let peer = listener.accept()
        let chunks = run.collect(transport)
        let written = run.start { try await transport.write([1, 2]) }
        wait(run) { written.isSet }
        #expect(`Descriptor link`.readBytes(peer, 2) == [1, 2])
        var bytes: [UInt8] = [7]
        #expect(write(peer, &bytes, 1) == 1)
        close(peer)
        wait(run) { chunks.hasEnded }
        #expect(chunks.elements == [[7]])
    }

    private func wait(_ run: VirtualRun, _ condition: () -> Bool) {
        run.drain()
        while !condition() {
            run.executor.waitForJobs(atMost: .seconds(1))
            run.drain()
        }
    }

    @Test func `a port nobody listens on and a host that does not exist fail with the reason`() async {
        let listener = Listener(accepting: false)
        let closed = TCPTransport(host: "127.0.0.1", port: listener.port)
        await #expect(throws: TransportError.connectFailed("Connection refused")) { try await closed.connect() }
        #expect(await closed.presentState() == .down(.failed("cannot connect: Connection refused")))
        let nowhere = TCPTransport(host: "not a host", port: 5000)
        await #expect(throws: TransportError.self) { try await nowhere.connect() }
    }

    @Test func `a peer that never answers times out, and cancelling gives up at once`() async {
        // A listener with a full queue: further connects neither succeed nor fail.
        let listener = Listener(accepting: false)
        #expect(listen(listener.descriptor, 0) == 0)
        let filling = TCPTransport(host: "127.0.0.1", port: listener.port)
        try? await filling.connect()
        let limits = LinkLimits(connect: .milliseconds(30), write: .seconds(1))
        let late = TCPTransport(host: "127.0.0.1", port: listener.port, limits: limits)
        await #expect(throws: TransportError.connectTimedOut) { try await late.connect() }
        let patient = TCPTransport(host: "127.0.0.1", port: listener.port)
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                do { try await patient.connect() } catch { return error is CancellationError }
                return false
            }
            group.cancelAll()
            #expect(await group.next() == true)
        }
        #expect(await patient.presentState() == .down(.closedHere))
    }
}
