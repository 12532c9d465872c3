internal import MeshProtocol
internal import RadioSimulator
internal import RigBase

/// Meshes as towns have them: places on a jittered grid, each hearing its neighbours and some of those across a corner.
enum Mesh {
    /// A mesh of `count` nodes with `links` links in both directions; every node with an index divisible by `every` is a
    /// companion without a client, the others are repeaters.
    static func spec(count: Int, links: Int, companionEvery every: Int, hasAdverts: Bool) -> WorldSpec {
        var random = Prng(seed: 1).fork("benchmark mesh", String(count))
        let width = Int(Double(count).squareRoot().rounded(.up))
        let names = (0..<count).map { "n\($0)" }
        var pairs: [(Int, Int)] = []
        var diagonals: [(Int, Int)] = []
        for node in 0..<count {
            let column = node % width
            if column + 1 < width, node + 1 < count { pairs.append((node, node + 1)) }
            if node + width < count { pairs.append((node, node + width)) }
            if column + 1 < width, node + width + 1 < count { diagonals.append((node, node + width + 1)) }
            if column > 0, node + width - 1 < count { diagonals.append((node, node + width - 1)) }
        }
        random.shuffle(&diagonals)
        pairs += diagonals.prefix(max(0, links - pairs.count))
        var spec = WorldSpec(medium: .contention)
        spec.nodes = names.enumerated().map { index, name in
            let isCompanion = index % every == 0
            var node = NodeSpec(name: name, role: isCompanion ? .companion : .repeater, isAutonomous: isCompanion)
            node.isReady = true
            // As in a mesh that has been running for long, not all at once after 16 s.
            node.settings.forwarding.advertsOnBoot = false
            if !hasAdverts { node.settings.forwarding.localAdvertMinutes = 0 }
            if isCompanion {
                node.contacts = (1...4).map {
                    ContactSpec(.node(names[(index + every * $0 * 3) % (count / every * every)]))
                }
                .filter { $0.source != .node(name) }
            }
            return node
        }
        spec.links = pairs.flatMap { one, other in
            LinkSpec.both(
                names[one], names[other], snrQuarterDB: Int8(8 + random.index(below: 44)),
                rssi: Int8(-100 + random.index(below: 30)))
        }
        return spec
    }

    /// A world whose links follow from where its nodes stand: by lot, one on five square kilometres, in three heights.
    static func placed(count: Int) -> String {
        var random = Prng(seed: 3).fork("benchmark places", String(count))
        // Millionths of a degree of a square with count × 5 km²; a degree of longitude is 74 km here.
        let side = (Double(count) * 5).squareRoot()
        let (north, east) = (Int(side / 111.2 * 1e6), Int(side / 74.6 * 1e6))
        func degrees(_ millionths: Int) -> String {
            let fraction = String(millionths % 1_000_000)
            return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
        }
        var lines = ["title: placed", "world:", "  radio: eu-868-narrow", "  geometry: { extra-loss: 45 }", "  nodes:"]
        for number in 0..<count {
            let (latitude, longitude) = (
                degrees(47_000_000 + random.index(below: north)), degrees(8_000_000 + random.index(below: east))
            )
            let antenna = [2, 8, 30][random.index(below: 3)]
            lines.append(
                "    n\(number): { role: repeater, position: [\(latitude), \(longitude)], antenna: \(antenna) }")
        }
        return lines.joined(separator: "\n")
    }

    /// Runs a world for `seconds` with a message every `interval` seconds: channel texts and direct texts in turn, from
    /// companions by lot.
    static func drive(_ world: World, seconds: Int, every interval: Int, companions: [String]) {
        var random = Prng(seed: 2).fork("benchmark traffic")
        var number = 0
        for second in stride(from: 1, to: seconds, by: interval) {
            world.run(until: SimInstant(milliseconds: Int64(second) * 1_000))
            let sender = companions[random.index(below: companions.count)]
            number += 1
            if number % 2 == 0 {
                world.sendChannelText(as: sender, channel: 0, "message number \(number)")
            } else if let contact = world.spec.nodes.first(where: { $0.name == sender })?.contacts.first,
                case .node(let name) = contact.source
            {
                world.sendText(as: sender, toNode: name, "message number \(number)")
            }
        }
        world.run(until: SimInstant(milliseconds: Int64(seconds) * 1_000))
    }
}
