import RadioPlanning
import Testing

@Suite struct `Points near a place` {
    private func points(_ count: Int, latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) -> [GeoPoint] {
        var state: UInt64 = 9
        func share() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
        return (0..<count).map { _ in
            GeoPoint(
                latitude: latitudes.lowerBound + share() * (latitudes.upperBound - latitudes.lowerBound),
                longitude: longitudes.lowerBound + share() * (longitudes.upperBound - longitudes.lowerBound))
        }
    }

    /// Every point within the distance comes exactly once, wherever on earth.
    @Test(arguments: [
        (46.0...48.0, 7.0...9.0, 20_000.0), (-90.0...90.0, -180.0...180.0, 900_000),
        (85.0...90.0, -180.0...180.0, 200_000),
        (-10.0...10.0, 179.0...180.0, 300_000), (0.0...0.0, 0.0...0.0, 1), (-60.0 ... -50.0, -180.0...180.0, 2e7),
    ])
    func `none is forgotten and none comes twice`(
        latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>, metres: Double
    ) {
        let all = points(400, latitudes: latitudes, longitudes: longitudes)
        let index = GeoIndex(all)
        let places = all.prefix(60) + [GeoPoint(latitude: 0, longitude: -179.9), GeoPoint(latitude: 90, longitude: 0)]
        for place in places {
            var found: [Int] = []
            index.visit(within: metres, of: place) { found.append($0) }
            #expect(Set(found).count == found.count)
            let near = all.indices.filter { RadioMath.distance(from: all[$0], to: place) <= metres }
            #expect(Set(near).isSubset(of: found))
        }
    }

    /// 10,000 points on 400 × 400 km; within 10 km lie about 20 of them, in the square around that 25.
    @Test func `few are looked at in vain`() {
        let all = points(10_000, latitudes: 45...48.6, longitudes: 5...10.2)
        let index = GeoIndex(all)
        var (visited, near) = (0, 0)
        for place in all.prefix(500) {
            index.visit(within: 10_000, of: place) { other in
                visited += 1
                if RadioMath.distance(from: all[other], to: place) <= 10_000 { near += 1 }
            }
        }
        #expect(near > 500 * 15)
        #expect(visited < 2 * near)
    }

    @Test func `no points are no trouble`() {
        GeoIndex([]).visit(within: 1e6, of: GeoPoint(latitude: 0, longitude: 0)) { _ in Issue.record("a point") }
    }
}
