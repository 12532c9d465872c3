import MeshProtocol
import RadioSimulator
import RigBase
import RunRecord

/// A small world for a test, with its journal and a serial client for any companion.
final class Bench {
    let journal = Journal()
    let world: World

    init(_ spec: WorldSpec) throws {
        world = try World(spec, journal: journal)
    }

    /// Companions that all hear each other and know each other.
    convenience init(
        _ names: [String], medium: MediumSpec = .ideal, seed: UInt64 = 1, change: (inout NodeSpec) -> Void = { _ in }
    ) throws {
        var nodes = names.map { name in
            NodeSpec(name: name, contacts: names.filter { $0 != name }.map { ContactSpec(.node($0)) })
        }
        for index in nodes.indices { change(&nodes[index]) }
        var links: [LinkSpec] = []
        for (index, name) in names.enumerated() {
            for other in names[(index + 1)...] { links += LinkSpec.both(name, other) }
        }
        try self.init(WorldSpec(seed: seed, medium: medium, nodes: nodes, links: links))
    }

    /// alice – r1 – r2 – bob; only neighbours hear each other.
    static func line(medium: MediumSpec = .ideal, change: (inout NodeSpec) -> Void = { _ in }) throws -> Bench {
        var nodes = ["alice", "r1", "r2", "bob"].map { name in
            var spec = NodeSpec(name: name, role: name.hasPrefix("r") ? .repeater : .companion)
            spec.settings.forwarding.advertsOnBoot = false
            spec.settings.forwarding.localAdvertMinutes = 0
            spec.settings.forwarding.floodAdvertHours = 0
            return spec
        }
        nodes[0].contacts = [ContactSpec(.node("bob"))]
        nodes[3].contacts = [ContactSpec(.node("alice"))]
        for index in nodes.indices { change(&nodes[index]) }
        let links =
            LinkSpec.both("alice", "r1", snrQuarterDB: 20) + LinkSpec.both("r1", "r2", snrQuarterDB: 20)
            + LinkSpec.both("r2", "bob", snrQuarterDB: 20)
        let radio = RadioParameters.eu868Narrow
        let bench = try Bench(
            WorldSpec(epoch: 1_700_000_000, radio: radio, medium: medium, nodes: nodes, links: links))
        bench.run(2_000)
        return bench
    }

    /// Lets so many milliseconds pass.
    func run(_ milliseconds: Int64) {
        world.run(until: SimInstant(milliseconds: world.now.milliseconds + milliseconds))
    }

    func write(_ frame: [UInt8], to name: String) {
        world.hostWrite([0x3C, UInt8(frame.count & 0xFF), UInt8(frame.count >> 8)] + frame, to: name)
    }

    /// Writes a command and returns what comes back within some milliseconds.
    func ask(_ frame: [UInt8], _ name: String, within milliseconds: Int64 = 3) -> [[UInt8]] {
        write(frame, to: name)
        run(milliseconds)
        return frames(of: name)
    }

    func frames(of name: String) -> [[UInt8]] { world.takeHostOutput(of: name).map(\.frame) }

    /// Everything that was sent on the air: who, when, bytes.
    var sent: [(node: String, at: Int64, bytes: [UInt8])] {
        events(.packetSent).map { ($0.subject, $0.at.milliseconds, $0.bytes ?? []) }
    }

    func events(_ kind: EventKind, of subject: String? = nil) -> [RunEvent] {
        journal.events().filter { $0.kind == kind && (subject == nil || $0.subject == subject) }
    }
}

extension RunEvent {
    var bytes: [UInt8]? { if case .bytes(let bytes)? = self["bytes"] { bytes } else { nil } }
    func text(_ name: String) -> String? { if case .text(let text)? = self[name] { text } else { nil } }
}
