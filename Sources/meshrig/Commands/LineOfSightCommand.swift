internal import RadioPlanning
internal import ScenarioModel

/// Says whether two places see each other by radio.
enum LineOfSightCommand {
    static let command = Command(
        "los", "Tells how free the path between two places is, and what it costs.", words: "LAT,LON LAT,LON",
        options: [
            OptionDescriptor("--heights", .text("A,B"), "metres of the antennas above the ground; 2,2 when missing"),
            OptionDescriptor("--frequency", .text("MHZ"), "869.618 when missing"),
            OptionDescriptor("--bandwidth", .text("KHZ"), "62.5 when missing; decides the noise"),
            OptionDescriptor("--power", .text("DBM"), "transmit power with both antennas' gains; 22 when missing"),
            OptionDescriptor("--refraction", .text("K"), "how much the air bends waves; 1.3333 when missing"),
            OptionDescriptor("--terrain", .text("FOLDER"), "folder with SRTM tiles such as N47E008.hgt"),
        ],
        example: "meshrig los 47.3769,8.5417 47.3497,8.4914 --heights 2,15 --terrain srtm"
    ) { arguments, output in
        let words = try arguments.words(upTo: 2, needing: "the first place, as LAT,LON,")
        guard words.count == 2 else { throw UsageError("the second place is missing, as LAT,LON") }
        let (from, to) = (try point(words[0]), try point(words[1]))
        let heights = try numbers(arguments.text("--heights") ?? "2,2", 2, "--heights takes two numbers of metres, A,B")
        guard heights.allSatisfy((-500...50_000).contains) else {
            throw UsageError("--heights takes metres from -500 to 50000")
        }
        let frequency = try number(arguments, "--frequency", 869.618, 1...100_000)
        let bandwidth = try number(arguments, "--bandwidth", 62.5, 1...10_000)
        let power = try number(arguments, "--power", 22, -50...100)
        let refraction = try number(arguments, "--refraction", RadioMath.standardRefraction, 0.1...100)
        let terrain = try arguments.text("--terrain").map { try load($0, from, to) } ?? Terrain()
        let (samples, unknown) = terrain.profile(from: from, to: to, count: sampleCount)
        let distance = RadioMath.distance(from: from, to: to)
        guard distance >= 1 else { throw UsageError("the two places are less than a metre apart") }
        let analysis = PathAnalysis(
            samples: samples, from: (samples.first?.ground ?? 0) + heights[0],
            to: (samples.last?.ground ?? 0) + heights[1], distance: distance, megahertz: frequency,
            refraction: refraction)
        let noise = RadioMath.noiseFloor(bandwidthHertz: bandwidth * 1_000)
        var lines = [
            "path        \(analysis.status.rawValue), \(fixed(distance / 1_000)) km",
            "clearance   \(fixed(analysis.clearancePercent)) % of the first Fresnel zone at the worst place",
            "loss        \(fixed(analysis.loss)) dB: free space \(fixed(analysis.freeSpaceLoss)), edge \(fixed(analysis.edgeLoss))",
            "signal      \(fixed(power - analysis.loss)) dBm, SNR \(fixed(power - analysis.loss - noise)) dB",
        ]
        if let worst = analysis.obstructions.min(by: { $0.clearancePercent < $1.clearancePercent }) {
            lines.append(
                "worst       \(fixed(worst.distance / 1_000)) km from the first place, ground at \(fixed(worst.ground)) m"
            )
        }
        if unknown > 0 {
            lines.append("terrain     unknown at \(unknown) of \(samples.count) places, taken as sea level")
        }
        output.write(lines.joined(separator: "\n") + "\n")
        return 0
    }

    /// Places at which the ground is looked at.
    private static let sampleCount = 400

    private static func point(_ text: String) throws(UsageError) -> GeoPoint {
        let message = "\"\(text)\" is no place: it takes LAT,LON in degrees, for example 47.3769,8.5417"
        let values = try numbers(text, 2, message)
        guard (-90...90).contains(values[0]), (-180...180).contains(values[1]) else { throw UsageError(message) }
        return GeoPoint(latitude: values[0], longitude: values[1])
    }

    private static func numbers(_ text: String, _ count: Int, _ message: String) throws(UsageError) -> [Double] {
        let values = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let known = values.compactMap { $0 }.filter(\.isFinite)
        guard values.count == count, known.count == count else { throw UsageError(message) }
        return known
    }

    private static func number(
        _ arguments: Arguments, _ name: String, _ other: Double, _ range: ClosedRange<Double>
    ) throws(UsageError) -> Double {
        guard let text = arguments.text(name) else { return other }
        guard let value = Double(text), range.contains(value) else {
            throw UsageError("\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Those tiles of the path that the folder has.
    private static func load(_ folder: String, _ from: GeoPoint, _ to: GeoPoint) throws -> Terrain {
        guard FileAccess.isFolder(folder) else { throw UsageError("\(folder): is no folder") }
        let present = HeightTile.files(in: try FileAccess.files(below: folder))
        var terrain = Terrain()
        for name in Terrain.tileNames(from: from, to: to, count: sampleCount) {
            guard let file = present[name] else { continue }
            guard let tile = HeightTile(try FileAccess.read(folder + "/" + file, limit: 64 << 20)) else {
                throw UsageError("\(folder)/\(file): is no SRTM tile; those have 1201 or 3601 places a side")
            }
            terrain.add(tile, named: name)
        }
        return terrain
    }

    /// Two decimals.
    private static func fixed(_ value: Double) -> String {
        let hundredths = Int64((value * 100).rounded())
        let fraction = String(hundredths.magnitude % 100)
        return (hundredths < 0 ? "-" : "") + "\(hundredths.magnitude / 100)." + (fraction.count < 2 ? "0" : "")
            + fraction
    }
}
