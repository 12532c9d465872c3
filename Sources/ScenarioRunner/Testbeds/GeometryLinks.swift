internal import MeshProtocol
internal import RadioPlanning
internal import RadioSimulator
internal import RigBase
internal import ScenarioModel

/// Works out who hears whom from where the nodes stand: free space, and over real ground the edge that is most in the way.
struct GeometryLinks {
    struct Place {
        var name: String
        var point: GeoPoint
        /// Metres above the ground.
        var height: Double
        var gain: Double
    }

    /// Nodes between which links are worked out at most, and how many pairs may come of it.
    static let nodeLimit = 20_000
    static let pairLimit = 250_000
    /// Metres between two looks at the ground, and how many looks at most.
    private static let step = 90.0
    private static let sampleLimit = 400
    /// Decibels below the limit of reception down to which the medium `lossy` may still let a frame through.
    private static let lossySlack = 4.0

    private let document: GeometryDocument
    private let radio: RadioParameters
    private let places: [Place]
    private let weakest: Double
    private let problems: ProblemList

    init(
        _ document: GeometryDocument, _ world: WorldDocument, _ radio: RadioParameters, _ medium: MediumSpec,
        _ problems: ProblemList
    ) {
        self.document = document
        self.radio = radio
        self.problems = problems
        weakest = Double(radio.thresholdQuarterDB ?? -30) / 4 - (medium == .lossy ? Self.lossySlack : 0)
        places = world.nodes.compactMap { node in
            guard let position = node.position else { return nil }
            return Place(
                name: node.name,
                point: GeoPoint(
                    latitude: Double(position.latitudeE6) / 1e6, longitude: Double(position.longitudeE6) / 1e6),
                height: Double(node.antenna.height) / 10, gain: Double(node.antenna.gainQuarterDB) / 4)
        }
        if places.count < 2 { problems.add(document.spot, "geometry needs two nodes with a position") }
        if places.count > Self.nodeLimit {
            problems.add(
                document.spot,
                "geometry works for \(Self.nodeLimit) nodes at most; here \(places.count) have a position")
        }
    }

    /// Links in both directions between all pairs that can hear each other and are not in `listed`, in the order of the
    /// nodes; `looks` counts the pairs that were near enough to be looked at.
    func links(except listed: Set<[String]>, looks: inout Int) -> [LinkSpec] {
        guard (2...Self.nodeLimit).contains(places.count) else { return [] }
        let ground = Ground(document.terrain, below: places.map(\.point), problems)
        let heights = places.map { ground.height(at: $0.point) + $0.height }
        let taken = pairs(of: listed)
        var found: [(first: Int, second: Int, snr: Double, rssi: Double)] = []
        let groups = HeightGroup.all(places, heights, above: ground.lowest)
        for (rank, group) in groups.enumerated() {
            for other in groups[rank...] {
                let reach = reach(between: group, other)
                // Each pair once: within a group from the earlier node, else from the smaller group.
                let (one, many) = group.members.count <= other.members.count ? (group, other) : (other, group)
                for index in one.members {
                    many.index.visit(within: reach, of: places[index].point) { place in
                        let neighbour = many.members[place]
                        guard one.rank != many.rank || neighbour > index, found.count <= Self.pairLimit else { return }
                        let (first, second) = (min(index, neighbour), max(index, neighbour))
                        looks += 1
                        guard taken.isEmpty || !taken.contains(first * places.count + second),
                            let (snr, rssi) = strength(first, second, heights, ground)
                        else { return }
                        found.append((first, second, snr, rssi))
                    }
                }
            }
        }
        if found.count > Self.pairLimit {
            problems.add(
                document.spot,
                "geometry lets more than \(Self.pairLimit) pairs hear each other; \"extra-loss\" makes them fewer")
            return []
        }
        found.sort { ($0.first, $0.second) < ($1.first, $1.second) }
        return found.flatMap { link in
            LinkSpec.both(
                places[link.first].name, places[link.second].name,
                snrQuarterDB: Int8(clamping: Int((link.snr * 4).rounded())),
                rssi: Int8(clamping: Int(link.rssi.rounded())))
        }
    }

    private func pairs(of listed: Set<[String]>) -> Set<Int> {
        let index = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1.name, $0) })
        return Set(
            listed.compactMap { ends in
                guard let one = index[ends[0]], let other = index[ends[1]] else { return nil }
                return min(one, other) * places.count + max(one, other)
            })
    }

    private var noise: Double {
        RadioMath.noiseFloor(
            bandwidthHertz: Double(radio.bandwidthHz), noiseFigure: Double(document.noiseFigureQuarterDB) / 4)
    }

    private var megahertz: Double { Double(radio.frequencyKHz) / 1_000 }

    /// dBm at the receiver before any path, without the antennas.
    private var budget: Double { Double(document.powerQuarterDB - document.extraLossQuarterDB) / 4 }

    /// Decibels a path between antennas with these gains may lose.
    private func allowed(_ gains: Double) -> Double { budget + gains - noise - weakest }

    private static func sampleCount(_ distance: Double) -> Int { max(2, min(sampleLimit, Int(distance / step))) }

    /// Metres beyond which no two antennas of these groups can hear each other, were all ground as low as the lowest.
    private func reach(between one: HeightGroup, _ other: HeightGroup) -> Double {
        // A decibel more than allowed, because the places looked at here lie between those of a real path.
        let allowed = allowed(one.gain + other.gain) + 1
        var metres = 1.0
        while RadioMath.freeSpaceLoss(metres: metres, megahertz: megahertz) < allowed, metres < 2e7 { metres *= 1.05 }
        while metres > 2_000 {
            let edges = (2...6).map { eighths in
                edgeLoss(
                    ground: 0, from: one.height, to: other.height, distance: metres,
                    behind: metres * Double(eighths) / 8)
            }
            let loss = RadioMath.freeSpaceLoss(metres: metres, megahertz: megahertz) + (edges.max() ?? 0)
            if loss <= allowed { break }
            metres /= 1.05
        }
        return metres * 1.05
    }

    private func edgeLoss(
        ground: Double, from: Double, to: Double, distance: Double, behind: Double
    ) -> Double {
        let line = from + (to - from) * behind / distance
        let bulge = RadioMath.earthBulge(behind, distance - behind)
        return RadioMath.knifeEdgeLoss(
            height: ground + bulge - line, megahertz: megahertz, behind, distance - behind)
    }

    /// SNR and signal strength in dB and dBm; nil when that is too weak to count.
    private func strength(
        _ first: Int, _ second: Int, _ heights: [Double], _ ground: Ground
    ) -> (snr: Double, rssi: Double)? {
        let (one, other) = (places[first], places[second])
        let distance = max(1, RadioMath.distance(from: one.point, to: other.point))
        let allowed = allowed(one.gain + other.gain) + 1e-6
        let freeSpace = RadioMath.freeSpaceLoss(metres: distance, megahertz: megahertz)
        guard freeSpace <= allowed else { return nil }
        let count = Self.sampleCount(distance)
        // Most pairs that cannot hear each other show it at one of three places.
        for place in [count / 2, count / 4, count * 3 / 4] where distance > 1_000 {
            let share = Double(place) / Double(count)
            let loss = edgeLoss(
                ground: ground.height(at: one.point.toward(other.point, share)), from: heights[first],
                to: heights[second], distance: distance, behind: distance * share)
            guard freeSpace + loss <= allowed else { return nil }
        }
        let path = PathAnalysis(
            samples: ground.terrain.profile(from: one.point, to: other.point, count: count).samples,
            from: heights[first], to: heights[second], distance: distance, megahertz: megahertz)
        let rssi = budget + one.gain + other.gain - path.loss
        return rssi - noise < weakest ? nil : (rssi - noise, rssi)
    }
}

/// Antennas of about the same height: what one of them reaches at most holds for all.
private struct HeightGroup {
    let rank: Int
    /// Places, in their order.
    let members: [Int]
    let index: GeoIndex
    /// Metres above the lowest ground, and dBi: the most in the group.
    let height: Double
    let gain: Double

    /// One group for each doubling of the height.
    static func all(_ places: [GeometryLinks.Place], _ heights: [Double], above lowest: Double) -> [HeightGroup] {
        let bits = heights.map { height in
            let metres = Int(max(0, height - lowest))
            return Int.bitWidth - metres.leadingZeroBitCount
        }
        return Set(bits).sorted().enumerated().map { rank, bit in
            let members = places.indices.filter { bits[$0] == bit }
            return HeightGroup(
                rank: rank, members: members, index: GeoIndex(members.map { places[$0].point }),
                height: (members.map { heights[$0] }.max() ?? lowest) - lowest,
                gain: members.map { places[$0].gain }.max() ?? 0)
        }
    }
}

/// The ground below the nodes and all paths between them.
private struct Ground {
    /// SRTM tiles held at most.
    static let tileLimit = 64

    private(set) var terrain = Terrain()
    /// No place on any path lies lower.
    private(set) var lowest = 0.0

    init(_ source: NameAtSpot?, below points: [GeoPoint], _ problems: ProblemList) {
        guard let source else { return }
        let base = source.spot.file.lastIndex(of: "/").map { String(source.spot.file[...$0]) } ?? ""
        let path = source.name.hasPrefix("/") ? source.name : base + source.name
        var (folder, present): (String, [String: String]) = (path, [:])
        if FileAccess.isFolder(path), let files = try? FileAccess.files(below: path) {
            present = HeightTile.files(in: files)
        } else if FileAccess.isFile(path) {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard !HeightTile.files(in: [name]).isEmpty else {
                problems.add(source.spot, "\(path): its name tells no place; tiles are called such as N47E008.hgt")
                return
            }
            (folder, present) = (String(path.dropLast(name.utf8.count + 1)), HeightTile.files(in: [name]))
            if folder.isEmpty { folder = path.hasPrefix("/") ? "" : "." }
        } else {
            problems.add(source.spot, "\(path): is no folder of SRTM tiles and no tile")
            return
        }
        load(Self.tiles(below: points), present, from: folder, at: source.spot, problems)
    }

    /// Names of all tiles of the rectangle that the points span, which no path leaves.
    private static func tiles(below points: [GeoPoint]) -> [String] {
        let (latitudes, longitudes) = (points.map(\.latitude), points.map(\.longitude))
        guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
            let east = longitudes.max()
        else { return [] }
        return (Int(south.rounded(.down))...Int(north.rounded(.down))).flatMap { latitude in
            (Int(west.rounded(.down))...Int(east.rounded(.down))).map { longitude in
                HeightTile.name(of: GeoPoint(latitude: Double(latitude), longitude: Double(longitude)))
            }
        }
    }

    private mutating func load(
        _ wanted: [String], _ present: [String: String], from folder: String, at spot: SourceSpot,
        _ problems: ProblemList
    ) {
        let names = wanted.filter { present[$0] != nil }
        guard names.count <= Self.tileLimit else {
            problems.add(spot, "the nodes stand on \(names.count) tiles; \(Self.tileLimit) are the most")
            return
        }
        var (lowest, isComplete) = (Double.infinity, names.count == wanted.count)
        for name in names {
            let file = present[name] ?? name
            guard let bytes = try? FileAccess.read(folder + "/" + file, limit: 64 << 20), let tile = HeightTile(bytes)
            else {
                problems.add(spot, "\(folder)/\(file): is no SRTM tile; those have 1201 or 3601 places a side")
                continue
            }
            terrain.add(tile, named: name)
            let low = tile.lowest()
            lowest = min(lowest, low.metres)
            isComplete = isComplete && low.isComplete
        }
        // What nobody measured counts as sea level.
        self.lowest = isComplete ? lowest : min(0, lowest)
    }

    func height(at point: GeoPoint) -> Double { terrain.height(at: point) ?? 0 }
}
