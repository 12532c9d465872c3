import ScenarioModel
import Testing

@Suite struct `Overlays` {
    static let base = """
        title: base
        requirement: r
        tags: [one]
        world:
          nodes: { alice: { contacts: [bob] }, bob: {}, hill: { role: repeater } }
          links: { alice-hill: 9, hill-bob: 7 }
        steps:
          - connect
          - { send: { to: bob, text: x }, as: sent }
          - disconnect
        expect: { contacts: 1 }
        """

    private func read(_ text: String, files: [(path: String, text: String)] = []) throws -> ScenarioDocument {
        let node = try YAMLFile.parse(Array(text.utf8), file: "dir/top.yaml")
        let bundle = BundledFiles([("lib/base.yaml", Self.base)] + files)
        return try #require(try ScenarioDocument.cases(of: node, id: "top", open: bundle.open).first)
    }

    @Test func `join mappings, replace everything else, and keep the rest`() throws {
        let document = try read(
            "extends: base\ntitle: top\nworld: { nodes: { bob: { battery: 3000 }, carl: {} } }\ntags: [two]")
        #expect(document.title == "top")
        #expect(document.requirement == "r")
        #expect(document.tags == ["two"])
        #expect(document.world.nodes.map(\.name) == ["alice", "bob", "hill", "carl"])
        #expect(document.world.node(named: "bob")?.batteryMillivolts == 3000)
        #expect(document.steps.map(\.verb) == ["connect", "send", "disconnect"])
        #expect(document.files == ["dir/top.yaml", "lib/base.yaml"])
        #expect(document.file == "dir/top.yaml")
    }

    @Test func `take away by key, number and name, and add to lists`() throws {
        let document = try read(
            """
            extends: ./base.yaml
            remove: [world.nodes.hill, world.links, steps.sent, steps.1]
            append: { steps: [{ note: end }], expect: { contacts: 2 } }
            """)
        #expect(document.world.nodes.map(\.name) == ["alice", "bob"])
        #expect(document.world.links.isEmpty)
        #expect(document.steps.map(\.verb) == ["disconnect", "note"])
        #expect(document.expect.count == 2)
    }

    @Test func `build a world on a world file`() throws {
        let world = "title: w\nworld: { nodes: { alice: {}, bob: {} }, links: { alice-bob: 5 } }"
        let document = try read(
            "title: t\nrequirement: r\nworld: { from: valley, nodes: { carl: {} }, links: { bob-carl: 3 } }\nsteps: [connect]",
            files: [("worlds/valley.yaml", world)])
        #expect(document.world.nodes.map(\.name) == ["alice", "bob", "carl"])
        #expect(document.world.links.count == 2)
    }

    @Test func `go several files deep, and the last one wins`() throws {
        let document = try read(
            "extends: mid\ntier: soak", files: [("mid.yaml", "extends: base\ntitle: mid\ntier: slow")])
        #expect(document.title == "mid")
        #expect(document.tier == .soak)
    }

    @Test(arguments: [
        ("extends: nothing", "dir/top.yaml:1:10: there is no file \"nothing\""),
        ("extends: [a]", "the id or path of one scenario"),
        ("extends: top\ntitle: x", "builds on this file again"),
        ("extends: base\nremove: world.nodes.bobby", "there is no world.nodes.bobby"),
        ("extends: base\nremove: steps.9", "there is no steps.9"), ("extends: base\nappend: [x]", "a mapping of lists"),
        ("extends: base\nsteps: [{ wait: 1 }]\ntitel: x", "did you mean \"title\"?"),
        ("title: t\nrequirement: r\nworld: { from: base2 }\nsteps: [connect]", "there is no file \"base2\""),
        ("title: t\nrequirement: r\nworld: { from: bare }\nsteps: [connect]", "holds no world"),
    ])
    func `say what is wrong with its place`(text: String, message: String) throws {
        let error = #expect(throws: ScenarioErrors.self) {
            try read(text, files: [("dir/top.yaml", text), ("bare.yaml", "title: nothing")])
        }
        #expect(error?.description.contains(message) == true, "\(error.debugDescription)")
    }

    @Test func `tell an error in the file where it stands`() throws {
        let error = #expect(throws: ScenarioErrors.self) {
            try read("extends: bad", files: [("bad.yaml", Self.base + "\nbudgt: {}")])
        }
        #expect(
            error?.description.hasPrefix("bad.yaml:12:1: unknown key \"budgt\"") == true, "\(error.debugDescription)")
    }
}

@Suite struct `Groups of nodes` {
    private func world(_ text: String) throws -> WorldDocument {
        let node = try YAMLFile.parse(Array("world: \(text)".utf8), file: "w.yaml")
        return try WorldDocument.file(node).world
    }

    @Test(arguments: [
        ("line", 4, ["n1-n2", "n2-n3", "n3-n4"]), ("ring", 3, ["n1-n2", "n2-n3", "n3-n1"]),
        ("star", 4, ["n1-n2", "n1-n3", "n1-n4"]), ("grid", 4, ["n1-n2", "n1-n3", "n2-n4", "n3-n4"]),
        ("tree", 5, ["n1-n2", "n1-n3", "n2-n4", "n2-n5"]), ("full", 3, ["n1-n2", "n1-n3", "n2-n3"]),
        ("ring", 2, ["n1-n2"]), ("line", 1, []),
    ])
    func `are linked as their form says`(form: String, count: Int, links: [String]) throws {
        let world = try world("{ generate: { prefix: n, count: \(count), form: \(form) } }")
        #expect(world.nodes.map(\.name) == (1...count).map { "n\($0)" })
        #expect(world.nodes.allSatisfy { $0.role == .repeater })
        #expect(world.links.map { "\($0.from)-\($0.to)" } == links)
        #expect(world.links.allSatisfy { $0.snrQuarterDB == 32 })
    }

    @Test func `can be joined to others by name`() throws {
        let world = try world(
            "{ nodes: { alice: {} }, generate: [{ prefix: hill, count: 3, link: { snr: 5, loss: 10% } }], links: { alice-hill3: 2 } }"
        )
        #expect(world.nodes.count == 4)
        #expect(world.links.map(\.snrQuarterDB) == [8, 20, 20])
    }

    @Test func `of random form hang together and are the same each time`() throws {
        let text = "{ generate: { prefix: n, count: 200, form: random, degree: 4, seed: 7 } }"
        let links = try world(text).links
        #expect(links.count == 400)
        #expect(try links == world(text).links)
        #expect(try links != world(text.replacing("seed: 7", with: "seed: 8")).links)
        var reached: Set<String> = ["n1"]
        for _ in 0..<200 {
            for link in links where reached.contains(link.from) || reached.contains(link.to) {
                reached.formUnion([link.from, link.to])
            }
        }
        #expect(reached.count == 200)
    }

    @Test func `are scattered within a radius`() throws {
        let world = try world(
            "{ geometry: {}, generate: { prefix: n, count: 300, form: scattered, centre: [60, 10], radius: 10000, node: { role: repeater } } }"
        )
        let places = world.nodes.compactMap(\.position)
        #expect(places.count == 300)
        // 10 km are 0.0899° of latitude, and twice as much of longitude at 60° north.
        #expect(places.allSatisfy { abs($0.latitudeE6 - 60_000_000) <= 89_940 })
        #expect(places.allSatisfy { abs($0.longitudeE6 - 10_000_000) <= 179_900 })
        #expect(places.contains { abs($0.longitudeE6 - 10_000_000) > 120_000 })
    }

    @Test(arguments: [
        ("{ generate: { prefix: n } }", "needs \"count\""),
        ("{ generate: { prefix: n, count: 3, form: rng } }", "did you mean \"ring\"?"),
        ("{ generate: { prefix: n, count: 301, form: full } }", "300 nodes at most"),
        ("{ generate: { prefix: n, count: 3, form: scattered } }", "need \"centre\""),
        ("{ generate: { prefix: n, count: 3, radius: 5 } }", "is for form: scattered"),
        ("{ nodes: { n2: {} }, generate: { prefix: n, count: 3 } }", "two nodes are named n2"),
        ("{ generate: { prefix: N, count: 2 } }", "cannot name a node"), ("{ links: {} }", "a world needs \"nodes\""),
        ("{ from: x, nodes: { a: {} } }", "only the world of a scenario"),
    ])
    func `say what is wrong`(text: String, message: String) throws {
        let error = #expect(throws: ScenarioErrors.self) { try world(text) }
        #expect(error?.description.contains(message) == true, "\(error.debugDescription)")
    }
}
