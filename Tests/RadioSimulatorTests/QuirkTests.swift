import MeshProtocol
import RadioSimulator
import RigBase
import RunRecord
import Testing

/// Each weakness of the firmware, switched on and off. A check says whether the weakness shows.
@Suite struct QuirkTests {
    struct Check: CustomTestStringConvertible {
        var name: String
        var shows: @Sendable (Table) throws -> Bool

        init(_ name: String, _ shows: @escaping @Sendable (Table) throws -> Bool) {
            self.name = name
            self.shows = shows
        }

        var testDescription: String { name }
    }

    /// alice with one switch set, and bob whom she knows.
    final class Table {
        let bench: Bench
        let bob = Identity.named("bob")
        private let alice = Identity.named("alice")

        init(_ quirks: Quirks) throws {
            bench = try Bench(["alice", "bob"]) { spec in
                spec.board.offlineQueue = 4
                if spec.name == "alice" { spec.profile.quirks = quirks }
            }
        }

        func ask(_ frame: [UInt8], within milliseconds: Int64 = 3) -> [[UInt8]] {
            bench.ask(frame, "alice", within: milliseconds)
        }

        func text(_ text: String, attempt: UInt8 = 0) -> [UInt8] {
            [0x02, 0, attempt, 1, 0, 0, 0] + bob.publicKey.prefix(6) + Array(text.utf8)
        }

        func add(_ key: [UInt8], type: UInt8 = 1, path: UInt8 = 0xFF, modified: UInt32? = 9, adverted: UInt32 = 0)
            -> [UInt8]
        {
            var frame: [UInt8] = [0x09] + key + [type, 0, path] + [UInt8](repeating: 0, count: 64)
            frame += Array("added".utf8) + [UInt8](repeating: 0, count: 27)
            frame += Self.bytes(adverted)
            if let modified { frame += [UInt8](repeating: 0, count: 8) + Self.bytes(modified) }
            return frame
        }

        static func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

        func hear(_ bytes: [UInt8], wait: Int64 = 110) -> [[UInt8]] {
            bench.world.inject(packet: bytes, to: "alice")
            bench.run(wait)
            return bench.frames(of: "alice").filter { $0[0] != 0x88 }
        }

        func sealed(_ type: PayloadType, _ plain: [UInt8], route: RouteType = .flood) -> [UInt8] {
            let envelope = PeerEnvelope(
                plain, from: bob.publicKey, to: alice.publicKey, secret: bob.sharedSecret(with: alice.publicKey))
            return Packet(route: route, type: type, payload: envelope.encoded).encoded
        }

        func advert(of identity: Identity, at time: UInt32) -> [UInt8] {
            let advert = Advert(identity: identity, timestamp: time, appData: [0x81] + Array("carol".utf8))
            return Packet(route: .flood, type: .advert, payload: advert.encoded).encoded
        }

        /// Client repeat on one of the three frequencies.
        func repeats(_ frame: [UInt8] = [0x0B, 0x77, 0x44, 0x0D, 0, 0x24, 0xF4, 0, 0, 8, 5, 1]) { _ = ask(frame) }

        var forwards: Int { bench.events(.packetForwarded, of: "alice").count }
        var sent: [[UInt8]] { bench.sent.filter { $0.node == "alice" }.map(\.bytes) }
        /// Nobody answers what alice sends.
        func isolate() { bench.world.cutLinkBoth("alice", "bob") }
    }

    static let key = [UInt8](repeating: 9, count: 32)
    static let zero = [UInt8](repeating: 0, count: 32)

    static let checks: [Check] = [
        Check("short-channel-text-crashes") { table in
            table.ask([0x03, 0, 0]).isEmpty && table.bench.events(.firmwareCrash).count == 1
        },
        Check("keeps-command-bytes") { table in
            _ = table.ask([0x08] + Array("reboot".utf8))
            return table.ask([0x13]).isEmpty
        },
        Check("truncates-oversize-frames") { table in
            table.ask([0x05] + [UInt8](repeating: 0, count: 180)).first?.first == 0x09
        },
        Check("leaves-bytes-behind-names") { table in
            _ = table.ask([UInt8](repeating: 1, count: 8))
            return table.ask([0x1F, 0]).first?[10..<34].contains { $0 != 0 } == true
        },
        Check("leaves-bytes-behind-scopes") { table in
            for name in ["#test", "a"] {
                let field = Array(name.utf8) + [UInt8](repeating: 0, count: 31 - name.utf8.count)
                _ = table.ask([0x3F] + field + [UInt8](repeating: 9, count: 16))
            }
            return table.ask([0x40]).first?[3] != 0
        },
        Check("finds-empty-slots") { $0.ask([0x1E] + zero).first?.first == 0x03 },
        Check("transient-removal-shifts-contacts") { table in
            _ = table.ask([0x39] + key + [1])
            _ = table.ask([0x0F] + key)
            return table.ask([0x04], within: 10).first?[1] == 0
        },
        Check("updates-transients-in-place") { table in
            _ = table.ask([0x39] + key + [1])
            _ = table.ask(table.add(key))
            return table.ask([0x04], within: 10).first?[1] == 1
        },
        Check("leaves-zero-contacts") { table in
            let carol = Identity.named("carol")
            let typeless = Advert(identity: carol, timestamp: 1, appData: [0x80] + Array("carol".utf8))
            _ = table.hear(Packet(route: .flood, type: .advert, payload: typeless.encoded).encoded)
            _ = table.hear(table.advert(of: carol, at: 2))
            return table.ask([0x04], within: 10).first?[1] == 3
        },
        Check("ack-takes-undefined-byte") { table in
            table.isolate()
            _ = table.hear(
                table.sealed(.textMessage, [1, 0, 0, 0, 0] + Array(repeating: 0x41, count: 25)), wait: 3_000)
            _ = table.hear(
                table.sealed(.textMessage, [2, 0, 0, 0, 0] + Array(repeating: 0x42, count: 11)), wait: 3_000)
            let packet = try Packet(parsing: try #require(table.sent.last))
            let envelope = try #require(PeerEnvelope(parsing: packet.payload))
            let secret = table.bob.sharedSecret(with: Identity.named("alice").publicKey)
            let opened = try #require(secret.open(envelope.sealed))
            return try #require(PathReturn(opened: opened)).extra[4] != 0
        },
        Check("calls-long-texts-table-full") { table in
            table.ask(table.text(String(repeating: "x", count: 161))) == [[0x01, 0x03]]
        },
        Check("calls-channel-failures-not-found") { table in
            for _ in 0..<16 { _ = table.ask([0x37, 0x80], within: 1) }
            return table.ask([0x03, 0, 0, 1, 0, 0, 0, 0x41]) == [[0x01, 0x02]]
        },
        Check("loses-priority-255") { table in
            _ = table.ask([0x41, 255, 0x0E, 0, 1, 2, 3, 4], within: 2_000)
            return table.sent.isEmpty
        },
        Check("takes-invalid-paths") { table in table.ask(table.add(key, path: 0xC1)) == [[0x00]] },
        Check("leaves-positions-undefined") { table in
            // A long frame leaves bytes where the position will be read.
            _ = table.hear(
                Packet(route: .direct, type: .control, payload: [0x80] + Array(repeating: 7, count: 160)).encoded)
            _ = table.ask(table.add(key, modified: nil))
            return table.ask([0x1E] + key).first?[136..<144].contains { $0 != 0 } == true
        },
        Check("hides-timeless-contacts") { table in
            _ = table.ask(table.add(key, modified: 0))
            return table.ask([0x04], within: 10).count { $0[0] == 0x03 } == 1
        },
        Check("cuts-characters") { table in
            _ = table.ask([0x08] + Array((String(repeating: "x", count: 30) + "é").utf8))
            return table.ask([UInt8](repeating: 1, count: 8)).first?.count == 58 + 31
        },
        Check("uses-unset-channels") { $0.ask([0x03, 0, 5, 1, 0, 0, 0, 0x41]) == [[0x00]] },
        Check("announces-discarded-messages") { table in
            table.isolate()
            var pushes = 0
            for number: UInt8 in 0..<5 {
                let text = table.sealed(.textMessage, [number, 0, 0, 0, 0, 0x41], route: .direct)
                pushes += table.hear(text, wait: 2_000).count { $0 == [0x83] }
            }
            return pushes == 5
        },
        Check("rounds-settings") { table in
            _ = table.ask([0x15, 251, 0, 0, 0, 0, 0, 0, 0])
            return table.ask([0x2B]).first?[1] == 250
        },
        Check("counts-full-trace-as-none") { table in
            let sent = try #require(
                table.ask([0x24] + [UInt8](repeating: 0, count: 9) + Array(repeating: 5, count: 64)).first)
            return sent[6...].reversed().reduce(0) { $0 << 8 | Int($1) } < 10_000
        },
        Check("ends-repeat-without-byte") { table in
            table.repeats()
            _ = table.ask([0x0B, 0x77, 0x44, 0x0D, 0, 0x24, 0xF4, 0, 0, 8, 5])
            return table.ask([0x16, 3]).first?[80] == 0
        },
        Check("overflows-full-paths") { table in
            table.repeats()
            let ack = Packet(
                route: .flood, type: .ack, pathLength: PathLength(hashSize: 1, hopCount: 63),
                path: Array(repeating: 5, count: 63), payload: [1, 2, 3, 4])
            _ = table.hear(ack.encoded, wait: 3_000)
            return table.forwards == 1
        },
        Check("sends-junk-acks") { table in
            table.repeats()
            table.isolate()
            let sent = try #require(table.ask(table.text("hi"), within: 1_000).first)
            let ack = Packet(
                route: .direct, type: .ack, pathLength: PathLength(hashSize: 1, hopCount: 1),
                path: [Identity.named("alice").publicKey.nodeHash], payload: Array(sent[2..<6]))
            _ = table.hear(ack.encoded, wait: 3_000)
            return table.sent.last?.first == 0xFF
        },
        Check("matches-zero-acks") { table in
            table.hear(Packet(route: .flood, type: .ack, payload: [0, 0, 0, 0]).encoded).first?.first == 0x82
        },
        Check("matches-zero-tags") { table in
            table.hear(table.sealed(.response, [0, 0, 0, 0, 1])).first?.first == 0x8B
        },
        Check("never-repairs-ack-paths") { table in
            table.isolate()
            _ = table.ask(table.add(table.bob.publicKey.bytes, path: 0))
            let sent = try #require(table.ask(table.text("hi"), within: 1_000).first)
            let before = table.sent.count
            _ = table.hear(Packet(route: .flood, type: .ack, payload: Array(sent[2..<6])).encoded, wait: 5_000)
            return table.sent.count == before
        },
        Check("takes-time-from-contacts") { table in
            table.bench.run(60_000)
            table.bench.world.reboot("alice")
            table.bench.run(10)
            return table.bench.world.clock(of: "alice") < 1_750_000_000
        },
        Check("counts-filtered-contacts") { $0.ask([0x04, 0xFF, 0xFF, 0xFF, 0xFF], within: 10).first?[1] == 1 },
        Check("ends-empty-listings-with-zero") { table in
            table.ask([0x04, 0xFF, 0xFF, 0xFF, 0xFF], within: 10).last == [0x04, 0, 0, 0, 0]
        },
        Check("adverts-ignore-session-scope") { table in
            _ = table.ask([0x36, 0] + Array(repeating: 7, count: 16))
            _ = table.ask([0x07, 1], within: 1_000)
            return try #require(table.sent.last)[0] & 3 == 1
        },
        Check("loses-long-answers") { table in
            table.isolate()
            let sent = try #require(table.ask([0x32] + table.bob.publicKey.bytes + [5], within: 1_000).first)
            return table.hear(table.sealed(.response, Array(sent[2..<6]) + Array(repeating: 1, count: 172))).isEmpty
        },
        Check("import-loses-changes") { table in
            _ = table.ask(table.add(key))
            let private64 = Identity.named("carol").privateKey.reveal { $0 }
            _ = table.ask([0x18] + private64)
            return table.ask([0x1E] + key) == [[0x01, 0x02]]
        },
    ]

    @Test(arguments: checks)
    func `a weakness shows exactly while its switch is on`(check: Check) throws {
        #expect(try check.shows(Table(Quirks())), "with the firmware's own behaviour")
        var quirks = Quirks()
        let isKnown = quirks.set(check.name, to: false)
        #expect(isKnown)
        #expect(try !check.shows(Table(quirks)), "with only this switch off")
    }

    @Test func `the ideal profile has every weakness off, and each one is tested and explained`() throws {
        let weaknesses = Quirks.switches.filter { $0.section != nil }
        #expect(weaknesses.map(\.name) == Self.checks.map(\.name))
        for weakness in weaknesses {
            #expect(Quirks()[keyPath: weakness.path] && !Quirks.ideal[keyPath: weakness.path], "\(weakness.name)")
            #expect(weakness.section?.contains("§") == true)
        }
        #expect(FirmwareProfile.ideal.quirks == .ideal && FirmwareProfile.v1171.quirks == Quirks())
    }

    @Test func `release 1.3.0 answers errors without a code and knows no telemetry`() throws {
        let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", profile: .v130)]))
        #expect(bench.ask([0x27, 0, 0, 0], "alice") == [[0x01]])
        #expect(bench.ask([0x16, 3], "alice").first?[1...3] == [2, 0, 0])
        #expect(bench.ask([0x1F, 0], "alice").first?.count == 50)
        #expect(bench.ask([0x14], "alice").first?.count == 3)
    }

    @Test func `release 1.9.0 has requests and traces but no scopes, and frames of 172 bytes`() throws {
        let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", profile: .v190)]))
        #expect(bench.ask([0x36, 0], "alice") == [[0x01, 0x01]])
        #expect(bench.ask([0x27, 0, 0, 0], "alice").first?.first == 0x8B)
        bench.world.inject(packet: [0x0D, 0] + [UInt8](repeating: 1, count: 168), to: "alice")
        bench.run(110)
        #expect(bench.frames(of: "alice").isEmpty)
        bench.world.inject(packet: [0x0D, 0] + [UInt8](repeating: 1, count: 167), to: "alice")
        bench.run(110)
        #expect(bench.frames(of: "alice").first?.count == 172)
    }

    @Test(arguments: BoardProfile.catalogue)
    func `every board names its numbers' source and reports its limits`(board: BoardProfile) throws {
        #expect(board.source.contains("§") || board.source.contains("README"))
        #expect(BoardProfile.named(board.name) == board)
        let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", board: board)]))
        bench.world.hostConnected("alice")
        let info = try #require(bench.ask([0x16, 3], "alice", within: 100).first)
        #expect(Int(info[2]) * 2 == board.maximumContacts && Int(info[3]) == board.maximumChannels)
        #expect(String(decoding: info[20..<60].prefix { $0 != 0 }, as: UTF8.self) == board.model)
    }

    /// Twenty commands in as many milliseconds. On ESP32 Bluetooth one answer leaves at once and four wait, on nRF52 the
    /// writes of one millisecond are one frame.
    @Test(arguments: [
        (HostInterfaceKind.serial, 20), (.wifi, 20), (.ethernet, 20), (.bleESP32, 5), (.bleNRF52, 1),
    ])
    func `a link keeps as many answers as its queue holds`(kind: HostInterfaceKind, expected: Int) throws {
        let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", hostInterface: kind)]))
        bench.world.hostConnected("alice")
        bench.run(2)
        for _ in 0..<20 {
            bench.write([0x05], to: "alice")
            if !kind.facts.mergesWrites { bench.run(1) }
        }
        bench.run(2_000)
        #expect(bench.frames(of: "alice").count == expected)
        #expect(kind.facts.source.contains("§1."))
    }

    @Test func `a board with slow flash stands still while it saves its contacts`() throws {
        func answer(_ board: BoardProfile) throws -> Int {
            let contacts = [ContactSpec(.generated(count: 350, prefix: "Peer"))]
            let bench = try Bench(WorldSpec(nodes: [NodeSpec(name: "alice", board: board, contacts: contacts)]))
            let frame: [UInt8] = [0x0D] + (bench.world.inspect("alice").companion?.contacts[0].key.bytes ?? [])
            _ = bench.ask(frame, "alice")
            bench.run(5_000)
            bench.write([0x05], to: "alice")
            let start = bench.world.now.milliseconds
            bench.run(10_000)
            let first = try #require(bench.world.takeHostOutput(of: "alice").first { $0.frame[0] == 0x09 })
            return Int(first.at.milliseconds - start)
        }
        #expect(try answer(.standard) < 10)
        #expect(try (5_500...5_700).contains(answer(.heltecV3USB)))
    }
}
