internal import Glibc
internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import RunRecord

// Feeds the simulated firmware with what nobody should send it, and checks after each episode that its tables stay
// within their limits. A trap ends the program; the seed makes the way there repeatable.
//
//     swift run -c release fuzz-firmware [inputs, 10000000 when missing] [seed]

/// Pages of memory in use, in KiB.
func residentKiB() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 128)
    guard fgets(&buffer, 128, file) != nil else { return 0 }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
}

/// One node's life: so many inputs, then a new world of another profile, board and interface.
struct Episode {
    static let inputs = 20_000
    private static let peerNames = ["bob", "carol", "dave"]

    var number: Int
    var seed: UInt64
    var counts = Counts()

    struct Counts {
        var commands = 0
        var lines = 0
        var packets = 0
        var answers = 0
        var restarts = 0
        var crashes = 0
    }

    private func spec(_ random: inout Prng) -> WorldSpec {
        func pick<T>(_ list: [T]) -> T { list[Int(random.next() % UInt64(list.count))] }
        var node = NodeSpec(
            name: "alice", profile: pick(FirmwareProfile.catalogue), board: pick(BoardProfile.catalogue),
            contacts: Self.peerNames.map { ContactSpec(.key(Identity.named($0).publicKey, name: $0)) },
            hostInterface: pick(HostInterfaceKind.allCases), random: .recorder(seed: UInt32(number)))
        if random.next() % 4 == 0 {
            node.contacts.append(ContactSpec(.generated(count: node.board.maximumContacts - 3, prefix: "Peer")))
        }
        for quirk in Quirks.switches where random.next() % 16 == 0 {
            _ = node.profile.quirks.set(quirk.name, to: random.next() % 2 == 0)
        }
        let medium: MediumSpec = random.next() % 2 == 0 ? .recorder(chunkMillis: 10) : .contention
        return WorldSpec(seed: seed, medium: medium, nodes: [node])
    }

    mutating func run(_ inputs: Int) throws {
        var random = Prng(seed: seed).fork("episode", String(number))
        let spec = spec(&random)
        let node = spec.nodes[0]
        let journal = Journal()
        let world = try World(spec, journal: journal)
        world.hostConnected("alice")
        var generator = FrameGenerator(
            random: random.fork("frames"), node: Identity.named("alice"),
            peers: Self.peerNames.map { Identity.named($0) })
        for turn in 0..<inputs {
            // A new client, where that matters, gets out of whatever the last one's noise led to.
            if turn % 50 == 49 { world.hostConnected("alice") }
            switch generator.next() {
            case .command(let frame):
                counts.commands += 1
                world.hostWrite(generator.envelope(frame), to: "alice")
            case .bytes(let bytes):
                counts.lines += 1
                world.hostWrite(bytes, to: "alice")
            case .packet(let bytes):
                counts.packets += 1
                world.inject(packet: bytes, to: "alice", duration: 20)
            }
            world.run(until: SimInstant(milliseconds: world.now.milliseconds + generator.pause()))
            for output in world.takeHostOutput(of: "alice") {
                counts.answers += 1
                precondition((1...node.profile.maximumFrame).contains(output.frame.count), "a frame too long or empty")
            }
            let restarts = world.takeRestarts().count
            counts.restarts += restarts
            if restarts > 0 { world.hostConnected("alice") }
        }
        check(world.inspect("alice"), node)
        counts.crashes += journal.events().count { $0.kind == .firmwareCrash }
    }

    private func check(_ snapshot: NodeSnapshot, _ node: NodeSpec) {
        guard let companion = snapshot.companion else { preconditionFailure("no companion") }
        precondition(companion.contacts.count <= node.board.maximumContacts + 8, "too many contacts")
        precondition(companion.offlineQueue.count <= node.board.offlineQueue, "too many messages")
        precondition((0...node.board.packetPool).contains(snapshot.freeBuffers), "the pool has leaked")
        precondition(snapshot.sendQueue <= node.board.packetPool, "more packets than buffers")
    }
}

let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
let total = Int(arguments.first.flatMap { $0 } ?? 10_000_000)
let seed = arguments.dropFirst().first.flatMap { $0 } ?? 1
var done = 0
var episode = Episode(number: 0, seed: seed)
var first: Int?
var highest = 0
var started = timespec()
clock_gettime(CLOCK_MONOTONIC, &started)
while done < total {
    let inputs = min(Episode.inputs, total - done)
    try episode.run(inputs)
    done += inputs
    episode.number += 1
    let resident = residentKiB()
    first = first ?? resident
    highest = max(highest, resident)
    if episode.number % 50 == 0 { print("\(done) inputs, \(resident) KiB") }
}
var ended = timespec()
clock_gettime(CLOCK_MONOTONIC, &ended)
let counts = episode.counts
print(
    """
    \(done) inputs with seed \(seed) in \(ended.tv_sec - started.tv_sec) s: \(counts.commands) commands, \
    \(counts.lines) pieces of a line, \(counts.packets) packets
    \(counts.answers) frames came back; \(counts.restarts) restarts, \(counts.crashes) of them crashes of the firmware
    memory: \(first ?? 0) KiB after the first episode, \(residentKiB()) KiB at the end, \(highest) KiB at most
    """)
