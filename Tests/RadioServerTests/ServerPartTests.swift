import Glibc
import RigBase
import Testing

@testable import RadioServer

@Suite struct `Parts of the server` {
    @Test func `the pace maps real time to world time and back`() {
        var pace = Pace(world: 3, real: 2)
        let start = ContinuousClock.now
        pace.restart(at: SimInstant(milliseconds: 1_000))
        let target = pace.target(at: start.advanced(by: .seconds(4)))
        #expect((6_990...7_000).contains(target.milliseconds))
        let instant = pace.instant(of: SimInstant(milliseconds: 4_000))
        #expect(instant.map { start.duration(to: $0) >= .seconds(2) && start.duration(to: $0) < .seconds(3) } == true)
        #expect(pace.instant(of: .distantFuture) == nil)
    }

    @Test func `no pace is too fast and no time too long`() {
        var pace = Pace(world: .max, real: 1)
        let start = ContinuousClock.now
        pace.restart(at: .zero)
        let later = start.advanced(by: .seconds(1_000_000_000))
        #expect(pace.target(at: later).milliseconds == SimInstant.distantFuture.milliseconds)
        _ = pace.skipGap(from: .zero, nextDue: SimInstant(milliseconds: 1), at: later)
        let slow = Pace(world: 1, real: .max)
        #expect(slow.instant(of: SimInstant(milliseconds: 1)) != nil)
        #expect(slow.target(at: later).milliseconds == 0)
    }

    @Test func `terminals lie where there is a folder for them`() {
        let folder = ScratchFolder()
        let fallback = "/tmp/meshrig-\(getuid())"
        #expect(TerminalDirectory.standard(runtimeFolder: folder.path) == folder.path + "/meshrig")
        #expect(TerminalDirectory.standard(runtimeFolder: folder.path + "/nowhere") == fallback)
        #expect(TerminalDirectory.standard(runtimeFolder: "relative") == fallback)
        #expect(TerminalDirectory.standard(runtimeFolder: nil) == fallback)
    }

    @Test func `a state file that could not be replaced is refused at once`() throws {
        let folder = ScratchFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        for path in ["/dev/null", folder.path, folder.path + "/pipe", folder.path + "/nowhere/state.json"] {
            #expect(throws: ServeError.self) { _ = try StateWriter(path: path) }
        }
        #expect(writeFile([1], to: folder.path + "/state.json"))
        #expect(throws: Never.self) { _ = try StateWriter(path: folder.path + "/state.json") }
        #expect(!folder.exists("state.json.new"))
    }

    @Test func `a gap is skipped when something was due in it, not when the world was merely idle`() {
        var pace = Pace(world: 1, real: 1)
        let start = ContinuousClock.now
        pace.restart(at: SimInstant(milliseconds: 1_000))
        let now = SimInstant(milliseconds: 1_000)
        let later = start.advanced(by: .seconds(60))
        let idle = pace.skipGap(from: now, nextDue: SimInstant(milliseconds: 90_000), at: later)
        let empty = pace.skipGap(from: now, nextDue: .distantFuture, at: later)
        let punctual = pace.skipGap(from: now, nextDue: SimInstant(milliseconds: 60_500), at: later)
        let late = pace.skipGap(from: now, nextDue: SimInstant(milliseconds: 2_000), at: later)
        #expect((idle, empty, punctual, late) == (false, false, false, true))
    }

    @Test(arguments: [
        ("alice", "alice"), ("a:b/c d", "a_b_c_d"), ("Zoë", "Zo_"), ("", "_"), ("..", "_.."), (".x", "_.x"),
    ])
    func `terminal names are safe file names without a colon`(node: String, file: String) {
        #expect(TerminalDirectory.fileName(for: node) == file)
    }

    @Test func `an out buffer passes on what it can and drops whole frames of what it cannot`() {
        // F_SETPIPE_SZ, which the C module leaves out.
        let setPipeSize: Int32 = 1_031
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let capacity = Int(fcntl(ends[1], setPipeSize, 4_096))
        var buffer = OutBuffer()
        let frame = [UInt8](repeating: 7, count: 1_000)
        var taken = 0
        for _ in 0..<200 where buffer.append(frame, to: ends[1], isSocket: false) { taken += 1 }
        #expect(taken == (OutBuffer.limit + capacity) / 1_000)
        #expect(buffer.droppedFrames == 200 - taken)
        var received = 0
        while !buffer.isEmpty {
            received += readAvailable(ends[0], 65_536)?.count ?? 0
            let isOfUse = buffer.flush(to: ends[1], isSocket: false)
            #expect(isOfUse)
        }
        received += readAvailable(ends[0], 65_536)?.count ?? 0
        #expect(received == taken * 1_000)
        close(ends[1])
        let isTaken = buffer.append(frame, to: ends[1], isSocket: false)
        let isOfUse = buffer.flush(to: ends[1], isSocket: false)
        #expect(isTaken)
        #expect(!isOfUse)
    }

    @Test func `an echo is cut between characters`() {
        #expect(PeerPlayer.cut("abc", to: 3) == "abc")
        #expect(PeerPlayer.cut("abé", to: 3) == "ab")
        #expect(PeerPlayer.cut(String(repeating: "é", count: 100), to: 161).utf8.count == 160)
    }

    @Test func `connect lines name every known client`() {
        let lines = ConnectLines(address: "0.0.0.0", library: .ready("/run/x.so"))
        let text = lines.lines(name: "alice", port: 5_000, terminal: "/run/alice").joined(separator: "\n")
        #expect(text.contains("MeshCore.create_tcp(\"127.0.0.1\", 5000)"))
        #expect(text.contains("meshcli -t 127.0.0.1 -p 5000 infos"))
        #expect(text.contains("LD_PRELOAD=/run/x.so meshcli -s /run/alice infos"))
        #expect(lines.closing().isEmpty)
        let bare = ConnectLines(address: "127.0.0.1", library: .missing("cc x"))
        #expect(!bare.lines(name: "alice", port: 5_000, terminal: "/run/alice").joined().contains("LD_PRELOAD"))
        #expect(bare.closing().joined().contains("cc x"))
    }

    @Test func `the modem library is built once from the source inside the program`() throws {
        let folder = ScratchFolder()
        #expect(String(decoding: ModemLibrary.source, as: UTF8.self).contains("TIOCMGET"))
        guard case .ready(let library) = ModemLibrary.install(in: folder.path) else {
            Issue.record("cc did not build the library")
            return
        }
        var info = stat()
        #expect(stat(library, &info) == 0)
        let built = info.st_mtim.tv_nsec
        #expect(ModemLibrary.install(in: folder.path) == .ready(library))
        #expect(stat(library, &info) == 0)
        #expect(info.st_mtim.tv_nsec == built)
        #expect(ModemLibrary.install(in: folder.path + "/nowhere") != .ready(library))
    }

    @Test func `a folder that is none, or somebody else's, is refused`() {
        let folder = ScratchFolder()
        #expect(writeFile([], to: folder.path + "/file"))
        #expect(throws: ServeError.foreignFile(folder.path + "/file", reason: "is not a directory")) {
            try TerminalDirectory.prepare(folder.path + "/file")
        }
        #expect(throws: Never.self) { try TerminalDirectory.prepare(folder.path) }
    }

    @Test func `a stop flag wakes whoever polls it`() {
        let flag = StopFlag()
        #expect(!flag.isSet)
        flag.set()
        var descriptors = [pollfd(fd: flag.descriptor, events: Int16(POLLIN), revents: 0)]
        #expect(poll(&descriptors, 1, 0) == 1)
        #expect(flag.isSet)
    }
}
