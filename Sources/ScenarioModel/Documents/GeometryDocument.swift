/// Links worked out from where nodes stand, instead of being listed.
package struct GeometryDocument: Sendable, Hashable {
    /// SRTM tile or a folder of them, as written; nil for flat ground.
    package var terrain: NameAtSpot?
    /// In dBm.
    package var powerQuarterDB: Int
    package var noiseFigureQuarterDB: Int
    package var extraLossQuarterDB: Int
    package var spot: SourceSpot

    package static let shape = ShapeDescriptor(
        "links from positions", shorthand: "terrain",
        [
            FieldDescriptor(
                "terrain", .text, "SRTM tile (.hgt) or a folder of them, beside this file; flat ground when missing"),
            FieldDescriptor("power", .decibel, "transmit power in dBm", default: "22"),
            FieldDescriptor("noise-figure", .decibel, "of the receivers, in dB", default: "6"),
            FieldDescriptor("extra-loss", .decibel, "on every link: woods, walls, cables", default: "0"),
        ])

    static func read(_ reader: MappingReader) -> GeometryDocument? {
        guard let power = reader.decibel("power"), let noise = reader.decibel("noise-figure"),
            let extra = reader.decibel("extra-loss")
        else { return nil }
        return GeometryDocument(
            terrain: reader.text("terrain").map { NameAtSpot($0, reader.spot(of: "terrain")) }, powerQuarterDB: power,
            noiseFigureQuarterDB: noise, extraLossQuarterDB: extra, spot: reader.spot)
    }
}

/// The antenna of a node, for links from positions.
package struct AntennaDocument: Sendable, Hashable {
    /// In decimetres above the ground.
    package var height: Int
    package var gainQuarterDB: Int

    package static let standard = AntennaDocument(height: 20, gainQuarterDB: 0)

    package static let shape = ShapeDescriptor(
        "an antenna", shorthand: "height",
        [
            FieldDescriptor("height", .decimal(places: 1, 0...10_000), "metres above the ground", default: "2"),
            FieldDescriptor("gain", .decibel, "in dBi", default: "0"),
        ])

    static func read(_ reader: MappingReader) -> AntennaDocument? {
        guard let height = reader.decimal("height"), let gain = reader.decibel("gain") else { return nil }
        return AntennaDocument(height: height, gainQuarterDB: gain)
    }
}
