internal import RigBase

/// Many nodes that are alike, and the links between them: a line, a ring, a grid …
///
/// It is written out into nodes and links as if the file had listed them, so that steps and expectations can name each:
/// `hill1`, `hill2`, …
package struct GeneratorDocument: Sendable {
    package enum Form: String, Sendable, CaseIterable { case line, ring, star, grid, tree, full, random, scattered }

    package var nodes: [YAMLEntry] = []
    package var links: [YAMLEntry] = []

    private static let limit = 20_000
    private static let fullLimit = 300

    package static let shape = ShapeDescriptor(
        "a group of nodes",
        [
            FieldDescriptor("prefix", .text, "beginning of their names; a number from 1 follows", required: true),
            FieldDescriptor("count", .integer(1...limit), "how many", required: true),
            FieldDescriptor(
                "form", .choice(Form.allCases.map(\.rawValue)),
                "how they are linked: line, ring, star (all to the first), grid, tree (each to two), full (all to all), random (connected, with `degree` links a node); scattered has positions instead of links",
                default: "line"),
            FieldDescriptor("node", .shape(NodeDocument.shape), "what each is", default: "repeater"),
            FieldDescriptor("link", .shape(LinkDocument.shape), "what each link is", default: "8"),
            FieldDescriptor("width", .integer(1...limit), "nodes in a row of a grid; a square when missing"),
            FieldDescriptor("degree", .integer(2...100), "links of a node on average, for random", default: "3"),
            FieldDescriptor("centre", .position, "the middle of scattered nodes"),
            FieldDescriptor("radius", .integer(1...500_000), "metres around it", default: "5000"),
            FieldDescriptor("seed", .integer(0...Int.max), "of random and scattered; not the run's", default: "1"),
        ])

    static func read(_ reader: MappingReader) -> GeneratorDocument {
        var generator = GeneratorDocument()
        guard let prefix = reader.text("prefix"), let count = reader.integer("count"),
            let form = reader.choice("form", Form.self), let node = reader.node("node"), let link = reader.node("link")
        else { return generator }
        var random = Prng(seed: UInt64(reader.integer("seed") ?? 1)).fork("generator", prefix)
        let spot = reader.spot
        func name(_ index: Int) -> String { prefix + "\(index + 1)" }
        var kinds = Array(repeating: node, count: count)
        if form == .scattered {
            guard let centre = reader.position("centre") else {
                if !reader.has("centre") { reader.problems.add(spot, "scattered nodes need \"centre\"") }
                return generator
            }
            let radius = reader.integer("radius") ?? 5_000
            for index in kinds.indices { kinds[index] = placed(node, around: centre, radius, &random) }
        } else {
            for key in ["centre", "radius"] where reader.has(key) {
                reader.problems.add(reader.spot(of: key), "\"\(key)\" is for form: scattered")
            }
        }
        if form == .full, count > fullLimit {
            reader.problems.add(reader.spot(of: "count"), "form: full takes \(fullLimit) nodes at most")
            return generator
        }
        generator.nodes = kinds.enumerated().map { YAMLEntry(key: name($0), keySpot: spot, value: $1) }
        let width = reader.integer("width") ?? squareSide(count)
        let pairs = pairs(form, count, width: width, degree: reader.integer("degree") ?? 3, &random)
        generator.links = pairs.map { YAMLEntry(key: name($0.0) + "-" + name($0.1), keySpot: spot, value: link) }
        return generator
    }

    private static func squareSide(_ count: Int) -> Int {
        var side = 1
        while side * side < count { side += 1 }
        return side
    }

    /// The links of a form, each once, by the positions of its nodes.
    private static func pairs(
        _ form: Form, _ count: Int, width: Int, degree: Int, _ random: inout Prng
    ) -> [(Int, Int)] {
        let line = (1..<max(1, count)).map { ($0 - 1, $0) }
        switch form {
        case .line: return line
        case .ring: return count > 2 ? line + [(count - 1, 0)] : line
        case .star: return line.map { (0, $0.1) }
        case .tree: return line.map { (($0.1 - 1) / 2, $0.1) }
        case .grid:
            var pairs: [(Int, Int)] = []
            for index in 0..<count {
                if index % width + 1 < width, index + 1 < count { pairs.append((index, index + 1)) }
                if index + width < count { pairs.append((index, index + width)) }
            }
            return pairs
        case .full:
            var pairs: [(Int, Int)] = []
            for one in 0..<count {
                for other in (one + 1)..<max(one + 1, count) { pairs.append((one, other)) }
            }
            return pairs
        case .random: return randomPairs(count, degree: degree, &random)
        case .scattered: return []
        }
    }

    /// A tree that holds all together, then further links until there are enough.
    private static func randomPairs(_ count: Int, degree: Int, _ random: inout Prng) -> [(Int, Int)] {
        var pairs = (1..<max(1, count)).map { (random.index(below: $0), $0) }
        var known = Set(pairs.map { [$0.0, $0.1] })
        let wanted = min(count * degree / 2, count * (count - 1) / 2)
        var tries = 0
        while pairs.count < wanted, tries < 20 * wanted {
            tries += 1
            let (one, other) = (random.index(below: count), random.index(below: count))
            guard one != other, known.insert([min(one, other), max(one, other)]).inserted else { continue }
            pairs.append((min(one, other), max(one, other)))
        }
        return pairs
    }

    /// The node with a position drawn evenly over a disc.
    private static func placed(
        _ node: YAMLNode, around centre: PositionDocument, _ radius: Int, _ random: inout Prng
    ) -> YAMLNode {
        var (east, north) = (0, 0)
        repeat {
            (east, north) = (random.index(below: 2 * radius + 1) - radius, random.index(below: 2 * radius + 1) - radius)
        } while east * east + north * north > radius * radius
        // A degree of latitude is 111,195 m; of longitude less, the further from the equator.
        let latitude = Int(centre.latitudeE6) + north * 1_000_000 / 111_195
        let shrink = max(0.05, RadioDegrees.cosine(ofMicrodegrees: Int(centre.latitudeE6)))
        let longitude = Int(centre.longitudeE6) + Int((Double(east * 1_000_000) / (111_195 * shrink)).rounded())
        let place = YAMLNode(
            .sequence(
                [latitude, longitude].map { .plain(ScalarText.decimalText($0, places: 6), at: node.spot) }),
            at: node.spot)
        let entry = YAMLEntry(key: "position", keySpot: node.spot, value: place)
        var entries = node.mapping ?? [YAMLEntry(key: "role", keySpot: node.spot, value: node)]
        entries.removeAll { $0.key == "position" }
        return YAMLNode(.mapping(entries + [entry]), at: node.spot)
    }
}

/// What positions on the globe need of trigonometry.
private enum RadioDegrees {
    /// By its series, the same on every machine.
    static func cosine(ofMicrodegrees angle: Int) -> Double {
        let x = Double(angle) / 1e6 * Double.pi / 180
        let square = x * x
        var (term, sum) = (1.0, 1.0)
        for step in 1...10 {
            term *= -square / Double((2 * step - 1) * 2 * step)
            sum += term
        }
        return sum
    }
}
