internal import MeshProtocol
internal import RadioPlanning
internal import RadioSimulator
internal import RigBase
internal import ScenarioModel

/// Works out who hears whom from where the nodes stand: free space, and over real ground the edge that is most in the way.
struct GeometryLinks {
    private struct Place {
        var name: String
        var point: GeoPoint
        /// Metres above the ground.
        var height: Double
        var gain: Double
    }

    /// Nodes between which links are worked out at most.
    static let nodeLimit = 4_000
    /// Metres between two looks at the ground, and how many looks at most.
    private static let step = 90.0
    private static let sampleLimit = 400
    /// SRTM tiles held at once.
    private static let tileLimit = 64
    /// Decibels below the limit of reception at which there is no link at all.
    private static let slack = 4.0

    private let document: GeometryDocument
    private let radio: RadioParameters
    private let places: [Place]
    private let problems: ProblemList

    init(_ document: GeometryDocument, _ world: WorldDocument, _ radio: RadioParameters, _ problems: ProblemList) {
        self.document = document
        self.radio = radio
        self.problems = problems
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
    /// nodes.
    func links(except listed: Set<[String]>) -> [LinkSpec] {
        guard (2...Self.nodeLimit).contains(places.count) else { return [] }
        let reach = farthest()
        let order = places.indices.sorted { (places[$0].point.latitude, $0) < (places[$1].point.latitude, $1) }
        let degrees = reach / RadioMath.earthRadius * 180 / .pi
        var ground = Ground(document.terrain, limit: Self.tileLimit, problems)
        var found: [(first: Int, second: Int, snr: Double, rssi: Double)] = []
        for (rank, one) in order.enumerated() {
            for other in order[(rank + 1)...] {
                // Sorted by latitude: all that follow are farther still.
                if places[other].point.latitude - places[one].point.latitude > degrees { break }
                let (first, second) = (min(one, other), max(one, other))
                guard !listed.contains([places[first].name, places[second].name]),
                    let (snr, rssi) = strength(places[first], places[second], within: reach, &ground)
                else { continue }
                found.append((first, second, snr, rssi))
            }
        }
        found.sort { ($0.first, $0.second) < ($1.first, $1.second) }
        return found.flatMap { link in
            LinkSpec.both(
                places[link.first].name, places[link.second].name,
                snrQuarterDB: Int8(clamping: Int((link.snr * 4).rounded())),
                rssi: Int8(clamping: Int(link.rssi.rounded())))
        }
    }

    private var noise: Double {
        RadioMath.noiseFloor(
            bandwidthHertz: Double(radio.bandwidthHz), noiseFigure: Double(document.noiseFigureQuarterDB) / 4)
    }

    private var megahertz: Double { Double(radio.frequencyKHz) / 1_000 }

    /// dBm at the receiver before any path, without the antennas.
    private var budget: Double { Double(document.powerQuarterDB - document.extraLossQuarterDB) / 4 }

    private var weakest: Double { Double(radio.thresholdQuarterDB ?? -30) / 4 - Self.slack }

    /// Metres beyond which free space alone is too much for the two best antennas.
    private func farthest() -> Double {
        let gains = places.map(\.gain).sorted().suffix(2).reduce(0, +)
        let allowed = budget + gains - noise - weakest
        var metres = 1.0
        while RadioMath.freeSpaceLoss(metres: metres, megahertz: megahertz) < allowed, metres < 2e7 { metres *= 1.1 }
        return metres
    }

    /// SNR and signal strength in dB and dBm; nil when that is too weak to count.
    private func strength(
        _ one: Place, _ other: Place, within reach: Double, _ ground: inout Ground
    ) -> (snr: Double, rssi: Double)? {
        let distance = max(1, RadioMath.distance(from: one.point, to: other.point))
        guard distance <= reach else { return nil }
        let count = max(2, min(Self.sampleLimit, Int(distance / Self.step)))
        let samples = ground.profile(from: one.point, to: other.point, count: count)
        let path = PathAnalysis(
            samples: samples, from: (samples.first?.ground ?? 0) + one.height,
            to: (samples.last?.ground ?? 0) + other.height, distance: distance, megahertz: megahertz,
            refraction: RadioMath.standardRefraction)
        let rssi = budget + one.gain + other.gain - path.loss
        return rssi - noise < weakest ? nil : (rssi - noise, rssi)
    }
}

/// The ground below the paths, with the tiles that were needed so far.
private struct Ground {
    private let folder: NameAtSpot?
    private let path: String
    private let present: Set<String>
    private let limit: Int
    private let problems: ProblemList
    private var loaded: Set<String> = []
    private var terrain = Terrain()

    init(_ folder: NameAtSpot?, limit: Int, _ problems: ProblemList) {
        self.folder = folder
        self.limit = limit
        self.problems = problems
        guard let folder else {
            (path, present) = ("", [])
            return
        }
        let base = folder.spot.file.lastIndex(of: "/").map { String(folder.spot.file[...$0]) } ?? ""
        path = folder.name.hasPrefix("/") ? folder.name : base + folder.name
        guard FileAccess.isFolder(path), let files = try? FileAccess.files(below: path) else {
            problems.add(folder.spot, "\(path): is no folder of SRTM tiles")
            present = []
            return
        }
        present = Set(files)
    }

    mutating func profile(from one: GeoPoint, to other: GeoPoint, count: Int) -> [PathAnalysis.Sample] {
        if let folder {
            for name in Terrain.tileNames(from: one, to: other, count: count)
            where present.contains(name) && loaded.count < limit && loaded.insert(name).inserted {
                guard let bytes = try? FileAccess.read(path + "/" + name, limit: 64 << 20), let tile = HeightTile(bytes)
                else {
                    problems.add(
                        folder.spot, "\(path)/\(name): is no SRTM tile; those have 1201 or 3601 places a side")
                    continue
                }
                terrain.add(tile, named: name)
            }
        }
        return terrain.profile(from: one, to: other, count: count).samples
    }
}
