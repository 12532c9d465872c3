import ScenarioModel
import Testing

@Suite struct `Imported meshes` {
    private func world(_ text: String) throws -> (text: String, world: WorldDocument) {
        let made = try ImportedMesh.read(Array(text.utf8), file: "m").world(title: "t")
        return (made, try WorldDocument.file(try YAMLFile.parse(Array(made.utf8), file: "w.yaml")).world)
    }

    @Test func `a topology keeps its radio, nodes, links and fading`() throws {
        let (text, world) = try world(
            #"""
            { "simulation": { "epoch_start": 1700000000, "radio": { "sf": 10, "bw": 250000, "cr": 1, "snr_coherence_ms": 5000 } },
              "nodes": [ { "name": "Alice 1", "role": "companion" }, { "name": "relay \"x\"", "role": "repeater", "lat": 54.32900049, "lon": -18.933 },
                         { "name": "alice-1", "role": "companion" } ],
              "topology": { "links": [
                { "from": "Alice 1", "to": "relay \"x\"", "snr": 75.43, "rssi": -38.59, "loss": 0.05, "bidir": true, "snr_std_dev": 1.5 },
                { "from": "relay \"x\"", "to": "alice-1", "snr": -2.0, "bidir": false },
                { "from": "relay \"x\"", "to": "Alice 1", "snr": 1 } ] } }
            """#)
        #expect(world.epoch == 1_700_000_000)
        #expect(
            world.radio == .explicit(frequencyKHz: 869_618, bandwidthHz: 250_000, spreadingFactor: 10, codingRate: 5))
        #expect(world.nodes.map(\.name) == ["alice_1", "relay_x", "alice_1_2"])
        #expect(world.nodes.map(\.displayName) == ["Alice 1", "relay \"x\"", "alice-1"])
        #expect(world.nodes[1].position?.latitudeE6 == 54_329_000)
        #expect(world.nodes[1].position?.longitudeE6 == -18_933_000)
        #expect(world.nodes[0].contacts.map(\.who) == [.node("alice_1_2")])
        #expect(world.links.map(\.snrQuarterDB) == [127, -8], "the second description of a link is left out")
        #expect(world.links.map(\.isOneWay) == [false, true])
        #expect(world.links[0].rssi == -39)
        #expect(world.links[0].fading?.sigmaQuarterDB == 6)
        #expect(world.links[0].fading?.correlation == .seconds(5))
        #expect(text.contains("loss: 5%"))
        #expect(world.geometry == nil)
    }

    @Test func `lists of nodes get their links from positions`() throws {
        let table =
            "Name,Type,Latitude,Longitude\r\n\"Hill, north\",2,47.1,8.2\r\n\"a \"\"b\"\"\",chat,47.2,8.3\r\n\r\nthird,room,,\r\n"
        let csv = try world(table).world
        #expect(csv.nodes.map(\.displayName) == ["Hill, north", "a \"b\"", nil])
        #expect(csv.nodes.map(\.role) == [.repeater, .companion, .room])
        #expect(csv.geometry != nil)
        let json = try world(
            #"[{"adv_name":"A","adv_type":1,"adv_lat":47.0,"adv_lon":8},{"adv_name":"B","adv_type":4}]"#
        ).world
        #expect(json.nodes.map(\.role) == [.companion, .sensor])
        #expect(json.geometry == nil, "one position leads nowhere")
    }

    @Test func `what a world has no place for is told`() throws {
        let mesh = try ImportedMesh.read(
            Array(
                #"{"nodes":[{"name":"a","adversarial":{"mode":"drop"}}],"commands":[{"at_ms":1}],"simulation":{"radio":{"cad_miss_prob":0.1}}}"#
                    .utf8), file: "m")
        #expect(mesh.leftOut.count == 2)
        let keyed = try ImportedMesh.read(Array("name,Public Key\na,00ff".utf8), file: "m")
        #expect(keyed.leftOut.map { $0.hasPrefix("public keys") } == [true])
        let json = try ImportedMesh.read(Array(#"[{"name":"a","public_key":"00ff"}]"#.utf8), file: "m")
        #expect(json.leftOut == keyed.leftOut)
    }

    @Test(arguments: [
        (#"{"cad_miss_prob":0.1}"#, "misses: 10%, sure: 0, deaf: -15"),
        (
            #"{"cad_miss_prob":0.125,"cad_reliable_snr":2.5,"cad_marginal_snr":-8}"#,
            "misses: 12.5%, sure: 2.5, deaf: -8"
        ),
        (#"{"cad_marginal_snr":3}"#, "misses: 5%"),
    ])
    func `what carrier sense misses is kept`(radio: String, expected: String) throws {
        let (text, world) = try world(#"{"nodes":[{"name":"a"}],"simulation":{"radio":\#(radio)}}"#)
        #expect(text.contains("carrier-sense: { \(expected) }"), "\(text)")
        #expect(world.carrierSense != nil)
    }

    @Test(arguments: [
        ("", "m:1:1: the file is empty"), ("{}", "m:1:1: there is no list of nodes"),
        (#"{"nodes":[{"name":"a"},{"name":"a"}]}"#, #"m:1:24: "a" is there twice"#),
        (#"{"nodes":[{"name":"a","lat":91,"lon":1}]}"#, "m:1:29: expected a number from -90.0 to 90.0"),
        (#"{"nodes":[{"name":"a"}],"links":[{"from":"a","to":"b"}]}"#, #"names "b", which is no node here"#),
        (#"{"nodes":[{"name":"a"}],"links":[{"from":"a","to":"a"}]}"#, "joins a node with itself"),
        (#"{"nodes":[{"name":"a","lat":"nan"}]}"#, "expected a number"), ("{\"nodes\": [", "m:"),
        ("x,y\n1,2", "no column for names"), ("name\n", "no nodes below"),
        ("name,role\na,king", "m:2:1: \"king\" is no role"),
        ("name\na\nb\na", "m:4:1: \"a\" is there twice"), ("name,lat\na,north", "m:2:1: expected a number"),
    ])
    func `mistakes are told with their place`(text: String, message: String) {
        let error = #expect(throws: ScenarioErrors.self) { try ImportedMesh.read(Array(text.utf8), file: "m") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `random bytes never trap`() {
        var state: UInt64 = 7
        let alphabet = Array("{}[]\",:\n\r\\ name47.e-ü".utf8)
        for _ in 0..<3_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int(state % 60) {
                state = state &* 6_364_136_223_846_793_005 &+ 1
                bytes.append(alphabet[Int(state >> 33) % alphabet.count])
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1
            _ = (try? ImportedMesh.read(bytes, file: "m"))?.world(title: "t")
        }
    }

    @Test func `what JSON calls null is not there`() throws {
        let (_, world) = try world(#"[{"name": "a", "lat": null, "lon": null}, {"name": "b"}]"#)
        #expect(world.nodes.map(\.position) == [nil, nil])
    }

    @Test func `a direction that only the second description has is kept`() throws {
        let (_, world) = try world(
            #"""
            {"nodes": [{"name": "a"}, {"name": "b"}],
             "links": [{"from": "a", "to": "b", "bidir": false, "snr": 3}, {"from": "a", "to": "b", "snr": 5}]}
            """#)
        #expect(
            world.links.map { "\($0.from)-\($0.to) \($0.snrQuarterDB) \($0.isOneWay)" } == [
                "a-b 12 true", "b-a 20 true",
            ])
    }

    @Test func `antennas and columns nobody knows are told apart`() throws {
        let mesh = try ImportedMesh.read(
            Array("name,lat,lon,height,gain,colour\na,1,2,12,3.5,red\n".utf8), file: "m.csv")
        #expect(mesh.leftOut == ["column colour"])
        #expect(mesh.world(title: "t").contains("antenna: { height: 12, gain: 3.5 }"))
    }

    @Test func `of many companions none knows the others`() throws {
        let list = (0..<400).map { #"{"name": "c\#($0)", "role": "companion"}"# }.joined(separator: ",")
        let (_, world) = try world("[\(list)]")
        #expect(world.nodes.allSatisfy { $0.contacts.isEmpty })
    }

    @Test func `a name is cut to what a radio keeps, however long its characters are`() throws {
        let (_, world) = try world(#"[{"name": "e\#(String(repeating: "\u{301}", count: 40))"}]"#)
        #expect(world.nodes[0].displayName?.utf8.count == 31)
    }

    @Test(arguments: [
        ("name,lat,lon\na,1,2\n\"b,1,2\nc,1,2\n", "m:3:1: a quote is opened here and never closed"),
        (#"{"nodes": [{"name": "a"}], "links": {"from": "a"}}"#, "links are a list"),
    ])
    func `cut-off tables and links that are no list are refused`(text: String, message: String) throws {
        let error = #expect(throws: ScenarioErrors.self) { try world(text) }
        #expect(error?.description.contains(message) == true, "\(error.debugDescription)")
    }
}
