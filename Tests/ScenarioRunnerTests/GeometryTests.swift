import Glibc
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

    @Test func `a ridge between them is in the way`() throws {
        var template = Array("/tmp/meshrig-terrain-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        defer {
            unlink(folder + "/N47E008.hgt")
            rmdir(folder)
        }
        // Heights from north to south in rows from west to east: 300 m high between 8.44° and 8.46°.
        var tile: [UInt8] = []
        for _ in 0..<1_201 { for column in 0..<1_201 { tile += (528...552).contains(column) ? [1, 44] : [0, 0] } }
        let handle = try #require(fopen(folder + "/N47E008.hgt", "w"))
        #expect(fwrite(tile, 1, tile.count, handle) == tile.count)
        fclose(handle)
        let flat = try #require(try world(pair("{ extra-loss: 10 }")).links.first)
        let ridge = try #require(try world(pair("{ extra-loss: 10, terrain: \(folder) }")).links.first)
        #expect(ridge.snrQuarterDB < flat.snrQuarterDB - 80)
    }

    @Test(arguments: [
        ("{ terrain: no/such }", "is no folder of SRTM tiles"), ("{ power: x }", "power takes dB"),
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
