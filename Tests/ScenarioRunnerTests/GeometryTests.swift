import Glibc
import MeshProtocol
import RadioPlanning
import RadioSimulator
import RigBase
import ScenarioModel
import Testing

@testable import ScenarioRunner

@Suite struct `Links from positions` {
    private func world(_ yaml: String, file: String = "w.yaml") throws -> WorldSpec {
        let node = try YAMLFile.parse(Array("title: t\nworld:\n\(yaml)".utf8), file: file)
        let problems = ProblemList()
        let spec = WorldBuilder(try WorldDocument.file(node).world, problems).build(seed: 1)
        try problems.throwIfAny()
        return spec
    }

    private func pair(_ geometry: String, height: String = "30") -> String {
        """
          radio: eu-868-narrow
          nodes:
            alice: { position: [47.5, 8.4], antenna: \(height) }
            bob: { position: [47.5, 8.5], antenna: { height: \(height), gain: 2 } }
            nowhere: {}
          geometry: \(geometry)
        """
    }

    /// 0.1° of longitude at 47.5° north are 7,512 m: 108.7 dB of free space at 869.618 MHz. 22 dBm + 2 dBi − 20 dB − 108.7
    /// dB = −104.7 dBm; the noise of 62.5 kHz and 6 dB is −120.0 dBm; so an SNR of 15.3 dB.
    @Test func `free space comes out as by hand`() throws {
        let links = try world(pair("{ extra-loss: 20 }")).links
        #expect(links.map(\.from) == ["alice", "bob"])
        #expect(links.map(\.to) == ["bob", "alice"])
        for link in links {
            #expect(abs(Double(link.snrQuarterDB) / 4 - 15.3) <= 0.25)
            #expect(link.rssi == -105)
        }
    }

    @Test func `what is too weak is no link, and a listed link stands`() throws {
        #expect(try world(pair("{ extra-loss: 60 }")).links.isEmpty)
        let listed = try world(pair("{ extra-loss: 20 }") + "\n  links: { alice-bob: { snr: 3, one-way: true } }").links
        #expect(listed.map(\.snrQuarterDB) == [12])
    }

    @Test func `low antennas lose to the curve of the earth`() throws {
        let high = try #require(try world(pair("{ extra-loss: 20 }")).links.first)
        let low = try #require(try world(pair("{ extra-loss: 20 }", height: "1")).links.first)
        #expect(low.snrQuarterDB < high.snrQuarterDB - 16)
    }

    /// A folder with the tile N47E008, 300 m high between 8.44° and 8.46° and at sea level elsewhere.
    private func withRidge(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/meshrig-terrain-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        defer {
            unlink(folder + "/N47E008.hgt")
            rmdir(folder)
        }
        // Heights from north to south in rows from west to east.
        let row = (0..<1_201).flatMap { (528...552).contains($0) ? [1, 44] : [0, 0] as [UInt8] }
        let tile = (0..<1_201).flatMap { _ in row }
        let handle = try #require(fopen(folder + "/N47E008.hgt", "w"))
        #expect(fwrite(tile, 1, tile.count, handle) == tile.count)
        fclose(handle)
        try body(folder)
    }

    @Test func `a ridge between them is in the way`() throws {
        try withRidge { folder in
            // 270 m above the line in the middle of 7,512 m: v = 15.0, so 36.4 dB beside the 108.7 dB of free space.
            #expect(try world(pair("{ extra-loss: 10, terrain: \(folder) }")).links.isEmpty)
            let strong = "{ power: 90, terrain: \(folder) }"
            let ridge = try #require(try world(pair(strong)).links.first)
            #expect(ridge.rssi == -53, "90 + 2 - 108.7 - 36.4 dBm")
            // One tile does as well as the folder it lies in.
            #expect(try world(pair("{ power: 90, terrain: \(folder)/N47E008.hgt }")).links.first == ridge)
        }
    }

    /// The pair of `pair` has an SNR of 15.3 dB with 20 dB of extra loss, so -11.7 dB with 47; SF 8 ends at -10 dB.
    @Test func `below the limit of reception only a lossy medium keeps links`() throws {
        func count(_ medium: String, _ loss: Int) throws -> Int {
            try world("  medium: \(medium)\n" + pair("{ extra-loss: \(loss) }")).links.count
        }
        for medium in ["ideal", "contention", "recorder"] {
            #expect(try count(medium, 45) == 2)
            #expect(try count(medium, 47) == 0)
        }
        #expect(try count("lossy", 47) == 2)
        #expect(try count("lossy", 50) == 0)
    }

    /// Nodes by lot between 47.0° and 47.3° north and 8.3° and 8.6° east, in heights from 1 to 120 m, around the ridge.
    private func lot(_ count: Int, _ geometry: String, square: Double = 0.3) -> String {
        var random = Prng(seed: 5)
        func decimal(_ from: Int) -> String {
            let millionths = from * 100_000 + random.index(below: Int(square * 1_000_000))
            let digits = String(millionths % 1_000_000)
            return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
        }
        let nodes = (0..<count).map { number in
            let antenna = "{ height: \([1, 2, 10, 30, 120][random.index(below: 5)]), gain: \(random.index(below: 4)) }"
            return "    n\(number): { position: [\(decimal(470)), \(decimal(83))], antenna: \(antenna) }"
        }
        return "  radio: eu-868-narrow\n  nodes:\n" + nodes.joined(separator: "\n") + "\n  geometry: \(geometry)"
    }

    @Test func `every pair has the strength of its path by itself, and none is forgotten`() throws {
        try withRidge { folder in
            for geometry in ["{ extra-loss: 32 }", "{ extra-loss: 15, terrain: \(folder) }", "{ power: -9 }"] {
                let yaml = lot(60, geometry)
                let node = try YAMLFile.parse(Array("title: t\nworld:\n\(yaml)".utf8), file: "w.yaml")
                let document = try WorldDocument.file(node).world
                var terrain = Terrain()
                if geometry.contains("terrain") {
                    let tile = try #require(HeightTile(try FileAccess.read(folder + "/N47E008.hgt", limit: 1 << 24)))
                    terrain.add(tile, named: "N47E008.hgt")
                }
                let got = try world(yaml).links.map { "\($0.from)-\($0.to) \($0.snrQuarterDB)" }
                #expect(got == brute(document, terrain))
                #expect(got.count > 40 && got.count < 60 * 59, "a world in which something is to be decided")
            }
        }
    }

    /// The same by looking at every pair.
    private func brute(_ world: WorldDocument, _ terrain: Terrain) -> [String] {
        let geometry = world.geometry!
        let noise = RadioMath.noiseFloor(bandwidthHertz: 62_500)
        var links: [String] = []
        for (index, one) in world.nodes.enumerated() {
            for other in world.nodes[(index + 1)...] {
                let (from, to) = (point(one), point(other))
                let distance = max(1, RadioMath.distance(from: from, to: to))
                let samples = terrain.profile(
                    from: from, to: to, count: max(2, min(400, Int(distance / 90)))
                ).samples
                let path = PathAnalysis(
                    samples: samples, from: samples[0].ground + Double(one.antenna.height) / 10,
                    to: samples[samples.count - 1].ground + Double(other.antenna.height) / 10, distance: distance,
                    megahertz: 869.618)
                let quarters =
                    geometry.powerQuarterDB - geometry.extraLossQuarterDB + one.antenna.gainQuarterDB
                    + other.antenna.gainQuarterDB
                let snr = Double(quarters) / 4 - path.loss - noise
                guard snr >= -10 else { continue }
                let rounded = Int8(clamping: Int((snr * 4).rounded()))
                links += ["\(one.name)-\(other.name) \(rounded)", "\(other.name)-\(one.name) \(rounded)"]
            }
        }
        return links
    }

    private func point(_ node: NodeDocument) -> GeoPoint {
        GeoPoint(
            latitude: Double(node.position!.latitudeE6) / 1e6, longitude: Double(node.position!.longitudeE6) / 1e6)
    }

    /// As dense everywhere, ten times as many nodes are about ten times as many looks, not a hundred times.
    @Test func `looks grow with the nodes and not with their square`() throws {
        func looks(_ count: Int) throws -> (looks: Int, links: Int) {
            let yaml = lot(count, "{ extra-loss: 52 }", square: 0.02 * Double(count).squareRoot())
            let node = try YAMLFile.parse(Array("title: t\nworld:\n\(yaml)".utf8), file: "w.yaml")
            let (document, problems) = (try WorldDocument.file(node).world, ProblemList())
            let radio = try #require(RadioParameters.preset(named: "eu-868-narrow"))
            var looks = 0
            let links = GeometryLinks(document.geometry!, document, radio, .ideal, problems)
                .links(except: [], looks: &looks)
            try problems.throwIfAny()
            return (looks, links.count)
        }
        let (small, large) = (try looks(300), try looks(3_000))
        #expect(small.links > 300)
        #expect(large.looks < 14 * small.looks, "\(small) \(large)")
        #expect(large.looks < 4 * large.links, "\(small) \(large)")
    }

    @Test(arguments: [
        ("{ terrain: no/such }", "is no folder of SRTM tiles and no tile"),
        ("{ terrain: /etc/passwd }", "its name tells no place"), ("{ power: x }", "power takes dB"),
        ("{ hills: true }", "unknown key \"hills\""),
    ])
    func `mistakes are told with their place`(geometry: String, message: String) {
        let error = #expect(throws: ScenarioErrors.self) { try world(pair(geometry), file: "x/w.yaml") }
        #expect(error?.description.contains("x/w.yaml:8:") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `one node with a position is not enough`() {
        let text = "  nodes: { alice: { position: [47, 8] }, bob: {} }\n  geometry: {}"
        let error = #expect(throws: ScenarioErrors.self) { try world(text) }
        #expect(error?.description.contains("geometry needs two nodes with a position") == true)
    }
}
