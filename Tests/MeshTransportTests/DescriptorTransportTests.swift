import Glibc
import RigBase
import RigRuntime
import RunRecord
import Testing

@testable import MeshTransport

/// Real descriptors in real time; nothing here sleeps, every wait is for a fact.
@Suite(.timeLimit(.minutes(1))) struct `Descriptor link` {
    /// Reads exactly `count` bytes from a blocking descriptor.
    static func readBytes(_ descriptor: Int32, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let got = read(descriptor, &buffer, buffer.count)
            guard got > 0 else { break }
            bytes += buffer[..<got]
        }
        return bytes
    }

    static func take(_ count: Int, from stream: AsyncStream<[UInt8]>) async -> [UInt8] {
        var bytes: [UInt8] = []
        for await chunk in stream {
            bytes += chunk
            if bytes.count >= count { break }
        }
        return bytes
    }

    @Test func `a pseudo-terminal carries every byte value unchanged, without modem lines`() async throws {
        let terminal = try PseudoTerminal.make()
        let transport = DescriptorTransport(
            ttyAt: terminal.path, modemLines: ModemLines(dataTerminalReady: true, requestToSend: false))
        try await transport.connect()
        #expect(transport.modemLines == .notSupported)
        let every = (0...255).map { UInt8($0) }
        try await transport.write(every)
        #expect(Self.readBytes(terminal.master, 256) == every)
        var down = every
        #expect(write(terminal.master, &down, down.count) == 256)
        #expect(await Self.take(256, from: transport.received()) == every)
        await transport.disconnect()
        #expect(await transport.presentState() == .down(.closedHere))
    }

    @Test func `the path can be opened again after a client left`() async throws {
        let terminal = try PseudoTerminal.make()
        for round in UInt8(0)..<3 {
            let transport = DescriptorTransport(ttyAt: terminal.path)
            try await transport.connect()
            try await transport.write([round])
            #expect(Self.readBytes(terminal.master, 1) == [round])
            await transport.disconnect()
        }
    }

    @Test func `an end of the other side ends chunks and is told once`() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (near, far) = (ends[0], ends[1])
        let transport = DescriptorTransport(name: "pair", modemLines: nil) { () throws(TransportError) in near }
        let states = await transport.states()
        try await transport.connect()
        var bytes: [UInt8] = [1, 2, 3]
        #expect(write(far, &bytes, 3) == 3)
        close(far)
        var got: [UInt8] = []
        for await chunk in await transport.received() { got += chunk }
        #expect(got == [1, 2, 3])
        await transport.disconnect()
        var seen: [LinkState] = []
        for await state in states {
            seen.append(state)
            if state == .down(.closedByPeer) { break }
        }
        #expect(seen == [.down(nil), .connecting, .up, .down(.closedByPeer)])
        #expect(await transport.presentState() == .down(.closedByPeer))
    }

    @Test func `a peer that stops reading lets a write time out, and a half-written frame ends the link`() async throws
    {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (near, far) = (ends[0], ends[1])
        defer { close(far) }
        let limits = LinkLimits(connect: .seconds(1), write: .milliseconds(20))
        let transport = DescriptorTransport(name: "pair", modemLines: nil, limits: limits) {
            () throws(TransportError) in near
        }
        try await transport.connect()
        await #expect(throws: TransportError.writeTimedOut) {
            try await transport.write([UInt8](repeating: 7, count: 4_000_000))
        }
        for await _ in await transport.received() {}
        guard case .down(.failed(let reason)) = await transport.presentState() else {
            Issue.record("the link is still up")
            return
        }
        #expect(reason.contains("cut off"))
    }

    @Test func `a path that is not there fails to connect and says which`() async {
        let transport = DescriptorTransport(ttyAt: "/dev/does-not-exist")
        await #expect(throws: TransportError.connectFailed("/dev/does-not-exist: No such file or directory")) {
            try await transport.connect()
        }
    }
}
