internal import Glibc

/// One square degree of ground heights as the Shuttle mission's `.hgt` files hold it.
///
/// Big-endian 16-bit metres, rows from north to south, columns from west to east, both edges included: 1,201 a side for
/// three arc seconds, 3,601 for one. −32768 marks a place nobody measured. The file's name is the south-west corner.
public struct HeightTile: Sendable {
    private let bytes: [UInt8]
    private let side: Int

    /// Nil when the size is neither of the two.
    public init?(_ bytes: [UInt8]) {
        guard let side = [1_201, 3_601].first(where: { $0 * $0 * 2 == bytes.count }) else { return nil }
        self.bytes = bytes
        self.side = side
    }

    /// Metres at a place within the tile, each of `north` and `east` from 0 to 1 counted from the south-west corner;
    /// between the four measured places around it. Nil where one of those that count was not measured.
    public func height(north: Double, east: Double) -> Double? {
        let (row, column) = ((1 - north) * Double(side - 1), east * Double(side - 1))
        let (top, left) = (min(Int(max(0, row)), side - 2), min(Int(max(0, column)), side - 2))
        let (down, right) = (row - Double(top), column - Double(left))
        var sum = 0.0
        for (y, weightY) in [(top, 1 - down), (top + 1, down)] {
            for (x, weightX) in [(left, 1 - right), (left + 1, right)] where weightX * weightY > 0 {
                guard let height = measured(y, x) else { return nil }
                sum += height * weightX * weightY
            }
        }
        return sum
    }

    private func measured(_ row: Int, _ column: Int) -> Double? {
        let at = (row * side + column) * 2
        let value = Int16(bitPattern: UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1]))
        return value == .min ? nil : Double(value)
    }

    /// The lowest measured place in metres, and whether every place was measured.
    public func lowest() -> (metres: Double, isComplete: Bool) {
        var (lowest, isComplete) = (Int16.max, true)
        for at in stride(from: 0, to: bytes.count, by: 2) {
            let value = Int16(bitPattern: UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1]))
            if value == .min { isComplete = false } else { lowest = min(lowest, value) }
        }
        return (Double(lowest), isComplete)
    }

    /// The tiles among files, by their proper names: some systems write `n47e008.hgt` or `N47E008.HGT`.
    public static func files(in names: [String]) -> [String: String] {
        var files: [String: String] = [:]
        for file in names {
            let proper = file.dropLast(4).uppercased() + file.suffix(4).lowercased()
            if corner(named: proper) != nil, files[proper] == nil { files[proper] = file }
        }
        return files
    }

    /// The south-west corner in whole degrees that a file's name tells; nil for other names.
    public static func corner(named name: String) -> (south: Int, west: Int)? {
        let text = Array(name.utf8)
        func number(_ range: Range<Int>) -> Int? {
            text[range].allSatisfy { (48...57).contains($0) } ? text[range].reduce(0) { $0 * 10 + Int($1) - 48 } : nil
        }
        guard text.count == 11, name.hasSuffix(".hgt"), let south = number(1..<3), let west = number(4..<7) else {
            return nil
        }
        switch (text[0], text[3]) {
        case (UInt8(ascii: "N"), UInt8(ascii: "E")): return (south, west)
        case (UInt8(ascii: "N"), UInt8(ascii: "W")): return (south, -west)
        case (UInt8(ascii: "S"), UInt8(ascii: "E")): return (-south, west)
        case (UInt8(ascii: "S"), UInt8(ascii: "W")): return (-south, -west)
        default: return nil
        }
    }

    /// `N47E008.hgt` for the tile a point lies in.
    public static func name(of point: GeoPoint) -> String {
        let (south, west) = (Int(floor(point.latitude)), Int(floor(point.longitude)))
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number.magnitude)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return (south < 0 ? "S" : "N") + padded(south, 2) + (west < 0 ? "W" : "E") + padded(west, 3) + ".hgt"
    }
}

/// Ground heights from any number of tiles; without a tile the ground is at sea level, which the caller is told.
public struct Terrain: Sendable {
    /// By the south-west corner: 1,000 × south + west.
    private var tiles: [Int: HeightTile] = [:]

    public init() {}

    /// A tile whose name tells no corner lies nowhere.
    public mutating func add(_ tile: HeightTile, named name: String) {
        guard let corner = HeightTile.corner(named: name) else { return }
        tiles[corner.south * 1_000 + corner.west] = tile
    }

    /// Metres above the sea; nil without a tile or a measurement there.
    public func height(at point: GeoPoint) -> Double? {
        if tiles.isEmpty { return nil }
        let (south, west) = (floor(point.latitude), floor(point.longitude))
        return tiles[Int(south) * 1_000 + Int(west)]?.height(
            north: point.latitude - south, east: point.longitude - west)
    }

    /// Names of the tiles that `count + 1` evenly spaced points of a path lie in, in the order of the path.
    public static func tileNames(from: GeoPoint, to: GeoPoint, count: Int) -> [String] {
        var names: [String] = []
        for index in 0...max(1, count) {
            let name = HeightTile.name(of: from.toward(to, Double(index) / Double(max(1, count))))
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The ground at `count + 1` evenly spaced points, with how many of them are unknown and taken as sea level.
    public func profile(
        from: GeoPoint, to: GeoPoint, count: Int
    ) -> (samples: [PathAnalysis.Sample], unknown: Int) {
        let distance = RadioMath.distance(from: from, to: to)
        var unknown = 0
        let samples = (0...max(1, count)).map { index in
            let share = Double(index) / Double(max(1, count))
            let ground = height(at: from.toward(to, share))
            if ground == nil { unknown += 1 }
            return PathAnalysis.Sample(distance: distance * share, ground: ground ?? 0)
        }
        return (samples, unknown)
    }
}
