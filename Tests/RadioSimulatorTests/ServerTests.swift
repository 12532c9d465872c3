import MeshProtocol
import RigBase
import RunRecord
import Testing

@testable import RadioSimulator

/// A repeater and a room with two companions that hear and know them.
private struct ServerBench {
    let bench: Bench

    init(change: (inout NodeSpec) -> Void = { _ in }) throws {
        var nodes = [
            NodeSpec(name: "hill", role: .repeater), NodeSpec(name: "club", role: .room),
            NodeSpec(name: "alice"), NodeSpec(name: "bob"),
        ]
        for index in 2...3 {
            nodes[index].contacts = [ContactSpec(.node("hill")), ContactSpec(.node("club"))]
        }
        for index in 0...1 {
            nodes[index].settings.forwarding.advertsOnBoot = false
            nodes[index].settings.forwarding.localAdvertMinutes = 0
            nodes[index].settings.forwarding.floodAdvertHours = 0
        }
        for index in nodes.indices { change(&nodes[index]) }
        let links = ["alice", "bob"].flatMap { LinkSpec.both($0, "hill") + LinkSpec.both($0, "club") }
        bench = try Bench(WorldSpec(medium: .ideal, nodes: nodes, links: links))
        bench.run(2_000)
    }

    var world: World { bench.world }
    func key(_ name: String) -> [UInt8] { world.publicKey(of: name).bytes }

    /// Types a line and returns what is printed, without the echo.
    func type(_ line: String, on name: String = "hill") -> String {
        world.consoleWrite(line, to: name)
        bench.run(2)
        let printed = world.takeConsoleOutput(of: name).map(\.text).joined()
        guard let echo = printed.firstRange(of: line) else { return printed }
        let rest = printed[echo.upperBound...].drop { $0 == "\r" || $0 == "\n" || $0 == "\r\n" }
        return rest.hasPrefix("  -> ") ? String(rest.dropFirst(5).dropLast()) : String(rest)
    }

    /// Logs in and returns the LOGIN_SUCCESS push, nil when there is silence.
    func logIn(_ client: String, to server: String, _ password: String) -> [UInt8]? {
        bench.ask([26] + key(server) + Array(password.utf8), client, within: 8_000).first { $0.first == 0x85 }
    }

    func post(_ client: String, _ text: String, at time: UInt32, type: UInt8 = 0, to server: String = "club") {
        let stamp = (0..<4).map { UInt8(truncatingIfNeeded: time >> (8 * UInt32($0))) }
        bench.write([2, type, 0] + stamp + key(server)[..<6] + Array(text.utf8), to: client)
    }

    func server(_ name: String) throws -> ServerSnapshot { try #require(world.inspect(name).server) }
}

@Suite struct ServerLoginTests {
    @Test func `passwords give their roles and a wrong one is met with silence`() throws {
        let bench = try ServerBench { if $0.name == "hill" { $0.settings.guestPassword = "guest" } }
        #expect(bench.logIn("alice", to: "hill", "wrong") == nil)
        #expect(try bench.server("hill").members.isEmpty)
        let guest = try #require(bench.logIn("alice", to: "hill", "guest"))
        #expect(guest[1] == 0 && guest[12] == 0 && guest[13] == 2)
        let admin = try #require(bench.logIn("alice", to: "hill", "password"))
        #expect(admin[1] == 1 && admin[12] == 3)
        #expect(bench.logIn("alice", to: "hill", "guest")?[12] == 0)
        #expect(try bench.server("hill").members.count == 1)
        let member = try #require(bench.logIn("bob", to: "club", "hello"))
        #expect(member[12] == 2 && member[13] == 1)
    }

    @Test func `an admin is remembered over a restart and a guest is not`() throws {
        let bench = try ServerBench()
        _ = bench.logIn("alice", to: "hill", "password")
        _ = bench.logIn("bob", to: "hill", "")
        #expect(try bench.server("hill").members.count == 2)
        bench.bench.run(6_000)
        _ = bench.type("reboot")
        bench.bench.run(2_000)
        #expect(try bench.server("hill").members.map(\.permissions) == [3])
    }

    @Test func `the table gives up the quietest member that is no admin`() {
        var table = ClientTable()
        func place(_ name: String) -> Int {
            table.place(of: Identity.named(name).publicKey, secret: SharedSecret([UInt8](repeating: 1, count: 32)))
        }
        for number in 0..<ClientTable.capacity {
            let index = place("member \(number)")
            table.clients[index].permissions = number == 4 ? 0 : 3
        }
        #expect(place("member 7") == 7)
        #expect(place("newcomer") == 4)
        table.clients[4].permissions = 3
        #expect(place("another") == ClientTable.capacity - 1)
        #expect(table.clients.count == ClientTable.capacity)
    }

    @Test func `a limiter counts in windows that begin with the first event after the last`() {
        var limiter = RateLimiter(maximum: 2, window: 10)
        #expect([100, 101, 105, 109].map { limiter.allows(at: $0) } == [true, true, false, false])
        #expect([110, 119, 119, 120].map { limiter.allows(at: $0) } == [true, true, false, true])
    }

    @Test func `a fifth question of strangers within three minutes stays unanswered`() throws {
        let bench = try ServerBench()
        var answers = 0
        bench.bench.write([13] + bench.key("hill"), to: "alice")
        for _ in 0..<5 {
            let command = [57] + bench.key("hill") + [3, 0]
            answers += bench.bench.ask(command, "alice", within: 4_000).count { $0.first == 0x8C }
        }
        #expect(answers == 0, "a question that is flooded is never answered")
        let path = [9] + bench.key("hill") + [2, 0, 0] + [UInt8](repeating: 0, count: 64 + 32 + 12)
        _ = bench.bench.ask(path, "alice", within: 10)
        for _ in 0..<5 {
            let command = [57] + bench.key("hill") + [3, 0]
            answers += bench.bench.ask(command, "alice", within: 4_000).count { $0.first == 0x8C }
        }
        #expect(answers == 4)
    }
}

@Suite struct RoomTests {
    @Test func `a post reaches the other member once and never its author`() throws {
        let bench = try ServerBench()
        _ = bench.logIn("alice", to: "club", "hello")
        _ = bench.logIn("bob", to: "club", "hello")
        bench.post("alice", "hello all", at: bench.world.clock(of: "alice"))
        bench.bench.run(20_000)
        #expect(try bench.server("club").posts.map(\.text) == ["hello all"])
        #expect(bench.world.inspect("bob").companion?.offlineQueue.count == 1)
        #expect(bench.world.inspect("alice").companion?.offlineQueue.isEmpty == true)
        let bob = try #require(try bench.server("club").members.first { $0.key == bench.world.publicKey(of: "bob") })
        #expect(bob.syncSince == (try bench.server("club").posts[0].time))
    }

    @Test func `three pushes without acknowledgement suspend a member until it asks for something`() throws {
        let bench = try ServerBench()
        _ = bench.logIn("alice", to: "club", "hello")
        _ = bench.logIn("bob", to: "club", "hello")
        bench.world.cutLinkBoth("bob", "club")
        bench.post("alice", "missed", at: bench.world.clock(of: "alice"))
        bench.bench.run(90_000)
        func pushes() -> Int { bench.bench.sent.count { $0.node == "club" && $0.bytes[0] >> 2 & 15 == 2 } }
        #expect(pushes() == 3)
        bench.world.setLinkBoth("bob", "club")
        bench.bench.run(30_000)
        #expect(pushes() == 3)
        bench.bench.write([27] + bench.key("club"), to: "bob")
        bench.bench.run(10_000)
        #expect(pushes() == 4)
        #expect(bench.world.inspect("bob").companion?.offlineQueue.count == 1)
    }

    @Test func `a wrong password admits readers only where that is allowed, and they cannot post`() throws {
        let bench = try ServerBench { if $0.name == "club" { $0.settings.allowsReadOnly = true } }
        let reader = try #require(bench.logIn("alice", to: "club", "nonsense"))
        #expect(reader[1] == 2 && reader[12] == 0)
        bench.post("alice", "not for me", at: bench.world.clock(of: "alice"))
        bench.bench.run(5_000)
        #expect(try bench.server("club").posts.isEmpty)
    }

    @Test func `the ring keeps 32 posts of 150 bytes and gives them out after six seconds`() {
        var posts = RoomPosts()
        let author = Identity.named("author").publicKey
        for time in UInt32(1)...40 {
            posts.add(author: author, time: time, text: [UInt8](repeating: 0x61, count: 200))
        }
        #expect(posts.posts.count == 32 && posts.posts[0].time == 9 && posts.posts[0].text.count == 150)
        let secret = SharedSecret([UInt8](repeating: 1, count: 32))
        var reader = ServerClient(key: Identity.named("reader").publicKey, secret: secret, permissions: 2)
        reader.syncSince = 20
        #expect(posts.next(for: reader, now: 26) == nil)
        #expect(posts.next(for: reader, now: 27)?.time == 21)
        #expect(posts.missing(for: reader) == 20)
        let own = ServerClient(key: author, secret: secret, permissions: 2)
        #expect(posts.next(for: own, now: 1_000) == nil)
    }
}

@Suite struct ConsoleTests {
    @Test func `settings are shown, changed and refused as the firmware does`() throws {
        let bench = try ServerBench()
        let dialogue: [(String, String)] = [
            ("get name", "> hill"), ("set name a[b", "Error, bad chars"), ("set name Summit", "OK"),
            ("get name", "> Summit"), ("get radio", "> 869.6179809,62.5,8,5"),
            ("set radio 869.525,250,11,5", "OK - reboot to apply"), ("get radio", "> 869.5250244,250,11,5"),
            ("set radio 1,2,3,4", "Error, invalid radio params"), ("get af", "> 1.0"), ("get dutycycle", "> 50.0%"),
            ("set dutycycle 10", "OK - 10.0%"), ("set dutycycle 0", "ERROR: dutycycle must be 1-100"),
            ("set txdelay 0.7", "OK"), ("get txdelay", "> 0.6999999"), ("set flood.max 65", "Error, max 64"),
            ("set loop.detect strict", "OK"), ("get loop.detect", "> strict"), ("get flood.max.advert", "> 8"),
            ("set advert.interval 30", "Error: interval range is 60-240 minutes"), ("get role", "> repeater"),
            ("set owner.info a|b", "OK"), ("get owner.info", "> a|b"), ("get nonsense", "??: nonsense"),
            ("set nonsense 1", "unknown config: nonsense 1"), ("nonsense", "Unknown command"),
            ("A7|get name", "A7|> Summit"), ("  ver", "v1.17.1 (Build: 14 Aug 2026)"), ("board", "MeshRig Simulated"),
            ("clock", "15:06 - 15/6/2025 UTC"), ("time 5", "(ERR: clock cannot go backwards)"),
            ("password secret", "password now: secret"), ("neighbors", "-none-"),
        ]
        for (line, reply) in dialogue { #expect(bench.type(line) == reply, "\(line)") }
    }

    @Test func `radio settings take effect with the restart, and the others survive it`() throws {
        let bench = try ServerBench()
        _ = bench.type("set radio 869.525,250,11,5")
        _ = bench.type("set name Summit")
        #expect(bench.world.inspect("hill").radio.spreadingFactor == 8)
        _ = bench.type("reboot")
        bench.bench.run(2_000)
        #expect(bench.world.inspect("hill").radio.spreadingFactor == 11)
        #expect(try bench.server("hill").displayName == "Summit")
    }

    @Test func `a temporary radio setting begins after two seconds and ends by itself`() throws {
        let bench = try ServerBench()
        #expect(bench.type("tempradio 869.525,250,11,5,1") == "OK - temp params for 1 mins")
        bench.bench.run(1_000)
        #expect(bench.world.inspect("hill").radio.spreadingFactor == 8)
        bench.bench.run(2_000)
        #expect(bench.world.inspect("hill").radio.spreadingFactor == 11)
        bench.bench.run(61_000)
        #expect(bench.world.inspect("hill").radio.spreadingFactor == 8)
    }

    @Test func `regions form a tree that is edited by name`() throws {
        let bench = try ServerBench()
        let dialogue: [(String, String)] = [
            ("region", "*^ F\n"), ("region put europe", "OK - (flood allowed)"),
            ("region put uk europe", "OK - (flood allowed)"), ("region put x nowhere", "Err - unknown parent"),
            ("region", "*^ F\n europe F\n  uk F\n"), ("region remove europe", "Err - not empty"),
            ("region denyf uk", "OK"), ("region get uk", " uk (europe) "), ("region list denied", "uk"),
            ("region list allowed", "*,europe"), ("region home eur", " home is now europe"),
            ("region remove uk", "OK"), ("region remove uk", "Err - not found"),
            ("region default town", " default scope is now town"),
            ("region default <null>", " default scope is now <null>"),
            ("region put bad.name", "Err - unable to put"), ("region what", "Err - ??"),
        ]
        for (line, reply) in dialogue { #expect(bench.type(line) == reply, "\(line)") }
        #expect(bench.type("region def a b|* c") == "* F\n europe^ F\n town F\n a F\n  b F\n c F\n")
    }

    @Test func `a region load takes every line until a blank one`() throws {
        let bench = try ServerBench()
        for line in ["region load", " north F", "  coast", "ver", "      lost F"] {
            #expect(bench.type(line) == "", "\(line)")
        }
        #expect(bench.type(" ") == "OK - loaded 2 regions")
        #expect(bench.type("region") == "*^ F\n north F\n  coast\n")
    }

    @Test func `a node that is switched off by its console stays off until it gets power`() throws {
        let bench = try ServerBench()
        _ = bench.type("poweroff")
        #expect(!bench.world.inspect("hill").isOn)
        bench.bench.run(60_000)
        #expect(!bench.world.inspect("hill").isOn)
        bench.world.power("hill", on: true)
        bench.bench.run(2_000)
        #expect(bench.type("get role") == "> repeater")
    }

    @Test func `times are written in the calendar's days`() {
        #expect(ConsoleText.clock(0) == "00:00 - 1/1/1970 UTC")
        #expect(ConsoleText.clock(951_827_696) == "12:34 - 29/2/2000 UTC")
        #expect(ConsoleText.clock(1_715_770_351) == "10:52 - 15/5/2024 UTC")
        #expect(ConsoleText.clock(.max) == "06:28 - 7/2/2106 UTC")
    }

    @Test func `numbers are read up to what is none`() {
        #expect(ConsoleText.number(" -12.5x") == -12.5)
        #expect(ConsoleText.number("abc") == 0)
        #expect(ConsoleText.integer("99999999999") == 2_000_000_000)
        #expect(ConsoleText.float(-0.25) == "-0.25")
        #expect(ConsoleText.float(.infinity) == "0.0")
    }

    @Test func `arbitrary lines and packets never trap a server`() throws {
        let bench = try ServerBench()
        _ = bench.logIn("alice", to: "hill", "password")
        _ = bench.logIn("alice", to: "club", "password")
        var generator = Prng(seed: 21)
        let names = ServerSetting.all.map(\.name)
        let words = [
            "get", "set", "region", "put", "def", "load", "setperm", "time", "tempradio", "A1|", " ", "-1", "1e9", "ff",
        ]
        for round in 0..<1_500 {
            let name = round % 2 == 0 ? "hill" : "club"
            var line = (0..<generator.index(below: 5)).map { _ in
                generator.index(below: 2) == 0
                    ? words[generator.index(below: words.count)] : names[generator.index(below: names.count)]
            }.joined(separator: " ")
            if generator.index(below: 3) == 0 { line += String(decoding: generator.bytes(12), as: UTF8.self) }
            bench.world.consoleWrite(line, to: name)
            var packet = generator.bytes(generator.index(below: 200))
            if packet.count > 4 {
                packet[0] &= 0x3F
                packet[1] = 0
                packet[2] = bench.key(name)[0]
                packet[3] = bench.key("alice")[0]
            }
            bench.world.inject(packet: packet, to: name)
            bench.bench.run(20)
        }
    }

    @Test func `arbitrary texts under a member's own secret never trap a server`() throws {
        let bench = try ServerBench()
        let (alice, stranger) = (Identity.named("alice"), Identity.named("stranger"))
        for name in ["hill", "club"] { _ = bench.logIn("alice", to: name, "password") }
        var generator = Prng(seed: 22)
        let types: [PayloadType] = [.request, .response, .textMessage, .path, .anonymousRequest]
        for _ in 0..<1_500 {
            let server = bench.world.publicKey(of: generator.index(below: 2) == 0 ? "hill" : "club")
            let type = types[generator.index(below: types.count)]
            let sender = type == .anonymousRequest && generator.index(below: 2) == 0 ? stranger : alice
            let secret = sender.sharedSecret(with: server)
            var plain = generator.bytes(generator.index(below: 130))
            // Most of them new by their time and of a kind that is handled.
            if plain.count > 4 { plain[3] = 0x7F }
            if plain.count > 4, generator.index(below: 4) > 0 { plain[4] = UInt8(generator.index(below: 10)) }
            let payload =
                type == .anonymousRequest
                ? AnonymousEnvelope(plain, from: sender.publicKey, to: server, secret: secret).encoded
                : PeerEnvelope(plain, from: sender.publicKey, to: server, secret: secret).encoded
            let packet = generator.index(below: 2) == 0 ? Packet.flood(type, payload) : .zeroHop(type, payload)
            for name in ["hill", "club"] { bench.world.inject(packet: packet.encoded, to: name) }
            bench.bench.run(200)
        }
        #expect(!bench.bench.sent.isEmpty)
    }
}
