import RadioPlanning
import Testing

/// Values computed by hand from the formulas, to the digits given.
@Suite struct RadioMathTests {
    private func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
        abs(value - expected) <= tolerance
    }

    @Test func `the published check values come out`() {
        #expect(isNear(RadioMath.wavelength(megahertz: 910), 0.3294, 0.00005))
        #expect(isNear(RadioMath.fresnelRadius(megahertz: 910, 3_000, 3_000), 22.23, 0.005))
        #expect(isNear(RadioMath.freeSpaceLoss(metres: 6_000, megahertz: 910), 107.2, 0.05))
        #expect(isNear(RadioMath.earthBulge(3_000, 3_000, refraction: 0.25), 2.82, 0.01))
    }

    @Test func `an edge on the line costs six decibels and one far below it nothing`() {
        // v = 0: 6.9 + 20 log10(√1.01 − 0.1) = 6.03.
        #expect(isNear(RadioMath.knifeEdgeLoss(height: 0, megahertz: 910, 3_000, 3_000), 6.03, 0.005))
        #expect(RadioMath.knifeEdgeLoss(height: -30, megahertz: 910, 3_000, 3_000) == 0)
        // v = √2 · 22.23 / 22.23 = 1.4142: 6.9 + 20 log10(√(1.3142² + 1) + 1.3142) = 6.9 + 20 log10 2.9656 = 16.34.
        #expect(isNear(RadioMath.knifeEdgeLoss(height: 22.2300, megahertz: 910, 3_000, 3_000), 16.34, 0.005))
    }

    @Test func `a degree of latitude is 111 kilometres`() {
        let one = GeoPoint(latitude: 47, longitude: 8)
        #expect(isNear(RadioMath.distance(from: one, to: GeoPoint(latitude: 48, longitude: 8)), 111_194.9, 0.1))
        #expect(RadioMath.distance(from: one, to: one) == 0)
    }

    @Test func `nothing comes of inputs that are not above zero`() {
        #expect(RadioMath.wavelength(megahertz: 0) == 0)
        #expect(RadioMath.fresnelRadius(megahertz: 910, 0, 5) == 0)
        #expect(RadioMath.earthBulge(5, -1) == 0)
        #expect(RadioMath.freeSpaceLoss(metres: -1, megahertz: 910) == 0)
        #expect(RadioMath.noiseFloor(bandwidthHertz: 0) == 0)
        #expect(isNear(RadioMath.noiseFloor(bandwidthHertz: 62_500), -120.04, 0.005))
    }
}

@Suite struct PathAnalysisTests {
    /// 6 km with one sample in the middle, antennas at 100 m; there the bulge is 0.53 m and the radius 22.23 m.
    private func path(ground: Double) -> PathAnalysis {
        PathAnalysis(
            samples: [(0, 90), (3_000, ground), (6_000, 90)].map { PathAnalysis.Sample(distance: $0.0, ground: $0.1) },
            from: 100, to: 100, distance: 6_000, megahertz: 910)
    }

    @Test(arguments: [
        (80.0, PathAnalysis.Status.clear, 0), (84.0, .marginal, 0), (95.0, .partial, 1), (100.0, .blocked, 1),
    ])
    func `the worst place decides`(ground: Double, status: PathAnalysis.Status, obstructions: Int) {
        let analysis = path(ground: ground)
        #expect(analysis.status == status)
        #expect(analysis.obstructions.count == obstructions)
        #expect(abs(analysis.clearancePercent - (100 - ground - 0.5297) / 22.2307 * 100) < 0.01)
    }

    @Test func `a path without an inside is clear and one without length is blocked`() {
        let ends = [PathAnalysis.Sample(distance: 0, ground: 0), PathAnalysis.Sample(distance: 500, ground: 0)]
        let short = PathAnalysis(samples: ends, from: 2, to: 2, distance: 500, megahertz: 868)
        #expect(short.clearancePercent == 100)
        #expect(short.status == .clear)
        let none = PathAnalysis(samples: ends, from: 2, to: 2, distance: 0, megahertz: 868)
        #expect(none.status == .blocked)
        #expect(none.loss == 0)
    }

    @Test func `a relay is as good as its worse leg`() {
        #expect(PathAnalysis.relay(path(ground: 80), path(ground: 100)).status == .blocked)
        #expect(PathAnalysis.relay(path(ground: 95), path(ground: 80)).status == .partial)
    }
}

@Suite struct HeightMapTests {
    /// A tile that rises from west to east, one metre a column, with one place nobody measured.
    private func tile() throws -> HeightTile {
        var bytes = [UInt8](repeating: 0, count: 1_201 * 1_201 * 2)
        for row in 0..<1_201 {
            for column in 0..<1_201 {
                bytes[(row * 1_201 + column) * 2] = UInt8(column >> 8)
                bytes[(row * 1_201 + column) * 2 + 1] = UInt8(column & 0xFF)
            }
        }
        bytes[(600 * 1_201 + 600) * 2] = 0x80
        bytes[(600 * 1_201 + 600) * 2 + 1] = 0
        return try #require(HeightTile(bytes))
    }

    @Test func `heights lie between the measured places around them`() throws {
        let tile = try tile()
        #expect(tile.height(north: 0, east: 0) == 0)
        #expect(tile.height(north: 1, east: 1) == 1_200)
        let between = try #require(tile.height(north: 0.25, east: 0.250_1))
        #expect(abs(between - 300.12) < 0.001)
        #expect(tile.height(north: 0.5, east: 0.5) == nil)
    }

    @Test func `a file of another size is no tile`() {
        #expect(HeightTile([]) == nil)
        #expect(HeightTile([UInt8](repeating: 0, count: 1_200 * 1_200 * 2)) == nil)
    }

    @Test func `tiles are named after their south-west corners`() {
        #expect(HeightTile.name(of: GeoPoint(latitude: 47.38, longitude: 8.54)) == "N47E008.hgt")
        #expect(HeightTile.name(of: GeoPoint(latitude: -0.5, longitude: -120.2)) == "S01W121.hgt")
        let names = Terrain.tileNames(
            from: GeoPoint(latitude: 47.9, longitude: 8.5), to: GeoPoint(latitude: 48.1, longitude: 8.5), count: 10)
        #expect(names == ["N47E008.hgt", "N48E008.hgt"])
    }

    @Test(arguments: ["N47E008.hgt", "S01W121.hgt", "N00E000.hgt", "S90W180.hgt"])
    func `a name tells its corner`(name: String) throws {
        let corner = try #require(HeightTile.corner(named: name))
        #expect(HeightTile.name(of: GeoPoint(latitude: Double(corner.south), longitude: Double(corner.west))) == name)
    }

    @Test(arguments: ["", "N47E008", "n47e008.hgt", "N4xE008.hgt", "N47E0088.hgt", "X47E008.hgt", "ä47E08.hgt"])
    func `other names tell none`(name: String) { #expect(HeightTile.corner(named: name) == nil) }

    @Test func `the lowest place and gaps are known`() throws {
        let lowest = try tile().lowest()
        #expect(lowest.metres == 0)
        #expect(!lowest.isComplete, "one place was not measured")
    }

    @Test func `a profile says how much of it is unknown`() throws {
        var terrain = Terrain()
        terrain.add(try tile(), named: "N47E008.hgt")
        let found = terrain.profile(
            from: GeoPoint(latitude: 47.25, longitude: 8.75), to: GeoPoint(latitude: 47.25, longitude: 9.25), count: 4)
        #expect(found.samples.map(\.ground) == [900, 1_050, 0, 0, 0])
        #expect(found.unknown == 3)
    }
}
