internal import Glibc

/// Finds the points near a place without looking at those far away: rows of latitude, sorted by longitude.
public struct GeoIndex: Sendable {
    private struct Entry {
        var longitude: Double
        var point: Int
    }

    private var rows: [[Entry]]
    private let south: Double
    /// Degrees of latitude.
    private let rowHeight: Double

    public init(_ points: [GeoPoint]) {
        let latitudes = points.map(\.latitude)
        south = latitudes.min() ?? 0
        // As many rows as points in a row, when they lie evenly.
        let count = max(1, Int(Double(points.count).squareRoot()))
        rowHeight = max(1e-9, ((latitudes.max() ?? 0) - south) / Double(count))
        rows = Array(repeating: [], count: count)
        for (index, point) in points.enumerated() {
            rows[row(of: point.latitude)].append(Entry(longitude: point.longitude, point: index))
        }
        for row in rows.indices {
            rows[row].sort { ($0.longitude, $0.point) < ($1.longitude, $1.point) }
        }
    }

    /// Calls `body` once with each point within `metres` of a place, and with some that are a little farther away.
    public func visit(within metres: Double, of place: GeoPoint, _ body: (Int) -> Void) {
        let reach = metres / RadioMath.earthRadius
        let degrees = reach * 180 / .pi + 1e-9
        let intervals = Self.longitudes(within: reach, of: place)
        for row in row(of: place.latitude - degrees)...row(of: place.latitude + degrees) {
            for interval in intervals { visit(rows[row], interval, body) }
        }
    }

    private func row(of latitude: Double) -> Int {
        max(0, min(rows.count - 1, Int(max(-1, min(1e6, (latitude - south) / rowHeight)))))
    }

    /// The longitudes that a circle of so many radians about a place touches; two intervals across ±180°.
    private static func longitudes(within reach: Double, of place: GeoPoint) -> [ClosedRange<Double>] {
        let all = [-180.0...180.0]
        let latitude = abs(place.latitude) * .pi / 180
        // A circle around a pole touches them all.
        guard latitude + reach < .pi / 2 else { return all }
        let half = asin(min(1, sin(reach) / cos(latitude))) * 180 / .pi + 1e-9
        let (west, east) = (place.longitude - half, place.longitude + half)
        if half >= 180 { return all }
        if west < -180 { return [-180...east, (west + 360)...180] }
        if east > 180 { return [west...180, -180...(east - 360)] }
        return [west...east]
    }

    private func visit(_ row: [Entry], _ interval: ClosedRange<Double>, _ body: (Int) -> Void) {
        var (low, high) = (0, row.count)
        while low < high {
            let middle = (low + high) / 2
            if row[middle].longitude < interval.lowerBound { low = middle + 1 } else { high = middle }
        }
        while low < row.count, row[low].longitude <= interval.upperBound {
            body(row[low].point)
            low += 1
        }
    }
}
